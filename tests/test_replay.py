"""A replay takes over what was decided, and replaying unchanged changes nothing (SPEC 4)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from core_search import SearchEngine, SearchRequest, Settings
from core_search.errors import SearchFailed, UsageError
from core_search.forks import fork
from core_search.results import Replay
from core_search.trace import STAGES
from tests.generated import NO_SHRINKING, bundles, searches, without_times
from tests.small import bundle, route

# Loading a memory takes half a second: few memories, and everything that can be asked of each.
# Nothing is similar enough for V2: a V2 workspace is then answered by V1.
SILENT = {"backstop": False, "episode_threshold": 1, "label_threshold": 1, "voice_limit": 0}
FEW = settings(max_examples=6, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


@FEW
@given(bundles(), searches())
def test_replaying_unchanged_from_any_stage_gives_the_same_result(engine, memory, asked):
    engine.load(memory, replace=True)
    for fields in asked:
        request = SearchRequest(workspace=memory.header.name, **fields)
        result = engine.search(request)
        for stage in STAGES:
            replayed = engine.search(fork(result, request, stage=stage, run_id="r1"))
            assert without_times(replayed) == without_times(result), stage
            assert replayed.parent == "r1"


def test_what_is_upstream_is_not_run_again(engine):
    request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
    result = engine.search(request)
    replayed = engine.search(fork(result, request, {"limit": 1}))
    for name in STAGES[: STAGES.index("rerank")]:
        assert replayed.trace.stage(name) == result.trace.stage(name)
    assert [episode.uuid for episode in replayed.episodes] == [result.episodes[0].uuid]
    assert replayed.parent == result.trace.id


def test_another_scope_is_on_record_in_the_route_that_was_taken_over(engine):
    request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
    result = engine.search(request)
    replayed = engine.search(fork(result, request, {"label_ids": ["l-food"]}))
    assert replayed.trace.stage("route").step("extract").detail["labelIds"] == ["l-food"]
    assert [entry.id for entry in replayed.trace.stage("gate").ledger] == ["l-food"]


def test_the_fallback_can_be_run_alone(engine):
    engine.load(bundle("old", version="V2"), replace=True)
    asked = {"router_output": route("aspect_query"), "set": SILENT}
    request = SearchRequest(query="soup", workspace="old", **asked)
    result = engine.search(request)
    assert result.trace.stage("fallback").out > 0
    off = engine.search(fork(result, request, {"fallback": False}))
    assert off.trace.stage("merge") == result.trace.stage("merge")
    assert not off.episodes
    assert without_times(engine.search(fork(off, request, {"fallback": True}))) == without_times(result)


def test_an_edit_of_a_stage_that_is_taken_over_is_refused(engine):
    request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
    result = engine.search(request)
    replay = Replay(stage="merge", trace=result.trace)
    for edit, where in (({"router_output": route("temporal")}, "route"), ({"force_gate": False}, "gate")):
        with pytest.raises(SearchFailed, match=f"'{where}'; start from it"):
            engine.search(request.model_copy(update={"replay": replay, **edit}))
    with pytest.raises(UsageError, match="'label_threshold' acts in the stage 'route'"):
        fork(result, request, {"label_threshold": 0.9}, stage="merge")
