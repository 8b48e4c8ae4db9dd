from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest

from core_search.evidence import otlp
from core_search.trace import Status

protobuf = pytest.importorskip("opentelemetry.proto.trace.v1.trace_pb2")


def spans_of(document):
    return document["resourceSpans"][0]["scopeSpans"][0]["spans"]


def attributes_of(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def test_it_is_what_the_protocol_defines(sides):
    from google.protobuf.json_format import Parse

    document = otlp(sides[0])
    for span in spans_of(document):  # OTLP JSON writes ids in hex, where protobuf's own JSON has base64
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in span:
                span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    parsed = Parse(json.dumps(document), protobuf.TracesData())
    spans = parsed.resource_spans[0].scope_spans[0].spans
    assert {len(span.trace_id) for span in spans} == {16}
    assert {len(span.span_id) for span in spans} == {8}


def test_the_names_are_those_of_the_conventions(sides):
    conventions = pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
    schemas = pytest.importorskip("opentelemetry.semconv.schemas")
    known = {value for name, value in vars(conventions).items() if name.startswith("GEN_AI_")}
    document = otlp(sides[0])
    used = {key for span in spans_of(document) for key in attributes_of(span) if key.startswith("gen_ai.")}
    assert len(used) > 4
    assert used <= known
    assert attributes_of(spans_of(document)[0])["gen_ai.operation.name"] == (
        conventions.GenAiOperationNameValues.RETRIEVAL.value
    )
    assert document["resourceSpans"][0]["scopeSpans"][0]["schemaUrl"] in {one.value for one in schemas.Schemas}


def test_the_search_is_one_retrieval_with_its_stages_below(sides):
    side = sides[0]
    root, *others = spans_of(otlp(side))
    assert root["name"] == "retrieval hostile"
    about = attributes_of(root)
    assert about["gen_ai.operation.name"] == "retrieval"
    assert about["gen_ai.data_source.id"] == "hostile"
    assert about["gen_ai.retrieval.query.text"] == side.query
    documents = json.loads(about["gen_ai.retrieval.documents"])
    assert [one["id"] for one in documents] == [episode.uuid for episode in side.result.episodes]
    assert about["retrieval.documents.0.document.id"] == side.result.episodes[0].uuid
    stages = [span["name"] for span in others if span["parentSpanId"] == root["spanId"]]
    assert stages == [stage.name for stage in side.trace.stages if stage.status is not Status.SKIPPED]
    ids = {span["spanId"] for span in spans_of(otlp(side))}
    assert len(ids) == len(others) + 1
    assert all(span["parentSpanId"] in ids for span in others)


def test_times_are_nanoseconds_from_the_start(sides):
    side = sides[0]
    root = spans_of(otlp(side))[0]
    took_ns = int(root["endTimeUnixNano"]) - int(root["startTimeUnixNano"])
    assert took_ns == pytest.approx(side.trace.duration_ms * 1e6, abs=1_000)
    assert int(root["startTimeUnixNano"]) // 1_000 == round(side.trace.started_at.timestamp() * 1e6)


def test_texts_can_be_left_out(sides):
    written = json.dumps(otlp(sides[0], texts=False))
    for word in ("soup", "secretword", "Ann Lee", "HYPERLINK"):
        assert word not in written


def test_a_failed_search_is_an_error(sides):
    root = spans_of(otlp(replace(sides[0], result=None, error="the disk is gone")))[0]
    assert root["status"] == {"code": 2, "message": "the disk is gone"}
    assert attributes_of(root)["error.type"] == "SearchFailed"
