"""Verdicts, margins and remedies on a memory small enough to check by hand."""

from __future__ import annotations

import dataclasses
from datetime import timedelta

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.fate import ConditionName, Margin, Verdict, explain
from core_search.forks import fork
from core_search.models import ItemKind, Label, QueryType
from core_search.stores.kuzu_graph import KuzuGraph
from core_search.trace import DropCode
from tests.small import ENTITIES, LABELS, NOW, bundle, route, uuids

KEYS = {"item", "verdict", "stage", "code", "rank", "margin", "path", "conditions", "remedy", "text"}
QUIET = {"backstop": False}  # only the handler finds episodes


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


def fate_of(engine, item, query, output, kind=None, **set_):
    request = SearchRequest(query=query, workspace="small", router_output=output, set=set_)
    result = engine.search(request)
    fate = explain(engine, result, request, item, kind)
    if fate.remedy:
        after = engine.search(fork(result, request, fate.remedy.set))
        assert explain(engine, after, request, item, kind).verdict is Verdict.RETURNED
    return fate, result


def failing(fate):
    return {(condition.path, condition.condition) for condition in fate.conditions if not condition.holds}


def test_returned_with_its_rank_and_its_way(engine):
    fate, result = fate_of(engine, "e1", "code review", route("aspect_query"))
    assert (fate.verdict, fate.rank, fate.remedy) == (Verdict.RETURNED, uuids(result).index("e1") + 1, None)
    assert [fate.path[0].stage, fate.path[-1].stage] == ["handle", "fallback"]
    assert fate.path[-1].rank == fate.rank
    assert set(fate.wire()) == KEYS


def test_over_budget_names_the_tokens_that_are_missing(engine):
    whole, _ = fate_of(engine, "e1", "code review", route("aspect_query"))
    _, all_of_it = fate_of(engine, "e1", "code review", route("aspect_query"))
    costs = [episode.tokens for episode in all_of_it.episodes]
    last = all_of_it.episodes[-1].uuid
    assert whole.verdict is Verdict.RETURNED
    fate, _ = fate_of(engine, last, "code review", route("aspect_query"), token_budget=sum(costs) - 1)
    assert (fate.verdict, fate.stage, fate.code) == (Verdict.DROPPED, "budget", DropCode.OVER_BUDGET)
    assert fate.margin == Margin(name="tokens needed vs token_budget", value=sum(costs), threshold=sum(costs) - 1)
    assert fate.remedy.set == {"token_budget": sum(costs)}
    assert (fate.remedy.returned_at, fate.remedy.also_changes) == (len(costs), 0)
    assert "1 more than token_budget" in fate.text


def test_the_limit_after_reranking(engine):
    fate, _ = fate_of(engine, "e3", "small pull requests", route("aspect_query"), limit=1)
    assert (fate.stage, fate.code) == ("rerank", DropCode.RERANK_CUT)
    assert fate.margin.name == "rank vs limit"
    assert fate.remedy.set == {"limit": fate.margin.value}
    assert fate.remedy.also_changes == fate.margin.value - 2  # the ranks between the old and the new limit


def test_the_floor_of_the_reranker(engine):
    fate, _ = fate_of(engine, "e3", "small pull requests", route("aspect_query"), rerank_floor=0.9)
    assert (fate.stage, fate.code) == ("rerank", DropCode.BELOW_RELEVANCE)
    assert fate.margin.name == "rerank vs rerank_floor"
    assert 0 <= fate.margin.value - fate.remedy.set["rerank_floor"] < 1e-4


def test_a_wrong_label_hides_an_item_and_another_label_brings_it_back(engine):
    request = SearchRequest(
        query="code review", workspace="small", router_output=route("aspect_query", aspects=["Belief"]), set=QUIET
    )
    right = engine.search(request)
    wrong = engine.search(fork(right, request, {"label_ids": ["l-food"]}))
    assert "e2" in uuids(right)
    assert "e2" not in uuids(wrong)
    fate = explain(engine, wrong, request.model_copy(update={"set": {**QUIET, "label_ids": ["l-food"]}}), "e2")
    assert (fate.verdict, fate.code) == (Verdict.NEVER_CANDIDATE, DropCode.OUT_OF_SCOPE)
    assert fate.margin == Margin(name="labels vs label_ids", value="code-review", threshold="cooking")
    assert failing(fate) >= {("graph", ConditionName.LABEL), ("episode_vectors", ConditionName.KIND)}
    assert fate.remedy.set == {"label_ids": ["l-food", "l-review"]}


def test_outside_the_range_of_time(engine):
    output = route("temporal", temporal={"type": "recent", "days": 4})
    fate, _ = fate_of(engine, "e5", "what happened", output, **QUIET)
    assert fate.code is DropCode.OUTSIDE_TIME
    assert fate.margin.name == "validAt vs start"
    assert fate.remedy.set == {"start": "2026-02-19", "end": NOW.isoformat()}  # e5 happened ten days ago


def test_the_gate(engine):
    fate, _ = fate_of(engine, "e1", "code review", {**route("aspect_query"), "confidence": 0.1})
    assert (fate.verdict, fate.stage, fate.code) == (Verdict.GATE_CLOSED, "gate", DropCode.GATE_CLOSED)
    assert fate.margin == Margin(name="confidence vs confidence_gate", value=0.1, threshold=0.2)
    assert fate.remedy.set == {"confidence_gate": 0.1}
    fate, _ = fate_of(engine, "e1", "code review", {**route("aspect_query"), "shouldSearch": False})
    assert (fate.margin, fate.remedy.set) == (None, {"force_gate": True})


def test_of_another_end_user(engine):
    fate, _ = fate_of(engine, "e4", "soup", route("aspect_query"), end_user_ids="u1", label_threshold=1, **QUIET)
    assert ("episode_vectors", ConditionName.END_USER) in failing(fate)
    assert fate.remedy.set == {"end_user_ids": ["u1", "u2"]}


def test_an_episode_that_no_hint_mentions(engine):
    output = route("entity_lookup", entityHints=["Cy Young"], lookupMode="broad")
    fate, _ = fate_of(engine, "e5", "Cy Young", output, **QUIET)
    assert failing(fate) >= {("entity_episodes", ConditionName.ENTITY), ("backstop", ConditionName.KIND)}
    assert fate.remedy.set == {"backstop": True}


def test_facets_return_no_episodes(engine):
    fate, _ = fate_of(engine, "e1", "code review", route("temporal_facets"))
    assert fate.text == "No path looked for it: facets are counts and have no episodes."
    assert set(fate.remedy.set) == {"query_type"}


def test_an_invalidated_statement(engine):
    output = route("aspect_query", aspects=["Belief"])
    fate, _ = fate_of(engine, "st3", "one reviewer is enough", output, label_ids="l-food", **QUIET)
    assert (fate.verdict, fate.stage, fate.code) == (Verdict.DROPPED, "handle", DropCode.INVALIDATED)
    assert fate.margin.name == "invalidAt vs now"
    assert fate.margin.value == (NOW - timedelta(days=20)).isoformat()


def test_a_statement_that_connects_others(engine):
    output = route("relationship", entityHints=["Ann Lee", "Bob Stone"])
    fate, _ = fate_of(engine, "st5", "how do they know each other", output)
    assert (fate.verdict, fate.rank) == (Verdict.RETURNED, 1)
    fate, _ = fate_of(engine, "st7", "how do they know each other", output)
    assert (fate.verdict, failing(fate)) == (Verdict.NEVER_CANDIDATE, {("connections", ConditionName.ENTITY)})


def test_an_entity_is_looked_up_by_its_name(engine):
    output = route("entity_lookup", entityHints=["Ann Lee"], lookupMode="attribute", attributeHint="birthday")
    fate, _ = fate_of(engine, "ann", "birthday of Ann", output)
    assert (fate.verdict, fate.rank) == (Verdict.RETURNED, 1)
    fate, _ = fate_of(engine, "bob", "birthday of Ann", output)
    assert fate.verdict is Verdict.NEVER_CANDIDATE
    assert "'Ann Lee' is a name that others bear" in fate.text
    assert fate.remedy.set == {"query_type": "temporal_facets"}
    fate, _ = fate_of(engine, "knows", "birthday of Ann", output)
    assert (fate.remedy, fate.text) == (
        None,
        "No path looked for it: a predicate labels edges and is never looked up.",
    )


def test_a_label_under_its_threshold(engine):
    fate, result = fate_of(engine, "l-food", "code review", route("aspect_query"), label_threshold=0.3)
    cosine = result.trace.stage("route").step("labels").items[-1].score
    assert (fate.stage, fate.code) == ("route", DropCode.BELOW_THRESHOLD)
    assert fate.margin == Margin(name="cosine vs label_threshold", value=cosine, threshold=0.3)
    assert 0 <= cosine - fate.remedy.set["label_threshold"] < 1e-4


def test_a_session_document(engine):
    fate, _ = fate_of(engine, "d1", "code review habits", route("aspect_query"))
    assert fate.code is DropCode.OUT_OF_SCOPE
    assert fate.remedy.set in ({"query_type": QueryType.EXPLORATORY.value}, {"compact": True})


def test_two_changes_when_one_is_not_enough(engine):
    fate, _ = fate_of(engine, "e3", "small pull requests", route("aspect_query"), rerank_floor=0.9, token_budget=1)
    assert set(fate.remedy.set) == {"rerank_floor", "token_budget"}


def test_absence_and_failure_are_not_the_same(engine, tmp_path):
    fate, _ = fate_of(engine, "no such id", "code review", route("aspect_query"))
    assert (fate.verdict, fate.remedy) == (Verdict.NOT_STORED, None)
    assert (fate.item.kind, fate.path) == (None, ())
    with SearchEngine(engine.settings) as other:
        request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
        result = other.search(request)
        with other.memory("small") as memory:
            broken = KuzuGraph.open(memory.generation / "graph.db")
            broken.close()
            other._open["small"] = dataclasses.replace(memory, stores=dataclasses.replace(memory.stores, graph=broken))
            fate = explain(other, result, request, "e1")
        assert fate.verdict is Verdict.LOOKUP_FAILED
        assert "closed" in fate.text
        gone = result.model_copy(update={"workspace": "gone"})
        assert explain(other, gone, request, "e1").verdict is Verdict.LOOKUP_FAILED


def test_one_id_of_several_kinds(engine):
    twins = bundle("twins", labels=(*LABELS, Label(id="e1", name="twins")), entities=ENTITIES)
    engine.load(twins)
    request = SearchRequest(query="small pull requests", workspace="twins", router_output=route("aspect_query"))
    result = engine.search(request)
    assert explain(engine, result, request, "e1").item.kind is ItemKind.EPISODE
    assert explain(engine, result, request, "e1", ItemKind.LABEL).item.kind is ItemKind.LABEL
    assert explain(engine, result, request, "e1", ItemKind.STATEMENT).verdict is Verdict.NOT_STORED


def test_says_that_the_memory_has_changed(engine):
    request = SearchRequest(query="code review", workspace="small", router_output=route("aspect_query"))
    result = engine.search(request).model_copy(update={"fingerprint": "another"})
    assert explain(engine, result, request, "e6", remedies=False).text.endswith(
        "The memory has changed since this search."
    )
