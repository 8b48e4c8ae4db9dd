from __future__ import annotations

from math import log2
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.errors import UsageError
from core_search.evaluation.measures import DEFAULT_MEASURES, score
from core_search.evaluation.qrels import read_qrels
from core_search.evaluation.runs import read_run


def test_values_are_those_computed_by_hand() -> None:
    # Ranked: a (2), x (not judged), c (1), n (0). Relevant: a, c and e (1), which was not found.
    scores = score({"q": {"a": 2, "c": 1, "n": 0, "e": 1}}, {"q": ("a", "x", "c", "n")})
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert scores.per_query["q"] == pytest.approx(
        {
            "nDCG@10": (2 / log2(2) + 1 / log2(4)) / ideal,
            "R@10": 2 / 3,
            "P@5": 2 / 5,
            "RR": 1,
            "AP": (1 / 1 + 2 / 3) / 3,
            "Judged@10": 3 / 4,
        }
    )
    assert list(scores.per_query["q"]) == list(DEFAULT_MEASURES)


def test_files_score_as_in_ir_measures(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    # Each query has a relevant item, q2 has no result, and scores of 0.5 tie.
    judgments = [f"q{q} 0 d{d} {(q * d) % 4}" for q in (1, 2, 3, 5, 6, 9) for d in range(9)]
    rows = [f"q{q} Q0 d{(d * q) % 17} 1 {max(0.5, 1 / (1 + d))} t" for q in (1, 3, 5, 6, 9) for d in range(14)]
    qrels.write_text("\n".join(judgments), "utf-8")
    run.write_text("\n".join(rows), "utf-8")
    # Those of trec_eval: Judged@10 breaks ties in another way, see `runs`.
    names = [name for name in DEFAULT_MEASURES if name != "Judged@10"]
    expected = ir_measures.iter_calc(
        [ir_measures.parse_measure(name) for name in names],
        list(ir_measures.read_trec_qrels(str(qrels))),
        list(ir_measures.read_trec_run(str(run))),
    )
    scores = score(read_qrels(qrels), read_run(run), names)
    for metric in expected:
        assert scores.per_query[metric.query_id][str(metric.measure)] == pytest.approx(metric.value)
    assert set(scores.per_query) == {"q1", "q2", "q3", "q5", "q6", "q9"}


def test_a_query_without_a_result_counts_zero_and_is_listed() -> None:
    scores = score({"found": {"a": 1}, "lost": {"b": 1}}, {"found": ("a",)}, ["RR"])
    assert scores.overall == {"RR": (1 + 0) / 2}
    assert scores.no_result == ("lost",)


def test_a_query_without_a_relevant_item_is_left_out_and_listed() -> None:
    scores = score({"good": {"a": 1}, "hopeless": {"b": 0}}, {"good": ("a",), "hopeless": ("b",)}, ["RR"])
    assert (scores.queries, scores.overall, scores.without_relevant) == (1, {"RR": 1.0}, ("hopeless",))


def test_a_query_that_nobody_judged_is_left_out_and_listed() -> None:
    scores = score({"q": {"a": 1}}, {"q": ("a",), "stranger": ("a",)}, ["RR"])
    assert (scores.queries, scores.not_judged) == (1, ("stranger",))


def test_fewer_results_than_the_cutoff_are_divided_by_the_cutoff() -> None:
    assert score({"q": {"a": 1, "b": 1}}, {"q": ("a",)}, ["P@5", "R@5"]).overall == {"P@5": 1 / 5, "R@5": 1 / 2}


def test_the_range_goes_from_unjudged_as_zero_to_unjudged_as_best() -> None:
    scores = score({"q": {"a": 1, "b": 1}}, {"q": ("x", "a", "y")}, ["P@2", "RR", "R@2"])
    assert scores.ranges["P@2"] == (1 / 2, 2 / 2)
    assert scores.ranges["RR"] == (1 / 2, 1)
    assert scores.ranges["R@2"] == pytest.approx((1 / 2, 2 / 3))  # x would be a third relevant item; y is past the cut
    assert scores.judged == pytest.approx({"P@2": 1 / 2, "RR": 1 / 3, "R@2": 1 / 2})


def test_the_optimistic_value_is_never_below_the_mean_and_never_above_one() -> None:
    # With x as best grade the ideal order would grow more than the order itself.
    scores = score({"q": {"a": 1}, "r": {"b": 3}}, {"q": ("a", "x"), "r": ("b",)}, ["nDCG@10"])
    low, high = scores.ranges["nDCG@10"]
    assert low == 1
    assert high == 1


ITEMS = [f"d{n}" for n in range(9)]


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(ITEMS), st.integers(-1, 3)), st.permutations(ITEMS), st.integers(0, 9))
def test_ndcg_stays_between_0_and_1_and_its_ideal_is_of_all_judged_items(grades, order, length) -> None:
    grades = {**grades, "far": 3}  # never ranked: whoever takes the ideal from the ranking alone reaches 1
    scores = score({"q": grades}, {"q": tuple(order[:length])}, ["nDCG@5"])
    low, high = scores.ranges["nDCG@5"]
    assert 0 <= low < 1
    assert low <= high <= 1


def test_grades_below_zero_count_as_zero() -> None:
    below, zero = ({"q": {"a": grade, "b": 2}} for grade in (-2, 0))
    assert score(below, {"q": ("a", "b")}).per_query == score(zero, {"q": ("a", "b")}).per_query


def test_without_a_query_that_counts_there_are_no_means() -> None:
    scores = score({"q": {"a": 0}}, {"q": ("a",)})
    assert (scores.queries, scores.overall, scores.intervals) == (0, {}, {})


def test_measures_take_parameters_and_doubles_are_one() -> None:
    assert score({"q": {"a": 1, "b": 2}}, {"q": ("a", "b")}, ["P(rel=2)@2", "P(rel=2)@2"]).overall == {
        "P(rel=2)@2": 1 / 2
    }


@pytest.mark.parametrize("name", ["nonsense", "nDCG@", "R", "P@0", "P@-1", "P@99999999999999", "alpha_nDCG@10", ""])
def test_what_is_no_measure_is_refused_by_name(name: str) -> None:
    with pytest.raises(UsageError, match="measure"):
        score({"q": {"a": 1}}, {"q": ("a",)}, [name])


def test_the_same_values_give_the_same_interval_around_the_mean() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(20)}
    run = {f"q{n}": ("a",) if n % 2 else ("b", "a") for n in range(20)}
    first, second = (score(qrels, run, ["RR"]) for _ in range(2))
    low, high = first.intervals["RR"]
    assert first == second
    assert 0.5 < low < first.overall["RR"] == 0.75 < high < 1
