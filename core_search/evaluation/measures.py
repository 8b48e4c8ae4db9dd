"""Measures of a run against judgments, by ir_measures: per query, in the mean, with what is not known beside it.

- A judged query without a line in the run counts 0. A query without a relevant item cannot be answered well or badly:
  it is left out of the means and listed.
- An item that nobody judged counts as not relevant, as everywhere. How much that assumes is shown: `judged` is the
  share of the items within the measure's cutoff that are judged, `ranges` the mean with the unjudged ones as not
  relevant, and with those within the cutoff as relevant with the best grade (never below the first).
- The ideal order of nDCG comes from all judged items, so that it stays in 0..1.
- Grades below 0 count as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import ir_measures

from core_search.errors import UsageError
from core_search.evaluation.bootstrap import mean_interval
from core_search.evaluation.qrels import Qrels, relevant
from core_search.evaluation.runs import Run
from core_search.models import Value

DEFAULT_MEASURES = ("nDCG@10", "R@10", "P@5", "RR", "AP", "Judged@10")
_DEEPEST = 1_000_000  # trec_eval ends the process at a cutoff of 0 or less, and at one past its integers


class QueryScores(Value):
    """One query's values by measure; `optimistic` with its unjudged items as relevant, `judged` the share judged."""

    values: dict[str, float]
    optimistic: dict[str, float]
    judged: dict[str, float | None]  # None when nothing was returned


class Summary(Value):
    """Means over queries by measure. All are empty when no query counts."""

    queries: int
    means: dict[str, float]
    intervals: dict[str, tuple[float, float]]  # bootstrap, 95 %
    ranges: dict[str, tuple[float, float]]  # pessimistic, optimistic
    judged: dict[str, float]  # over the queries with a result


class Scores(Value):
    """A run's measures: means as in `Summary`, then the values behind them by query."""

    measures: tuple[str, ...]
    queries: int  # that count in the means
    overall: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    ranges: dict[str, tuple[float, float]]
    judged: dict[str, float]
    per_query: dict[str, dict[str, float]]
    per_query_optimistic: dict[str, dict[str, float]]
    per_query_judged: dict[str, dict[str, float | None]]
    no_result: tuple[str, ...]  # judged, but without a line in the run: counted 0
    without_relevant: tuple[str, ...]  # no relevant item: left out of the means
    not_judged: tuple[str, ...]  # in the run, but without judgments: left out


def score(qrels: Qrels, run: Run, measures: Sequence[str] = DEFAULT_MEASURES) -> Scores:
    """Score a run. `UsageError` for a measure that ir_measures does not have or cannot compute here."""
    counted = {query: grades for query, grades in qrels.items() if relevant(grades)}
    names, per_query = score_queries(counted, run, measures)
    summary = summarise(per_query.values())
    return Scores(
        measures=names,
        queries=summary.queries,
        overall=summary.means,
        intervals=summary.intervals,
        ranges=summary.ranges,
        judged=summary.judged,
        per_query={query: row.values for query, row in per_query.items()},
        per_query_optimistic={query: row.optimistic for query, row in per_query.items()},
        per_query_judged={query: row.judged for query, row in per_query.items()},
        no_result=tuple(query for query in counted if not run.get(query)),
        without_relevant=tuple(query for query in qrels if query not in counted),
        not_judged=tuple(query for query in run if query not in qrels),
    )


def score_queries(qrels: Qrels, run: Run, measures: Sequence[str]) -> tuple[tuple[str, ...], dict[str, QueryScores]]:
    """The measures' own names and the values of every query of `qrels`, in its order."""
    parsed = {str(measure): measure for measure in map(_parse, measures)}
    best = max((grade for grades in qrels.values() for grade in grades.values()), default=1)
    values = _calculate(parsed, qrels, run)
    optimistic: dict[str, dict[str, float]] = {query: {} for query in qrels}
    judged: dict[str, dict[str, float | None]] = {query: {} for query in qrels}
    for name, measure in parsed.items():
        cutoff = _cutoff(measure)
        if measure.NAME == "Judged":
            continue
        filled = {query: {**dict.fromkeys(run.get(query, ())[:cutoff], best), **of} for query, of in qrels.items()}
        hopeful = _calculate({name: measure}, filled, run)
        for query, grades in qrels.items():
            optimistic[query][name] = max(values[query][name], hopeful[query][name])
            judged[query][name] = _share(run.get(query, ())[:cutoff], grades)
    per_query = {
        query: QueryScores(
            values={name: values[query][name] for name in parsed}, optimistic=optimistic[query], judged=judged[query]
        )
        for query in qrels
    }
    return tuple(parsed), per_query


def summarise(queries: Iterable[QueryScores]) -> Summary:
    """The means of some queries, each of which counts the same."""
    rows = list(queries)
    columns = {name: [row.values[name] for row in rows] for name in (rows[0].values if rows else ())}
    means = {name: sum(column) / len(column) for name, column in columns.items()}
    judged: dict[str, float] = {}
    for name in columns:
        known = [share for row in rows if (share := row.judged.get(name)) is not None]
        if known:
            judged[name] = sum(known) / len(known)
    return Summary(
        queries=len(rows),
        means=means,
        intervals={name: mean_interval(column) for name, column in columns.items()},
        ranges={
            name: (means[name], sum(row.optimistic[name] for row in rows) / len(rows))
            for name in columns
            if name in rows[0].optimistic
        },
        judged=judged,
    )


def _parse(text: str) -> ir_measures.Measure:
    try:
        measure = ir_measures.parse_measure(text)
        measure.validate_params()
        cutoff = _cutoff(measure)
        if cutoff is not None and not 1 <= cutoff <= _DEEPEST:
            raise ValueError(f"a cutoff lies in 1..{_DEEPEST:,}")
    except (NameError, ValueError, TypeError, KeyError, SyntaxError, AssertionError) as error:
        raise UsageError(
            f"{text!r} is no measure ({error}); write names of ir_measures with their cutoff, such as "
            f"{' '.join(DEFAULT_MEASURES)}"
        ) from None
    return measure


def _calculate(measures: Mapping[str, ir_measures.Measure], qrels: Qrels, run: Run) -> dict[str, dict[str, float]]:
    """Values by query and measure name. Scores are made from the order, so that all providers see the same one."""
    grades = {query: {item: max(grade, 0) for item, grade in of.items()} for query, of in qrels.items()}
    scores = {
        query: {item: float(len(items) - place) for place, item in enumerate(items)}
        for query in qrels
        if (items := run.get(query))
    }
    values: dict[str, dict[str, float]] = {query: {} for query in qrels}
    try:
        for metric in ir_measures.iter_calc(list(measures.values()), grades, scores) if qrels else ():
            values[metric.query_id][str(metric.measure)] = float(metric.value)
    except Exception as error:
        # Measures are computed by outside programs and raise what they like; some need one that is not installed.
        raise UsageError(
            f"ir_measures cannot compute {', '.join(map(repr, measures))} here ({type(error).__name__}: {error}); "
            "leave out the measure"
        ) from error
    return values


def _cutoff(measure: ir_measures.Measure) -> int | None:
    cutoff = measure.params.get("cutoff")
    return int(cutoff) if isinstance(cutoff, int) else None


def _share(items: Sequence[str], grades: Mapping[str, int]) -> float | None:
    return sum(item in grades for item in items) / len(items) if items else None
