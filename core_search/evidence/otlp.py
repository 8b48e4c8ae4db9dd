"""A search as OpenTelemetry spans: one OTLP JSON document, as collectors, Phoenix and Langfuse take it.

The search is a `retrieval` span of the GenAI semantic conventions (status: development, as of semantic conventions
1.44), inside our process and therefore of kind internal; its stages and their steps are spans below it. The attributes
of OpenInference stand beside them, because Phoenix draws by those.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from core_search.comparison.side import Side
from core_search.evidence.written import query_of
from core_search.results import EpisodeResult
from core_search.trace import Stage, Status, Step

Attribute = str | bool | int | float | list[str]

INTERNAL = 1  # span kind
SCHEMA = "https://opentelemetry.io/schemas/1.44.0"
OK, ERROR = 1, 2  # status codes
# How OpenInference calls what a stage does; the others are links of a chain.
SPAN_KINDS = {"handle": "RETRIEVER", "backstop": "RETRIEVER", "fallback": "RETRIEVER", "rerank": "RERANKER"}


def otlp(side: Side, texts: bool = True, service: str = "core-search") -> dict[str, Any]:
    """The document (`resourceSpans`). Ids come from the trace's own, so that the same search has the same ids."""
    trace_id = _hex(side.trace.id, 32)
    root = _hex(f"{side.trace.id}/search", 16)
    spans = [_root(side, trace_id, root, texts)]
    for stage in side.trace.stages:
        if stage.status is Status.SKIPPED:
            continue
        span_id = _hex(f"{side.trace.id}/{stage.name}", 16)
        spans.append(_stage(side, stage, trace_id, span_id, root, texts))
        for number, step in enumerate(stage.steps):
            if step.status is not Status.SKIPPED:
                own = _hex(f"{side.trace.id}/{stage.name}/{number}", 16)
                spans.append(_step(side, stage, step, trace_id, own, span_id, texts))
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes({"service.name": service})},
                "scopeSpans": [{"scope": {"name": "core_search"}, "spans": spans, "schemaUrl": SCHEMA}],
            }
        ]
    }


def _root(side: Side, trace_id: str, span_id: str, texts: bool) -> dict[str, Any]:
    result = side.result
    attributes: dict[str, Attribute | None] = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": side.workspace,
        "gen_ai.request.model": side.providers.get("embedder"),
        "gen_ai.request.top_k": side.options.limit,
        "gen_ai.retrieval.query.text": side.query if texts else None,
        "gen_ai.retrieval.documents": json.dumps(
            [{"id": e.uuid, "score": e.score} for e in result.episodes] if result else []
        ),
        "openinference.span.kind": "RETRIEVER",
        "input.value": query_of(side, texts),
        "input.mime_type": "text/plain",
        "core_search.trace_id": side.trace.id,
        "core_search.run_id": side.run_id or None,
        "core_search.data_fingerprint": side.fingerprint or None,
        "core_search.query_type": result.router.query_type.value if result else None,
        "core_search.gate.open": result.gate.open if result else None,
        "core_search.tokens.used": result.budget.used if result else None,
        "core_search.tokens.limit": side.options.token_budget,
        "core_search.degraded": list(result.degraded) if result and result.degraded and texts else None,
        "error.type": None if result else "SearchFailed",
    }
    for place, episode in enumerate(result.episodes if result else ()):
        attributes |= _document(f"retrieval.documents.{place}.document", episode, texts)
    failed = result is None
    return _span(
        side, f"retrieval {side.workspace}", trace_id, span_id, "", 0.0, side.trace.duration_ms, attributes,
        error=(side.error if texts else "failed") if failed else "",
    )  # fmt: skip


def _document(prefix: str, episode: EpisodeResult, texts: bool) -> dict[str, Attribute | None]:
    metadata = {"kind": episode.kind, "validAt": episode.valid_at.isoformat(), "tokens": episode.tokens}
    return {
        f"{prefix}.id": episode.uuid,
        f"{prefix}.score": episode.score,
        f"{prefix}.content": episode.content if texts else None,
        f"{prefix}.metadata": json.dumps(metadata),
    }


def _stage(side: Side, stage: Stage, trace_id: str, span_id: str, parent: str, texts: bool) -> dict[str, Any]:
    attributes: dict[str, Attribute | None] = {
        "openinference.span.kind": SPAN_KINDS.get(stage.name, "CHAIN"),
        "core_search.stage": stage.name,
        "core_search.in": stage.in_,
        "core_search.out": stage.out,
        "core_search.dropped": stage.dropped,
    }
    for entry in stage.ledger:
        if entry.code:
            name = f"core_search.dropped.{entry.code.value}"
            attributes[name] = int(attributes.get(name) or 0) + 1  # type: ignore[arg-type]
    if stage.name == "rerank":
        attributes["reranker.model_name"] = side.providers.get("reranker")
        attributes["reranker.query"] = side.query if texts else None
        for place, entry in enumerate(sorted(stage.kept(), key=lambda entry: entry.rank_out or 0)):
            attributes[f"reranker.output_documents.{place}.document.id"] = entry.id
            attributes[f"reranker.output_documents.{place}.document.score"] = entry.scores.get("rerank")
    error = (stage.note if texts else "failed") if stage.status is Status.FAILED else ""
    return _span(
        side, stage.name, trace_id, span_id, parent, stage.start_ms, stage.duration_ms, attributes, error=error
    )


def _step(
    side: Side, stage: Stage, step: Step, trace_id: str, span_id: str, parent: str, texts: bool
) -> dict[str, Any]:
    attributes: dict[str, Attribute | None] = {
        "openinference.span.kind": "RETRIEVER" if step.items else "CHAIN",
        "core_search.stage": stage.name,
        "core_search.step": step.name,
        "core_search.items": len(step.items),
        "gen_ai.retrieval.documents": json.dumps([{"id": i.id, "score": i.score} for i in step.items]) or None,
    }
    model = step.detail.get("model")
    if isinstance(model, str):
        attributes["gen_ai.request.model"] = model
    error = (step.note if texts else "failed") if step.status is Status.FAILED else ""
    name = f"{stage.name}/{step.name}"
    return _span(side, name, trace_id, span_id, parent, step.start_ms, step.duration_ms, attributes, error=error)


def _span(
    side: Side,
    name: str,
    trace_id: str,
    span_id: str,
    parent: str,
    start_ms: float,
    duration_ms: float,
    attributes: Mapping[str, Attribute | None],
    *,
    error: str,
) -> dict[str, Any]:
    span: dict[str, Any] = {
        "traceId": trace_id,
        "spanId": span_id,
        "name": name,
        "kind": INTERNAL,
        "startTimeUnixNano": _nanoseconds(side, start_ms),
        "endTimeUnixNano": _nanoseconds(side, start_ms + duration_ms),
        "attributes": _attributes(attributes),
        "status": {"code": ERROR, "message": error} if error else {"code": OK},
    }
    return {**span, "parentSpanId": parent} if parent else span


def _nanoseconds(side: Side, after_ms: float) -> str:
    """OTLP JSON writes 64-bit numbers as text."""
    started = side.trace.started_at
    whole = int(started.timestamp()) * 1_000_000_000 + started.microsecond * 1_000
    return str(whole + round(timedelta(milliseconds=after_ms).total_seconds() * 1_000_000_000))


def _attributes(values: Mapping[str, Attribute | None]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: Attribute) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [{"stringValue": one} for one in value]}}
    return {"stringValue": value}


def _hex(text: str, digits: int) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:digits]
