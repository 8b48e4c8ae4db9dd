import json
from pathlib import Path

import pytest

import core_search
from core_search.context import Row
from core_search.models import ItemKind
from core_search.trace import STAGES, DropCode, Recorder, Status, Trace


def test_every_stage_is_there_in_order_and_counts_come_from_the_ledger():
    recorder = Recorder()
    with recorder.stage("route") as stage, stage.step("labels") as step:
        step.detail["threshold"] = 0.7
        stage.enter(Row("l1", ItemKind.LABEL, {"cosine": 0.9}).entry(1, 1))
        stage.enter(Row("l2", ItemKind.LABEL, {"cosine": 0.1}, code=DropCode.BELOW_THRESHOLD).entry(2))
    trace = recorder.trace()
    assert tuple(stage.name for stage in trace.stages) == STAGES
    route = trace.stage("route")
    assert (route.in_, route.out, route.dropped, route.status) == (2, 1, 1, Status.OK)
    assert trace.stage("gate").status is Status.SKIPPED
    assert trace.stage("gate").note


def test_a_failure_is_recorded_without_secrets_and_goes_on():
    recorder = Recorder()
    with pytest.raises(RuntimeError), recorder.stage("route") as stage, stage.step("extract"):
        raise RuntimeError("401 for Bearer sk-abcdefgh12345678")
    trace = recorder.trace()
    route = trace.stage("route")
    assert (route.status, route.steps[0].status) == (Status.FAILED, Status.FAILED)
    assert "abcdefgh" not in trace.model_dump_json()
    assert trace.stage("gate").note == "not reached: route failed"


def test_is_plain_json_and_reads_back_with_full_precision():
    recorder = Recorder()
    with recorder.stage("merge") as stage:
        stage.enter(Row("e", ItemKind.EPISODE, {"cosine": 0.1234567890123456}).entry(1, 1))
    wire = json.loads(json.dumps(recorder.trace().wire()))
    assert wire["stages"][3]["in"] == 1
    assert Trace.model_validate(wire).stage("merge").ledger[0].scores == {"cosine": 0.1234567890123456}


def test_the_published_schema_is_that_of_the_code():
    # Made anew by: python -c "import json; from core_search import Trace; print(json.dumps(
    #     Trace.model_json_schema(by_alias=True), indent=2))" > core_search/trace.schema.json
    published = json.loads((Path(core_search.__file__).parent / "trace.schema.json").read_text("utf-8"))
    assert published == Trace.model_json_schema(by_alias=True)
