"""Where relevant items get lost: for each one that was not returned, the stage and the reason, read from the trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from core_search.context import Routed
from core_search.engine import OpenMemory, SearchEngine
from core_search.errors import SearchFailed
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.outcomes import pool_of
from core_search.evaluation.qrels import RELEVANT, relevant
from core_search.evaluation.variants import FULL, request_of, search
from core_search.ingest.values import Query
from core_search.models import Episode, ItemKind, QueryType, Value
from core_search.results import SearchRequest, SearchResult
from core_search.router.route import scoped, search_time
from core_search.stores.base import Progress
from core_search.trace import STAGES, DropCode, Fate, Stage

# Reasons that no drop code stands for: the item never came up.
NOT_STORED = "not_stored"  # the memory has no episode of that id
NEVER_CANDIDATE = "never_candidate"  # in the scope of the search, but no path came upon it
OUTSIDE_LABELS, OUTSIDE_TIME = "outside_labels", "outside_time"  # the route's scope shut it out
NO_EPISODES = "no_episodes"  # a query for counts returns none
DID_NOT_RUN = "did_not_run"


class Loss(Value):
    """One relevant item that was not returned. `scores` are those of the entry that dropped it."""

    item: str
    grade: int
    stage: str
    code: str
    rank: int | None = None
    scores: dict[str, float] = Field(default_factory=dict)


class QueryLosses(Value):
    workspace: str
    id: str
    query: str
    routed_type: str | None
    relevant: int
    returned: tuple[str, ...]
    lost: tuple[Loss, ...]
    reached: dict[str, int]  # relevant items that are left after each step of the waterfall
    rescued: tuple[str, ...] = ()  # reached the reranker, though no path of the handler had kept them


class LossCount(Value):
    stage: str
    code: str
    count: int
    share: float  # of all relevant items


class Losses(Value):
    """`table` counts by stage and code, in the order of the pipeline. `waterfall` are the relevant items left."""

    queries: int
    relevant: int
    returned: int
    lost: int
    table: tuple[LossCount, ...]
    waterfall: dict[str, int]
    per_query: tuple[QueryLosses, ...]


WATERFALL = ("relevant", "stored", "in_scope", "candidates", "pool", "ranked", "returned")


def losses(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    changes: Mapping[str, Any] | None = None,
    minimum: int = RELEVANT,
    progress: Progress | None = None,
) -> Losses:
    """Search every judged query as a user would (floors, limit and budget act) and find what was lost where."""
    todo = [(judged.workspace, query, grades) for judged in sets for query, grades in judged.judged()]
    rows = []
    for position, (workspace, query, grades) in enumerate(todo, 1):
        if relevant(grades, minimum):
            rows.append(losses_of_query(engine, workspace, query, grades, changes, minimum))
        if progress:
            progress("losses", position, len(todo))
    return _summary(rows)


def losses_of_query(
    engine: SearchEngine,
    workspace: str,
    query: Query,
    grades: Mapping[str, int],
    changes: Mapping[str, Any] | None = None,
    minimum: int = RELEVANT,
) -> QueryLosses:
    """What one query lost. A search that fails lost everything, as `did_not_run`."""
    wanted = sorted(relevant(grades, minimum), key=lambda item: (-grades[item], item))
    try:
        result = search(engine, workspace, query, FULL, changes)
    except SearchFailed as failed:
        stage = next((s.name for s in failed.trace.stages if s.status.value == "failed"), STAGES[0])
        lost = [Loss(item=item, grade=grades[item], stage=stage, code=DID_NOT_RUN) for item in wanted]
        return _row(workspace, query, None, wanted, lost, {"relevant": len(wanted)})
    with engine.memory(workspace) as memory:
        stored = memory.stores.graph.episodes(wanted)
        routed = _scope(engine, memory, request_of(workspace, query, FULL, changes), result)
        shut_out = {item: _shut_out(routed, stored[item]) for item in wanted if item in stored}
    returned = {episode.uuid for episode in result.episodes}
    lost = []
    for item in wanted:
        if item not in returned:
            where = loss_of(result, item, stored.get(item), shut_out.get(item))
            lost.append(where.model_copy(update={"grade": grades[item]}))
    candidates, pool = _kept(result.trace.stage("handle")) | pool_of(result), pool_of(result)
    ranked = _kept(result.trace.stage("rerank")) | _kept(result.trace.stage("fallback"))
    reached = {
        "relevant": len(wanted),
        "stored": len(stored),
        "in_scope": sum(shut_out[item] is None or item in candidates for item in stored),
        "candidates": sum(item in candidates for item in wanted),
        "pool": sum(item in pool for item in wanted),
        "ranked": sum(item in ranked or item in returned for item in wanted),
        "returned": sum(item in returned for item in wanted),
    }
    row = _row(workspace, query, result, wanted, lost, reached)
    handled = _kept(result.trace.stage("handle"))
    return row.model_copy(update={"rescued": tuple(item for item in wanted if item in pool and item not in handled)})


def loss_of(result: SearchResult, item: str, stored: Episode | None, shut_out: str | None) -> Loss:
    """The stage and reason of an episode that was not returned: the last stage that saw it has dropped it."""
    for stage in reversed(result.trace.stages):
        entries = [entry for entry in stage.ledger if entry.kind is ItemKind.EPISODE and entry.id == item]
        dropped = [e for e in entries if e.fate is Fate.DROPPED and e.code is not DropCode.DUPLICATE]
        if dropped:
            entry = dropped[0]
            # The handler only keeps to the time that the route gave it, and shows the nearest of what that shut out.
            name = "route" if entry.code is DropCode.OUTSIDE_TIME else stage.name
            return Loss(item=item, grade=0, stage=name, code=str(entry.code), rank=entry.rank_in, scores=entry.scores)
    stage_name, code = "handle", NEVER_CANDIDATE
    if stored is None:
        stage_name, code = "route", NOT_STORED
    elif not result.gate.open:
        stage_name, code = "gate", DropCode.GATE_CLOSED.value
    elif result.router.query_type is QueryType.TEMPORAL_FACETS:
        code = NO_EPISODES
    elif shut_out:
        stage_name, code = "route", shut_out
    return Loss(item=item, grade=0, stage=stage_name, code=code)


def _scope(engine: SearchEngine, memory: OpenMemory, request: SearchRequest, result: SearchResult) -> Routed:
    """The labels and the time that this search was held to."""
    context = engine.context(memory, request)
    return search_time(context, scoped(context, result.router))[0]


def _shut_out(routed: Routed, episode: Episode) -> str | None:
    """Which part of the scope the episode lies outside of; the backstop ignores labels, but not time."""
    if episode.valid_at not in routed.time:
        return OUTSIDE_TIME
    labels = set(routed.label_ids)
    return OUTSIDE_LABELS if labels and labels.isdisjoint(episode.label_ids) else None


def _kept(stage: Stage) -> set[str]:
    return {entry.id for entry in stage.kept() if entry.kind is ItemKind.EPISODE}


def _row(
    workspace: str,
    query: Query,
    result: SearchResult | None,
    wanted: Sequence[str],
    lost: Sequence[Loss],
    reached: Mapping[str, int],
) -> QueryLosses:
    missing = {loss.item for loss in lost}
    return QueryLosses(
        workspace=workspace,
        id=query.id,
        query=query.query,
        routed_type=result.router.query_type.value if result else None,
        relevant=len(wanted),
        returned=tuple(item for item in wanted if item not in missing),
        lost=tuple(lost),
        reached={name: reached.get(name, 0) for name in WATERFALL},
    )


def _summary(rows: Sequence[QueryLosses]) -> Losses:
    total = sum(row.relevant for row in rows)
    counts = Counter((loss.stage, loss.code) for row in rows for loss in row.lost)
    ordered = sorted(counts.items(), key=lambda item: (STAGES.index(item[0][0]), -item[1], item[0][1]))
    return Losses(
        queries=len(rows),
        relevant=total,
        returned=sum(len(row.returned) for row in rows),
        lost=sum(len(row.lost) for row in rows),
        table=tuple(LossCount(stage=s, code=c, count=n, share=n / total) for (s, c), n in ordered),
        waterfall={name: sum(row.reached[name] for row in rows) for name in WATERFALL},
        per_query=tuple(rows),
    )
