"""Drawing the pool of a review: what configurations return for the queries of a set.

The pool of a query is the union of the first `depth` items that each configuration returns, statements counted beside
episodes and documents, as they are ranked. On request the items that came far and were dropped late join them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pydantic import AwareDatetime, Field

from core_search.engine import SearchEngine
from core_search.errors import SearchFailed
from core_search.ingest.values import Query
from core_search.judgments.values import ItemKey
from core_search.models import ItemKind, Value
from core_search.results import SearchRequest, SearchResult
from core_search.stores.base import Progress
from core_search.trace import Entry, Fate

LATE_STAGES = ("rerank", "compact", "budget", "fallback")  # whoever is dropped here was ranked before
MAX_DEPTH = 100


class Configuration(Value):
    """A name and the settings that differ from the defaults."""

    name: str
    changes: dict[str, Any] = Field(default_factory=dict)


class PoolSpec(Value):
    """What a pool is made of."""

    configurations: tuple[Configuration, ...]
    depth: int = Field(default=10, ge=1, le=MAX_DEPTH)
    late: bool = False


class Place(Value):
    """Where one configuration had an item: its rank, or the stage and the code that dropped it."""

    configuration: str
    rank: int | None = None
    stage: str | None = None
    code: str | None = None
    score: float | None = None
    score_name: str | None = None


class PoolItem(Value):
    query_id: str
    kind: ItemKind
    item_id: str
    places: tuple[Place, ...]

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.query_id, self.kind, self.item_id)


class Pool(Value):
    """A kept pool, its items in the order in which they were found. `problems`: searches that failed."""

    id: str
    set_id: str
    spec: PoolSpec
    fingerprint: str
    problems: tuple[str, ...]
    created_at: AwareDatetime
    items: tuple[PoolItem, ...] = ()


def draw(
    engine: SearchEngine,
    workspace: str,
    queries: Sequence[Query],
    spec: PoolSpec,
    progress: Progress | None = None,
) -> tuple[list[PoolItem], list[str]]:
    """Run every query under every configuration: the items of the pool, and a sentence for each failed search."""
    items: list[PoolItem] = []
    problems: list[str] = []
    done, total = 0, len(queries) * len(spec.configurations)
    for query in queries:
        places: dict[tuple[ItemKind, str], list[Place]] = {}
        for configuration in spec.configurations:
            request = SearchRequest(query=query.query, workspace=workspace, now=query.now, set=configuration.changes)
            try:
                result = engine.search(request)
            except SearchFailed as error:
                problems.append(f"{query.id}, {configuration.name}: {error}")
            else:
                for (kind, item_id), place in places_of(result, configuration.name, spec).items():
                    places.setdefault((kind, item_id), []).append(place)
            done += 1
            if progress:
                progress("searches", done, total)
        items += [
            PoolItem(query_id=query.id, kind=kind, item_id=item_id, places=tuple(found))
            for (kind, item_id), found in places.items()
        ]
    return items, problems


def places_of(result: SearchResult, name: str, spec: PoolSpec) -> dict[tuple[ItemKind, str], Place]:
    """What one search gives to the pool, by kind and id."""
    found: dict[tuple[ItemKind, str], Place] = {}
    ranked = [(ItemKind(item.kind), item.uuid, item.score, item.score_name) for item in result.episodes]
    facts = [(ItemKind.STATEMENT, item.uuid, item.score, item.score_name) for item in result.statements]
    for group in (ranked, facts):
        for rank, (kind, item_id, score, score_name) in enumerate(group[: spec.depth], 1):
            found[kind, item_id] = Place(configuration=name, rank=rank, score=score, score_name=score_name)
    if spec.late:
        returned = {(kind, item_id) for kind, item_id, _, _ in (*ranked, *facts)}
        late = [pair for pair in _dropped_late(result) if (pair[1].kind, pair[1].id) not in returned]
        for stage, entry in late[: spec.depth]:
            score_name = next(iter(entry.scores), None)
            score = entry.scores[score_name] if score_name else None
            found[entry.kind, entry.id] = Place(
                configuration=name,
                stage=stage,
                code=str(entry.code),
                score=score,
                score_name=score_name,
            )
    return found


def shuffled(items: Sequence[PoolItem], queries: Sequence[Query], seed: int) -> list[PoolItem]:
    """Query by query in the order of the set, the items of each in an order that only the seed decides."""
    by_query: dict[str, list[PoolItem]] = {}
    for item in items:
        by_query.setdefault(item.query_id, []).append(item)
    order: list[PoolItem] = []
    for query in queries:
        of_query = sorted(by_query.get(query.id, ()), key=lambda item: item.key)
        random.Random(f"{seed} {query.id}").shuffle(of_query)
        order += of_query
    return order


def _dropped_late(result: SearchResult) -> list[tuple[str, Entry]]:
    """What a late stage dropped, the latest stage first, in each the best first."""
    return [
        (stage.name, entry)
        for stage in reversed([result.trace.stage(name) for name in LATE_STAGES])
        for entry in stage.ledger
        if entry.fate is Fate.DROPPED and entry.kind in (ItemKind.EPISODE, ItemKind.DOCUMENT, ItemKind.STATEMENT)
    ]
