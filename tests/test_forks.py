from __future__ import annotations

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.answers import items_of
from core_search.errors import UsageError
from core_search.forks import STARTS_AT, fork, request_of
from core_search.models import QueryType
from core_search.options import SearchOptions
from core_search.trace import STAGES
from tests.small import bundle, route, uuids


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


@pytest.fixture(scope="module")
def asked(engine):
    request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
    return request, engine.search(request)


def test_every_setting_has_the_stage_that_it_acts_in():
    assert set(STARTS_AT) == set(SearchOptions.model_fields)
    assert set(STARTS_AT.values()) <= set(STAGES)


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        ({"token_budget": 5}, "budget"),
        ({"token_budget": 5, "limit": 3}, "rerank"),
        ({"token_budget": "10000", "limit": 20}, "route"),  # both as they are: nothing starts later
        ({"label_threshold": 0.9}, "route"),
        ({"force_gate": False, "limit": 3}, "gate"),
        ({"query_type": "temporal"}, "route"),
    ],
)
def test_starts_as_late_as_the_changes_allow(asked, changes, stage):
    request, result = asked
    assert fork(result, request, changes).replay.stage == stage


def test_a_fork_gives_what_the_whole_search_gives(engine, asked):
    request, result = asked
    for changes in ({"limit": 1}, {"episode_limit": 1}, {"backstop": False}, {"label_ids": "l-food"}):
        forked = engine.search(fork(result, request, changes))
        whole = engine.search(request.model_copy(update={"set": changes}))
        assert forked.episodes == whole.episodes


def test_a_fork_of_a_fork_keeps_both_changes(engine, asked):
    request, result = asked
    first = fork(result, request, {"query_type": "exploratory"})
    second = fork(engine.search(first), first, {"label_threshold": 0.9})
    after = engine.search(second)
    assert after.router.query_type is QueryType.EXPLORATORY
    assert not after.router.matched_labels


def test_a_kept_result_tells_its_request(engine):
    asked = SearchRequest(query="code review", workspace="small", set={"limit": 2}, force_gate=False)
    result = engine.search(asked)
    request = request_of(engine, result)
    assert (request.set, request.force_gate, request.router_output) == ({"limit": 2}, False, None)
    given = engine.search(asked.model_copy(update={"router_output": route("temporal"), "force_gate": None}))
    assert request_of(engine, given).router_output["queryType"] == "temporal"


def test_an_edited_extraction_runs_from_the_route(engine, asked):
    request, result = asked
    edited = route("entity_lookup", entityHints=["Ann Lee"], lookupMode="broad")
    after = engine.search(fork(result, request, router_output=edited))
    assert after.entity.uuid == "ann"
    assert "e5" in {entry.id for entry in after.trace.stage("merge").ledger}


@pytest.mark.parametrize(
    ("changes", "stage", "message"),
    [
        ({"no_such": 1}, None, "unknown setting 'no_such'"),
        ({"query_type": "nonsense"}, None, "unknown query type 'nonsense'"),
        ({}, "nowhere", "unknown stage 'nowhere'"),
        ({"limit": 3}, "budget", "'limit' acts in the stage 'rerank'"),
    ],
)
def test_what_cannot_be_forked_says_so(asked, changes, stage, message):
    request, result = asked
    with pytest.raises(UsageError, match=message):
        fork(result, request, changes, stage=stage)


def test_items_of_a_result_are_its_answers(asked):
    _, result = asked
    assert {id_ for kind, id_ in items_of(result) if kind == "episode"} == set(uuids(result))
