"""Configurations over a set of judged queries: who wins where, by how much, how sure that is, and at what cost.

Every query counts the same. A query that did not run in a configuration has no value there and is left out of what
that configuration is compared in; it is never counted as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import Field

from core_search.comparison.set_spec import Cell, SetSpec
from core_search.evaluation.bootstrap import difference_interval, mean_interval
from core_search.evaluation.measures import QueryScores, score_queries
from core_search.evaluation.outcomes import Outcome
from core_search.models import Value

TIE = 1e-9  # values nearer than this are equal: they come from sums of the same few numbers


class SetRow(Value):
    """One query: its value in each configuration, None where it did not run or has not run yet."""

    id: str
    query: str
    values: tuple[float | None, ...]
    problems: tuple[str, ...]  # why it did not run, by configuration; empty where it did
    judged: tuple[float | None, ...]  # share of the items within the cutoff that are judged

    def difference(self, configuration: int) -> float | None:
        """Against the first configuration."""
        mine, first = self.values[configuration], self.values[0]
        return None if mine is None or first is None else mine - first


class StageTime(Value):
    """Milliseconds over the queries that ran."""

    stage: str
    median_ms: float
    p95_ms: float


class ConfigurationScore(Value):
    """One configuration. Wins, ties, losses and the difference are against the first one, on queries that both ran."""

    name: str
    changes: dict[str, Any]
    queries: int
    did_not_run: int
    mean: float | None
    interval: tuple[float, float] | None  # bootstrap, 95 %
    judged: float | None
    wins: int = 0
    ties: int = 0
    losses: int = 0
    difference: float | None = None
    difference_interval: tuple[float, float] | None = None  # paired bootstrap, 95 %
    noise: float | None = None  # half the range of the mean over repetitions; None for one repetition
    times: tuple[StageTime, ...] = Field(default=())


class SetComparison(Value):
    """`rows` stand in the order of the loss: the query that loses most against the first configuration first."""

    measure: str
    configurations: tuple[ConfigurationScore, ...]
    rows: tuple[SetRow, ...]
    without_relevant: int  # queries with no relevant item: they cannot be answered well or badly
    missing: int  # searches that have not been run yet


def report(spec: SetSpec, cells: Sequence[Cell], measure: str) -> SetComparison:
    """What is known so far. A query counts with the mean of its repetitions."""
    scored = [[_scores(spec, cells, place, repetition, measure) for repetition in range(spec.repetitions)]
              for place in range(len(spec.configurations))]  # fmt: skip
    problems = {(c.configuration, c.outcome.id): c.outcome.problem for c in cells if c.outcome.problem}
    texts = {cell.outcome.id: cell.outcome.query for cell in cells}
    counting = {cell.outcome.id for cell in cells if _relevant(cell.outcome)}
    places = range(len(spec.configurations))
    rows = [
        SetRow(
            id=id_,
            query=text,
            values=tuple(_mean([of[id_].values[measure] for of in scored[place] if id_ in of]) for place in places),
            problems=tuple(problems.get((place, id_)) or "" for place in places),
            judged=tuple(
                scored[place][0][id_].judged.get(measure) if id_ in scored[place][0] else None for place in places
            ),
        )
        for id_, text in texts.items()
        if id_ in counting
    ]
    return SetComparison(
        measure=measure,
        configurations=tuple(_configuration(spec, cells, rows, scored[place], place, measure) for place in places),
        rows=tuple(sorted(rows, key=_loss)),
        without_relevant=len(texts) - len(counting),
        missing=spec.searches - len(cells),
    )


def _relevant(outcome: Outcome) -> bool:
    return any(grade >= 1 for grade in outcome.grades.values())


def _scores(spec: SetSpec, cells: Sequence[Cell], place: int, repetition: int, measure: str) -> dict[str, QueryScores]:
    """By query id, of the queries that ran and count."""
    outcomes = [
        cell.outcome
        for cell in cells
        if cell.configuration == place and cell.repetition == repetition and cell.outcome.counts
    ]
    _, scores = score_queries({o.id: o.grades for o in outcomes}, {o.id: o.ranking for o in outcomes}, [measure])
    return scores


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _loss(row: SetRow) -> tuple[bool, float, str]:
    differences = [d for place in range(1, len(row.values)) if (d := row.difference(place)) is not None]
    return not differences, min(differences, default=0.0), row.id


def _configuration(
    spec: SetSpec,
    cells: Sequence[Cell],
    rows: Sequence[SetRow],
    repetitions: Sequence[dict[str, QueryScores]],
    place: int,
    measure: str,
) -> ConfigurationScore:
    values = [value for row in rows if (value := row.values[place]) is not None]
    judged = [share for row in rows if (share := row.judged[place]) is not None]
    both = [(row.values[place], row.values[0]) for row in rows if row.difference(place) is not None]
    mine, first = [float(one or 0) for one, _ in both], [float(other or 0) for _, other in both]
    differences = [one - other for one, other in zip(mine, first, strict=True)]
    compared = place > 0 and bool(both)
    means = [m for of in repetitions if (m := _mean([s.values[measure] for s in of.values()])) is not None]
    return ConfigurationScore(
        name=spec.configurations[place].name,
        changes=dict(spec.configurations[place].changes),
        queries=len(values),
        did_not_run=sum(bool(row.problems[place]) for row in rows),
        mean=_mean(values),
        interval=mean_interval(values) if values else None,
        judged=_mean(judged),
        wins=sum(difference > TIE for difference in differences) if compared else 0,
        ties=sum(abs(difference) <= TIE for difference in differences) if compared else 0,
        losses=sum(difference < -TIE for difference in differences) if compared else 0,
        difference=_mean(differences) if compared else None,
        difference_interval=difference_interval(mine, first) if compared else None,
        noise=(max(means) - min(means)) / 2 if spec.repetitions > 1 and len(means) > 1 else None,
        times=_times([cell.outcome for cell in cells if cell.configuration == place and cell.outcome.ran]),
    )


def _times(outcomes: Sequence[Outcome]) -> tuple[StageTime, ...]:
    """The whole search first, then its stages in their order."""
    columns = {"whole search": [outcome.duration_ms for outcome in outcomes]}
    for outcome in outcomes:
        for stage, duration_ms in outcome.stage_ms.items():
            columns.setdefault(stage, []).append(duration_ms)
    return tuple(
        StageTime(stage=stage, median_ms=float(np.percentile(ms, 50)), p95_ms=float(np.percentile(ms, 95)))
        for stage, ms in columns.items()
        if ms
    )
