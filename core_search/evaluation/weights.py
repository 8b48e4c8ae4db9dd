"""The search for the local reranker's weights: coordinate ascent over the simplex, deterministic.

What is searched for is `R@10 + R@5 / 2 + RR / 2`, the mean over queries: an answer of ten items, with a say for the
top. Inside the search the three are counted on arrays, because it ranks some thousand times; what is reported in the
end comes from ir_measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core_search.evaluation.measures import Summary, score_queries, summarise
from core_search.evaluation.qrels import relevant
from core_search.evaluation.reranked import Reranked
from core_search.models import Value
from core_search.ranking.evidence import SIGNALS

MEASURES = ("R@5", "R@10", "R@20", "RR", "nDCG@10")
STEPS = (0.10, 0.05, 0.02)  # finer weights than .02 fit the questions at hand and nothing else
_ROUNDS = 20  # each step size ends by itself long before

Weights = NDArray[np.float64]  # shape (len(SIGNALS),), sum 1


class WeightsReport(Value):
    """Weights by signal name, and what they reach on the queries searched on and on those held out."""

    name: str
    weights: dict[str, float]
    tuned_on: Summary
    held_out: Summary | None


@dataclass(frozen=True)
class _Stacked:
    """All queries in one array, candidates padded to the longest list."""

    signals: NDArray[np.float64]  # (queries, candidates, signals)
    hits: NDArray[np.bool_]  # (queries, candidates)
    padding: NDArray[np.bool_]
    wanted: NDArray[np.float64]  # relevant items of the query, in the pool or not

    @classmethod
    def of(cls, cases: Sequence[Reranked]) -> _Stacked:
        longest = max(len(case.candidates) for case in cases)
        signals = np.zeros((len(cases), longest, len(SIGNALS)))
        hits = np.zeros((len(cases), longest), dtype=bool)
        padding = np.ones((len(cases), longest), dtype=bool)
        for row, case in enumerate(cases):
            size = len(case.candidates)
            signals[row, :size], hits[row, :size], padding[row, :size] = case.signals, case.relevant_candidates, False
        wanted = np.array([len(relevant(case.grades)) for case in cases], dtype=float)
        return cls(signals, hits, padding, wanted)

    def objective(self, weights: Weights) -> float:
        scores = np.where(self.padding, -np.inf, self.signals @ weights)
        order = np.argsort(-scores, axis=1, kind="stable")
        hits = np.take_along_axis(self.hits, order, axis=1)
        at_5, at_10 = hits[:, :5].sum(axis=1) / self.wanted, hits[:, :10].sum(axis=1) / self.wanted
        first = np.where(hits.any(axis=1), 1 / (1 + hits.argmax(axis=1)), 0.0)
        return float(np.mean(at_10 + at_5 / 2 + first / 2))


def search_weights(cases: Sequence[Reranked], starts: Sequence[Weights], moving: NDArray[np.bool_]) -> Weights:
    """The best weights reached from any of the starts; on a tie the earlier start's. Only `moving` ones change."""
    stacked = _Stacked.of(cases)
    reached = [_climb(stacked, start, moving) for start in starts]
    best = max(range(len(reached)), key=lambda place: (round(reached[place][0], 9), -place))
    return reached[best][1]


def _climb(stacked: _Stacked, start: Weights, moving: NDArray[np.bool_]) -> tuple[float, Weights]:
    weights = _normal(start, moving)
    value = stacked.objective(weights)
    for step in STEPS:
        for _ in range(_ROUNDS):
            before = value
            for place in np.flatnonzero(moving):
                for change in (step, -step):
                    moved = weights.copy()
                    moved[place] = max(0.0, moved[place] + change)
                    if moved[moving].sum() == 0:
                        continue
                    moved = _normal(moved, moving)
                    if (reached := stacked.objective(moved)) > value + 1e-6:
                        weights, value = moved, reached
            if value == before:
                break
    return value, weights


def _normal(weights: Weights, moving: NDArray[np.bool_]) -> Weights:
    """The weights with a sum of 1, made by scaling those that move."""
    scale = (1 - weights[~moving].sum()) / weights[moving].sum()
    return np.where(moving, weights * scale, weights)


def _moving(cases: Sequence[Reranked]) -> NDArray[np.bool_]:
    """Which signals differ between candidates of some query."""
    moving: NDArray[np.bool_] = np.any([np.ptp(case.signals, axis=0) > 0 for case in cases], axis=0)
    return moving


def as_array(weights: Mapping[str, float]) -> Weights:
    """Weights by name as an array in the order of `SIGNALS`; a signal without a weight counts 0."""
    return np.array([weights.get(name, 0.0) for name in SIGNALS])


def weights_report(
    cases: Sequence[Reranked], held_out: Sequence[Reranked], present: Mapping[str, float]
) -> tuple[WeightsReport, ...]:
    """The weights in use, equal ones, and the best found from a fixed list of starts.

    A signal that tells no two candidates apart on these queries keeps the weight in use: nothing can be learned of it.
    """
    now = as_array(present)
    moving = _moving(cases)
    fixed = np.where(moving, 0.0, now)
    equal = fixed + moving * (1 - fixed.sum()) / max(1, moving.sum())
    starts = [now, equal, *(fixed + 2 * equal * row + equal * moving for row in np.eye(len(SIGNALS))[moving])]
    best = np.round(search_weights(cases, starts, moving), 2)
    rows = (("in use", now), ("equal", equal), ("best found", best))
    return tuple(
        WeightsReport(
            name=name,
            weights=dict(zip(SIGNALS, map(float, weights), strict=True)),
            tuned_on=measure(cases, weights),
            held_out=measure(held_out, weights) if held_out else None,
        )
        for name, weights in rows
    )


def measure(cases: Sequence[Reranked], weights: Weights) -> Summary:
    """What the weights reach, by ir_measures."""
    grades = {case.key: case.grades for case in cases}
    _, scores = score_queries(grades, {case.key: case.ranking(weights) for case in cases}, MEASURES)
    return summarise(scores.values())
