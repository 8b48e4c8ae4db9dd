from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core_search import SearchEngine
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.losses import losses
from core_search.evaluation.variants import FULL, request_of
from core_search.fate import Verdict, explain
from core_search.ingest.values import Query

OPEN = {"label_threshold": 1}  # no label scopes the search


def one(judged: JudgedSet, query: str, **grades: int) -> JudgedSet:
    return replace(judged, queries=(Query(id="q", query=query),), qrels={"q": grades})


@pytest.mark.parametrize(
    ("changes", "grades", "stage", "code"),
    [
        ({"rerank_floor": 1, "exploratory_floor": 1}, {"bread": 1}, "rerank", "below_relevance"),
        ({"limit": 1}, {"bread": 2, "oven": 1}, "rerank", "rerank_cut"),
        ({"token_budget": 0}, {"bread": 1}, "budget", "over_budget"),
        ({"confidence_gate": 1}, {"bread": 1}, "gate", "gate_closed"),
        ({"start": "2026-02-28"}, {"bread": 1}, "route", "outside_time"),
        ({"label_ids": "label-sea", "backstop": False}, {"bread": 1}, "route", "out_of_scope"),
        ({"episode_limit": 0, "backstop": False}, {"bread": 1}, "handle", "handler_limit"),
        ({}, {"long-gone": 1}, "route", "not_stored"),
    ],
)
def test_an_item_is_lost_at_the_stage_that_dropped_it(
    small: SearchEngine, judged: JudgedSet, changes: dict[str, Any], grades: dict[str, int], stage: str, code: str
) -> None:
    floors = {"rerank_floor": 0, "exploratory_floor": 0}
    report = losses(small, [one(judged, "bread with rye flour", **grades)], {**OPEN, **floors, **changes})
    assert [(row.stage, row.code, row.count) for row in report.table] == [(stage, code, 1)]
    assert (report.relevant, report.returned, report.lost) == (len(grades), len(grades) - 1, 1)


def test_what_is_returned_is_not_lost(small: SearchEngine, judged: JudgedSet) -> None:
    report = losses(small, [one(judged, "who bakes bread with rye flour?", bread=2, tide=0)], OPEN)
    assert report.table == ()
    assert report.per_query[0].returned == ("bread",)
    assert set(report.waterfall.values()) == {1}


def test_the_waterfall_never_rises(small: SearchEngine, judged: JudgedSet) -> None:
    report = losses(small, [judged])
    left = list(report.waterfall.values())
    assert left == sorted(left, reverse=True)
    assert left[0] == report.relevant
    assert left[-1] == report.returned


def test_a_query_for_counts_returns_no_episodes(small: SearchEngine, judged: JudgedSet) -> None:
    report = losses(small, [one(judged, "what topics did I discuss this month", bread=1)], OPEN)
    assert report.per_query[0].routed_type == "temporal_facets"
    assert [(row.stage, row.code) for row in report.table] == [("handle", "out_of_scope")]


def test_only_grades_from_the_minimum_on_are_missed(small: SearchEngine, judged: JudgedSet) -> None:
    report = losses(small, [one(judged, "bread", bread=2, oven=1)], {"token_budget": 0}, minimum=2)
    assert [loss.item for loss in report.per_query[0].lost] == ["bread"]


def test_a_search_that_fails_lost_everything(
    small: SearchEngine, judged: JudgedSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("the engine is gone")

    monkeypatch.setattr("core_search.legacy.candidates", refuse)
    report = losses(small, [one(judged, "bread", bread=1)], OPEN)
    assert [(row.stage, row.code) for row in report.table] == [("backstop", "did_not_run")]


def test_fate_and_losses_name_the_same_stage_and_code(small: SearchEngine, judged: JudgedSet) -> None:
    """What the route's scope shut out is the handler's drop in the ledger, and the route's loss in the table."""
    seen = set()
    for changes in ({"token_budget": 20}, {"label_ids": "label-sea", "backstop": False}, {"start": "2026-02-28"}, {}):
        for row in losses(small, [judged], {**changes, "episode_limit": 1}).per_query:
            query = next(query for query in judged.queries if query.id == row.id)
            request = request_of("small", query, FULL, {**changes, "episode_limit": 1})
            result = small.search(request)
            for loss in row.lost:
                fate = explain(small, result, request, loss.item, remedies=False)
                by_scope = loss.stage == "route" and fate.verdict in (Verdict.DROPPED, Verdict.NEVER_CANDIDATE)
                assert fate.code == loss.code
                assert fate.stage == ("handle" if by_scope else loss.stage)
                assert not loss.text or loss.text in [condition.text for condition in fate.conditions]
                seen.add(loss.code)
    assert {"over_budget", "out_of_scope", "outside_time"} <= seen
