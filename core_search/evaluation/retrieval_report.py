"""The retrieval report: measures over judged queries, by tag and query type, beside BM25 alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core_search.engine import SearchEngine
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.measures import QueryScores, Summary, score_queries, summarise
from core_search.evaluation.outcomes import DEPTH, Outcome, run_sets
from core_search.evaluation.qrels import relevant
from core_search.evaluation.runs import Run
from core_search.evaluation.variants import FULL, Variant, bm25_alone
from core_search.models import Value
from core_search.stores.base import Progress

MEASURES = ("R@5", "R@10", "R@20", "RR", "nDCG@10", "Judged@10")
POOL = "R@pool"  # recall of what reached the reranker: the ceiling of every recall behind it
GROUPINGS = ("tag", "type", "routed")  # the set's tags, the type that the set expects, the type that the router chose


class Breakdown(Value):
    """One ranking over all queries, then by grouping and group. Every query counts the same."""

    overall: Summary
    groups: dict[str, dict[str, Summary]]


class NotRun(Value):
    workspace: str
    id: str
    problem: str


class Evaluation(Value):
    """A variant of the pipeline over judged queries. A query that did not run is listed, never counted as zero."""

    name: str
    says: str
    depth: int
    changes: dict[str, Any]
    workspaces: dict[str, str]  # fingerprint of the data by workspace
    providers: dict[str, str]
    measures: tuple[str, ...]
    queries: int  # judged queries, whether they count or not
    search: Breakdown
    bm25: Breakdown | None
    did_not_run: tuple[NotRun, ...]
    without_relevant: tuple[str, ...]
    gate_closed: int
    degraded: int
    median_ms: float
    p95_ms: float
    outcomes: tuple[Outcome, ...]
    per_query: dict[str, dict[str, float]]


def evaluate(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    changes: Mapping[str, Any] | None = None,
    *,
    variant: Variant = FULL,
    depth: int = DEPTH,
    by: Sequence[str] = GROUPINGS,
    baseline: bool = True,
    progress: Progress | None = None,
) -> Evaluation:
    """Run the judged queries of all `sets` and report. See `run_sets` and `report` for a run that can be stopped."""
    outcomes = run_sets(engine, sets, variant, changes, depth, progress)
    return report(engine, sets, outcomes, changes, variant=variant, depth=depth, by=by, baseline=baseline)


def report(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    outcomes: Sequence[Outcome],
    changes: Mapping[str, Any] | None = None,
    *,
    variant: Variant = FULL,
    depth: int = DEPTH,
    by: Sequence[str] = GROUPINGS,
    baseline: bool = True,
) -> Evaluation:
    """The report of queries that were run."""
    counting = [outcome for outcome in outcomes if outcome.counts]
    per_query = _scores(counting, {outcome.key: outcome.ranking for outcome in counting}, pool=True)
    times = [outcome.duration_ms for outcome in outcomes if outcome.ran] or [0.0]
    providers = engine.providers
    return Evaluation(
        name=variant.name,
        says=variant.says,
        depth=depth,
        changes={**(changes or {}), **variant.changes},
        workspaces={judged.workspace: _fingerprint(engine, judged.workspace) for judged in sets},
        providers={choice.part: f"{choice.chosen} ({choice.model})" for choice in providers.choices},
        measures=(*MEASURES, POOL),
        queries=len(outcomes),
        search=breakdown(counting, per_query, by),
        bm25=breakdown(counting, _bm25(engine, sets, counting, depth), by) if baseline else None,
        did_not_run=tuple(NotRun(workspace=o.workspace, id=o.id, problem=o.problem) for o in outcomes if o.problem),
        without_relevant=tuple(outcome.id for outcome in outcomes if not relevant(outcome.grades)),
        gate_closed=sum(outcome.gate_open is False for outcome in outcomes),
        degraded=sum(bool(outcome.degraded) for outcome in outcomes),
        median_ms=float(np.percentile(times, 50)),
        p95_ms=float(np.percentile(times, 95)),
        outcomes=tuple(outcomes),
        per_query={outcome.key: per_query[outcome.key].values for outcome in counting},
    )


def breakdown(outcomes: Sequence[Outcome], scores: Mapping[str, QueryScores], by: Sequence[str]) -> Breakdown:
    """Summaries over all outcomes and over those of each group, groups in the order of their names."""
    groups: dict[str, dict[str, Summary]] = {}
    for grouping in by:
        members: dict[str, list[QueryScores]] = {}
        for outcome in outcomes:
            for group in groups_of(outcome, grouping):
                members.setdefault(group, []).append(scores[outcome.key])
        groups[grouping] = {group: summarise(rows) for group, rows in sorted(members.items())}
    return Breakdown(overall=summarise(scores[outcome.key] for outcome in outcomes), groups=groups)


def groups_of(outcome: Outcome, grouping: str) -> tuple[str, ...]:
    """The groups of one query: a tag each, or its type when it has one."""
    if grouping == "tag":
        return outcome.tags
    group = outcome.expected_type if grouping == "type" else outcome.routed_type
    return (group,) if group else ()


def _scores(outcomes: Sequence[Outcome], run: Run, pool: bool) -> dict[str, QueryScores]:
    _, scores = score_queries({outcome.key: outcome.grades for outcome in outcomes}, run, MEASURES)
    if not pool:
        return scores
    return {
        outcome.key: scores[outcome.key].model_copy(
            update={"values": {**scores[outcome.key].values, POOL: outcome.pool_recall or 0.0}}
        )
        for outcome in outcomes
    }


def _bm25(
    engine: SearchEngine, sets: Sequence[JudgedSet], outcomes: Sequence[Outcome], depth: int
) -> dict[str, QueryScores]:
    """BM25 alone on the queries that count, so that both rankings are measured on the same ones."""
    run = {
        f"{judged.workspace}\t{query_id}": ranking
        for judged in sets
        for query_id, ranking in bm25_alone(engine, judged.workspace, judged.queries, depth).items()
    }
    return _scores(outcomes, run, pool=False)


def _fingerprint(engine: SearchEngine, workspace: str) -> str:
    with engine.memory(workspace) as memory:
        return memory.meta.fingerprint
