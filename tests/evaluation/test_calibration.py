from __future__ import annotations

import numpy as np
import pytest

from core_search import SearchEngine
from core_search.evaluation.calibration import calibrate
from core_search.evaluation.floors import floor_table
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.pairs import Pairs, hint_pairs, query_pairs
from core_search.evaluation.reranked import Reranked, reranked
from core_search.evaluation.thresholds import keeps, parts, refuses, threshold_table
from core_search.evaluation.weights import as_array, measure, weights_report
from core_search.providers.local_reranker import WEIGHTS
from core_search.ranking.evidence import SIGNALS


def case(key: str, grades: dict[str, int], **signals: dict[str, float]) -> Reranked:
    """Candidates with the signals that they have; the others are 0. Scores are those of the weights in use."""
    matrix = np.array([[found.get(name, 0.0) for name in SIGNALS] for found in signals.values()])
    return Reranked(key, grades, tuple(signals), matrix, matrix @ as_array(WEIGHTS), exploratory=False)


def test_rules_read_the_pairs() -> None:
    pairs = Pairs(right=[0.5 + n / 200 for n in range(101)], wrong=[n / 200 for n in range(101)])
    assert keeps(0.97)(pairs) == pytest.approx(0.51)  # .515 down to the hundredth
    assert refuses(0.99)(pairs) == pytest.approx(0.50)  # .495 up to the hundredth
    assert parts(Pairs(right=[0.7, 0.8], wrong=[0.1, 0.6])) == pytest.approx(0.61)


def test_the_search_finds_the_signal_that_tells_relevant_items() -> None:
    telling, misleading = SIGNALS[0], SIGNALS[1]
    cases = [
        case(f"q{n}", {"good": 1}, **{f"bad{m}": {misleading: 1.0} for m in range(12)}, good={telling: 0.9})
        for n in range(3)
    ]
    in_use, equal, best = weights_report(cases, cases[:1], {misleading: 1.0})
    assert in_use.tuned_on.means["R@10"] == 0
    assert best.tuned_on.means["RR"] == 1
    assert best.held_out is not None
    assert best.held_out.queries == 1
    assert best.weights[telling] > best.weights[misleading]
    assert sum(equal.weights.values()) == pytest.approx(1)


def test_a_signal_that_tells_nothing_apart_keeps_its_weight() -> None:
    still, moving = SIGNALS[-1], SIGNALS[0]
    rows = {"good": {moving: 0.9, still: 1.0}, "bad": {moving: 0.1, still: 1.0}}
    _, _, best = weights_report([case("q", {"good": 1}, **rows)], [], {still: 0.1, moving: 0.9})
    assert best.weights == {name: {still: 0.1, moving: 0.9}.get(name, 0.0) for name in SIGNALS}


def test_the_weights_in_use_give_the_rerankers_own_order(small: SearchEngine, judged: JudgedSet) -> None:
    cases, others = reranked(small, [judged])
    assert cases
    assert len(cases) + others == 4  # q1, q2, q3 and q5 have something relevant
    for seen in cases:
        assert seen.signals @ as_array(WEIGHTS) == pytest.approx(seen.scores)
    assert measure(cases, as_array(WEIGHTS)).means["R@10"] > 0.9


def test_a_floor_loses_and_removes_what_lies_under_it() -> None:
    weight = WEIGHTS[SIGNALS[0]]
    one = case("q", {"a": 1, "b": 1}, a={SIGNALS[0]: 0.9}, b={SIGNALS[0]: 0.1}, c={SIGNALS[0]: 0.2})
    (row,) = floor_table([one], [0.5 * weight])
    assert (row.lost, row.removed, row.kept, row.empty) == (1 / 2, 1, 1, 0)
    assert floor_table([]) == ()


def test_pairs_are_right_for_what_was_judged_relevant(small: SearchEngine, judged: JudgedSet) -> None:
    pairs = query_pairs(small, judged)
    # q1, q2, q3 and q5 have one good episode each (grade 2, or 1 where there is no 2) among eight, in one of 4 topics.
    assert (len(pairs["episode"].right), len(pairs["episode"].wrong)) == (4, 4 * 7)
    assert (len(pairs["label"].right), len(pairs["label"].wrong)) == (4, 4 * 3)
    # One voice statement, of q1's episode.
    assert (len(pairs["voice"].right), len(pairs["voice"].wrong)) == (1, 3)
    assert np.mean(pairs["episode"].right) > np.mean(pairs["episode"].wrong)


def test_hints_are_words_and_misspellings_and_never_names(small: SearchEngine) -> None:
    pairs = hint_pairs(small, "small")
    # anna: anna, kowalska, one misspelling ("baker" is a role, found exactly). bruno: bruno, marchetti, pianist
    # ("the" is left out as too short without its article; "pianist" is an alias), and two misspellings.
    assert len(pairs.right) == len(pairs.wrong)
    assert len(pairs.right) >= 6
    assert np.mean(pairs.right) > np.mean(pairs.wrong)


def test_every_threshold_of_the_profile_has_a_row(small: SearchEngine, judged: JudgedSet) -> None:
    profile = small.providers.embedder.profile.model_dump(exclude={"name"})
    rows = threshold_table(small, [judged])
    assert {row.setting: row.in_use for row in rows} == profile


def test_the_report_is_the_same_each_time(small: SearchEngine, judged: JudgedSet) -> None:
    first, second = (calibrate(small, [judged], [judged]) for _ in range(2))
    assert first == second
    assert first.thresholds
    assert first.weights


def test_only_what_was_asked_for_is_made(small: SearchEngine, judged: JudgedSet) -> None:
    report = calibrate(small, [judged], parts=["thresholds"])
    assert report.thresholds
    assert report.weights == report.floors == ()
