from __future__ import annotations

import pytest

from core_search import SearchEngine
from core_search.evaluation.evaluated_query import EvaluatedQuery, evaluate_query
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.loss_waterfall import loss_waterfall
from core_search.evaluation.losses import LEVELS, Loss, QueryLosses, losses
from core_search.evaluation.outcomes import Outcome
from core_search.trace import STAGES, DropCode


def query(id_: str, returned: tuple[str, ...], lost: dict[str, tuple[str, str]], rescued: tuple[str, ...] = ()):
    """A query whose relevant items were returned or lost at a stage with a code."""
    grades = dict.fromkeys((*returned, *lost), 1)
    outcome = Outcome(workspace="w", id=id_, query=id_, grades=grades)
    lines = tuple(Loss(item=item, grade=1, stage=stage, code=code) for item, (stage, code) in lost.items())
    row = QueryLosses(
        workspace="w",
        id=id_,
        query=id_,
        routed_type=None,
        relevant=len(grades),
        returned=returned,
        lost=lines,
        reached={},
        rescued=rescued,
    )
    return EvaluatedQuery(outcome=outcome, losses=row)


@pytest.mark.parametrize(
    ("stage", "code", "level"),
    [
        ("route", "not_stored", "relevant"),
        ("route", "out_of_scope", "in_memory"),
        ("route", "outside_time", "in_memory"),
        ("gate", "gate_closed", "in_memory"),
        ("handle", "never_candidate", "reachable"),
        ("handle", "handler_limit", "reachable"),
        ("backstop", "handler_limit", "candidates"),
        ("rerank", "below_relevance", "merged"),
        ("rerank", "rerank_cut", "merged"),
        ("compact", "compacted", "ranked"),
        ("budget", "over_budget", "ranked"),
        ("fallback", "below_threshold", "reachable"),
        ("fallback", "below_relevance", "merged"),
        ("fallback", "over_budget", "ranked"),
    ],
)
def test_how_far_a_lost_item_came(stage: str, code: str, level: str) -> None:
    assert Loss(item="a", grade=1, stage=stage, code=code).reached == level


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("code", [*DropCode, "never_candidate", "did_not_run", "not_stored"])
def test_every_stage_and_code_has_a_level_before_the_last(stage: str, code: str) -> None:
    assert Loss(item="a", grade=1, stage=stage, code=code).reached in LEVELS[:-1]


def test_the_levels_of_two_queries() -> None:
    first = query("q1", ("a", "b"), {"c": ("route", "out_of_scope"), "d": ("rerank", "rerank_cut")}, ("b", "d"))
    second = query("q2", (), {"e": ("handle", "never_candidate"), "f": ("budget", "over_budget")})
    waterfall = loss_waterfall([first, second])
    assert [(level.name, level.left, level.rescued) for level in waterfall.levels] == [
        ("relevant", 6, 0),
        ("in_memory", 6, 0),
        ("reachable", 5, 0),
        ("candidates", 4, 2),
        ("merged", 4, 2),
        ("ranked", 3, 1),
        ("returned", 2, 1),
    ]
    assert [level.lost for level in waterfall.levels] == [
        {},
        {},
        {"out_of_scope": 1},
        {"never_candidate": 1},
        {},
        {"rerank_cut": 1},
        {"over_budget": 1},
    ]
    assert [item.item for item in waterfall.lost_before("ranked", "rerank_cut")] == ["d"]
    assert [item.item for item in waterfall.left_at("returned")] == ["a", "b"]
    assert [item.item for item in waterfall.lost] == ["c", "d", "e", "f"]


def test_a_query_without_relevant_items_has_no_waterfall() -> None:
    nothing = EvaluatedQuery(outcome=Outcome(workspace="w", id="q", query="q", grades={"a": 0}))
    waterfall = loss_waterfall([nothing])
    assert waterfall.items == ()
    assert {level.left for level in waterfall.levels} == {0}


def test_it_agrees_with_the_losses_of_a_real_memory(small: SearchEngine, judged: JudgedSet) -> None:
    changes = {"token_budget": 20}
    queries = [evaluate_query(small, "small", query, grades, changes) for query, grades in judged.judged()]
    waterfall, report = loss_waterfall(queries), losses(small, [judged], changes)
    left = [level.left for level in waterfall.levels]
    assert left == sorted(left, reverse=True)
    assert (left[0], left[-1]) == (report.relevant, report.returned)
    assert report.waterfall == {level.name: level.left for level in waterfall.levels}
    counted = [(item.stage, item.code) for item in waterfall.lost]
    assert {(row.stage, row.code): row.count for row in report.table} == {pair: counted.count(pair) for pair in counted}


def test_what_only_the_backstop_brought_is_rescued(small: SearchEngine, judged: JudgedSet) -> None:
    query_, grades = next(judged.judged())
    wrong_label = {"label_ids": "label-sea", "rerank_floor": 0}
    waterfall = loss_waterfall([evaluate_query(small, "small", query_, grades, wrong_label)])
    assert {(item.item, item.rescued) for item in waterfall.left_at("merged")} == {("bread", True), ("oven", True)}
