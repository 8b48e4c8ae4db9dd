"""Where relevant items get lost: for each one that was not returned, the stage and the reason, read from the trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from pydantic import Field

from core_search.engine import OpenMemory, SearchEngine
from core_search.errors import SearchFailed
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.outcomes import pool_of
from core_search.evaluation.qrels import RELEVANT, relevant
from core_search.evaluation.variants import FULL, request_of, search
from core_search.fate.episode_paths import handler_checks
from core_search.fate.ledger import way_of
from core_search.fate.lost_at import LostAt, lost_at
from core_search.fate.scene import scene_of
from core_search.ingest.values import Query
from core_search.models import ItemKind, Value
from core_search.results import SearchRequest, SearchResult
from core_search.stores.base import Progress
from core_search.trace import STAGES, DropCode, Stage

# Reasons that no drop code stands for.
NOT_STORED = "not_stored"  # the memory has no episode of that id
NEVER_CANDIDATE = "never_candidate"  # no condition speaks against it: the vector search is approximate
DID_NOT_RUN = "did_not_run"

# How far a relevant item can come, in the order of the pipeline.
LEVELS = ("relevant", "in_memory", "reachable", "candidates", "merged", "ranked", "returned")
# The last level that an item reached which this stage lost.
_REACHED: Mapping[str, str] = MappingProxyType(
    {
        "route": "in_memory",
        "gate": "in_memory",
        "handle": "reachable",
        "merge": "candidates",
        "backstop": "candidates",
        "rerank": "merged",
        "compact": "ranked",
        "budget": "ranked",
    }
)
# The V1 fallback is one stage that ranks and cuts itself.
_REACHED_IN_FALLBACK: Mapping[str, str] = MappingProxyType(
    {
        DropCode.BELOW_RELEVANCE.value: "merged",
        DropCode.RERANK_CUT.value: "merged",
        DropCode.OVER_BUDGET.value: "ranked",
    }
)


class Loss(Value):
    """One relevant item that was not returned. `scores` are those of the entry that dropped it.

    `stage` is the one to mend (`fate.lost_at`): `route` for what its labels, time or end users shut out.
    """

    item: str
    grade: int
    stage: str
    code: str
    rank: int | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    text: str = ""  # of an item that no path came upon: the condition that does not hold

    @property
    def reached(self) -> str:
        """The last of the levels that it came to."""
        if self.code == NOT_STORED:
            return LEVELS[0]
        if self.stage == "fallback":
            return _REACHED_IN_FALLBACK.get(self.code, "reachable")
        return _REACHED[self.stage]


class QueryLosses(Value):
    workspace: str
    id: str
    query: str
    routed_type: str | None
    relevant: int
    returned: tuple[str, ...]
    lost: tuple[Loss, ...]
    reached: dict[str, int]  # how many relevant items came to each level
    rescued: tuple[str, ...] = ()  # reached the reranker, though no path of the handler had kept them


class LossCount(Value):
    stage: str
    code: str
    count: int
    share: float  # of all relevant items


class Losses(Value):
    """`table` counts by stage and code, in the order of the pipeline. `waterfall` has the items left at each level."""

    queries: int
    relevant: int
    returned: int
    lost: int
    table: tuple[LossCount, ...]
    waterfall: dict[str, int]
    per_query: tuple[QueryLosses, ...]


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
    return loss_table(rows)


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
        return _row(workspace, query, None, wanted, lost)
    returned = {episode.uuid for episode in result.episodes}
    missing = [item for item in wanted if item not in returned]
    request = request_of(workspace, query, FULL, changes)
    with engine.memory(workspace) as memory:
        places = _places(engine, memory, request, result, missing)
    lost = [_loss(item, grades[item], places.get(item)) for item in missing]
    handled, pool = _kept(result.trace.stage("handle")), pool_of(result)
    rescued = tuple(item for item in wanted if item in pool and item not in handled)
    return _row(workspace, query, result, wanted, lost, rescued)


def _places(
    engine: SearchEngine, memory: OpenMemory, request: SearchRequest, result: SearchResult, missing: Sequence[str]
) -> dict[str, LostAt]:
    """Where each stored episode was lost."""
    stored = memory.stores.graph.episodes(missing)
    scene = scene_of(engine, memory, request, result) if result.gate.open else None
    found = {}
    for item, episode in stored.items():
        checks = partial(handler_checks, scene, episode) if scene else list
        found[item] = lost_at(result, way_of(result.trace, (ItemKind.EPISODE, item)), checks)
    return found


def _loss(item: str, grade: int, place: LostAt | None) -> Loss:
    if place is None:
        return Loss(item=item, grade=grade, stage="route", code=NOT_STORED)
    entry = place.entry
    return Loss(
        item=item,
        grade=grade,
        stage=place.decided_by,
        code=place.code or NEVER_CANDIDATE,
        rank=entry.rank_in if entry else None,
        scores=entry.scores if entry else {},
        text=place.check.text if place.check else "",
    )


def _kept(stage: Stage) -> set[str]:
    return {entry.id for entry in stage.kept() if entry.kind is ItemKind.EPISODE}


def _row(
    workspace: str,
    query: Query,
    result: SearchResult | None,
    wanted: Sequence[str],
    lost: Sequence[Loss],
    rescued: tuple[str, ...] = (),
) -> QueryLosses:
    missing = {loss.item: LEVELS.index(loss.reached) for loss in lost}
    came_to = [missing.get(item, len(LEVELS) - 1) for item in wanted]
    return QueryLosses(
        workspace=workspace,
        id=query.id,
        query=query.query,
        routed_type=result.router.query_type.value if result else None,
        relevant=len(wanted),
        returned=tuple(item for item in wanted if item not in missing),
        lost=tuple(lost),
        reached={name: sum(level >= place for level in came_to) for place, name in enumerate(LEVELS)},
        rescued=rescued,
    )


def loss_table(rows: Sequence[QueryLosses]) -> Losses:
    """The losses of some queries, counted by stage and code."""
    total = sum(row.relevant for row in rows)
    counts = Counter((loss.stage, loss.code) for row in rows for loss in row.lost)
    ordered = sorted(counts.items(), key=lambda item: (STAGES.index(item[0][0]), -item[1], item[0][1]))
    return Losses(
        queries=len(rows),
        relevant=total,
        returned=sum(len(row.returned) for row in rows),
        lost=sum(len(row.lost) for row in rows),
        table=tuple(LossCount(stage=s, code=c, count=n, share=n / total) for (s, c), n in ordered),
        waterfall={name: sum(row.reached[name] for row in rows) for name in LEVELS},
        per_query=tuple(rows),
    )
