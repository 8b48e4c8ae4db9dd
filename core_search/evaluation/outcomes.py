"""What became of one judged query: its ranking, the pool that was ranked, or why it did not run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import Field

from core_search.engine import SearchEngine
from core_search.errors import SearchFailed
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.qrels import relevant
from core_search.evaluation.variants import FULL, RANKED, Variant, episodes_of, search
from core_search.ingest.values import Query
from core_search.models import ItemKind, Value
from core_search.results import SearchResult
from core_search.stores.base import Progress
from core_search.trace import Status

DEPTH = 20


class Outcome(Value):
    """One query's run. `grades` are its judgments; a query that did not run has a `problem` and no ranking."""

    workspace: str
    id: str
    query: str
    tags: tuple[str, ...] = ()
    expected_type: str | None = None
    routed_type: str | None = None
    grades: dict[str, int]
    ranking: tuple[str, ...] = ()
    pool_size: int = 0
    pool_recall: float | None = None  # of the relevant items, the share that reached the reranker
    gate_open: bool | None = None
    degraded: tuple[str, ...] = ()
    duration_ms: float = 0.0
    stage_ms: dict[str, float] = Field(default_factory=dict)  # of the stages that ran
    problem: str | None = None

    @property
    def key(self) -> str:
        """Distinct over several workspaces."""
        return f"{self.workspace}\t{self.id}"

    @property
    def ran(self) -> bool:
        return self.problem is None

    @property
    def counts(self) -> bool:
        """Whether it has a value: it ran, and something in its judgments is relevant."""
        return self.ran and bool(relevant(self.grades))


def run_sets(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    variant: Variant = FULL,
    changes: Mapping[str, Any] | None = None,
    depth: int = DEPTH,
    progress: Progress | None = None,
    stop: Callable[[], bool] = lambda: False,
    done: Sequence[Outcome] = (),
) -> list[Outcome]:
    """Run every judged query to `depth` episodes. `done` are outcomes of an earlier, stopped call: not run again."""
    known = {outcome.key: outcome for outcome in done}
    todo = [(judged.workspace, query, grades) for judged in sets for query, grades in judged.judged()]
    outcomes = []
    for position, (workspace, query, grades) in enumerate(todo, 1):
        if stop():
            break
        before = known.get(f"{workspace}\t{query.id}")
        outcomes.append(before or run_query(engine, workspace, query, grades, variant, changes, depth))
        if progress:
            progress(variant.name, position, len(todo))
    return outcomes


def run_query(
    engine: SearchEngine,
    workspace: str,
    query: Query,
    grades: Mapping[str, int],
    variant: Variant = FULL,
    changes: Mapping[str, Any] | None = None,
    depth: int = DEPTH,
) -> Outcome:
    """Run one query as a ranked run; what `changes` say goes before that."""
    outcome = Outcome(
        workspace=workspace,
        id=query.id,
        query=query.query,
        tags=query.tags,
        expected_type=query.type,
        grades=dict(grades),
    )
    try:
        result = search(engine, workspace, query, variant, {**RANKED, **(changes or {})})
    except SearchFailed as failed:
        return outcome.model_copy(update={"problem": str(failed)})
    pool, wanted = pool_of(result), relevant(grades)
    return outcome.model_copy(
        update={
            "routed_type": result.router.query_type.value,
            "ranking": episodes_of(result, depth),
            "pool_size": len(pool),
            "pool_recall": len(wanted & pool) / len(wanted) if wanted else None,
            "gate_open": result.gate.open,
            "degraded": result.degraded,
            "duration_ms": result.trace.duration_ms,
            "stage_ms": {s.name: s.duration_ms for s in result.trace.stages if s.status is not Status.SKIPPED},
        }
    )


def pool_of(result: SearchResult) -> set[str]:
    """The episodes that reached the reranker, of V2 or else of the V1 fallback."""
    for name in ("rerank", "fallback"):
        ledger = result.trace.stage(name).ledger
        if ledger:
            return {entry.id for entry in ledger if entry.kind is ItemKind.EPISODE}
    return set()
