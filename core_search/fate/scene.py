"""What the checks look at: the memory, the route, and what the search left in its trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core_search.context import Context, Routed
from core_search.engine import OpenMemory, SearchEngine
from core_search.models import Document, Entity, Episode, ItemKind, Label, Statement
from core_search.options import SearchOptions
from core_search.results import SearchRequest, SearchResult
from core_search.router.route import scoped, search_time
from core_search.stores.base import GraphStore

Stored = Episode | Document | Statement | Entity | Label


@dataclass(frozen=True)
class Resolved:
    """What one hint was resolved to, and the nearest entities that were not near enough, with their cosines."""

    hint: str
    entities: tuple[str, ...]
    near_misses: Mapping[str, float | None]


@dataclass(frozen=True)
class Scene:
    """One search as it was, beside the memory that it searched. `routed` has the range that the handler used."""

    context: Context
    routed: Routed
    result: SearchResult

    @property
    def options(self) -> SearchOptions:
        return self.context.options

    @property
    def graph(self) -> GraphStore:
        return self.context.stores.graph

    def step_detail(self, *names: str) -> Mapping[str, Any]:
        """What the first of the handler's steps of these names recorded."""
        handle = self.result.trace.stage("handle")
        steps = (handle.step(name) for name in names)
        return next((step.detail for step in steps if step is not None), {})

    def resolutions(self) -> tuple[Resolved, ...]:
        """How the search resolved its hints, as its trace has it."""
        recorded = self.step_detail("resolve_hints", "entity_hints").get("resolutions", ())
        return tuple(
            Resolved(
                hint=one["hint"],
                entities=tuple(match["entity"] for match in one["matches"]),
                near_misses={match["entity"]: match["cosine"] for match in one["nearMisses"]},
            )
            for one in recorded
        )

    def label_names(self, ids: tuple[str, ...]) -> str:
        names = {label.id: label.name for label in self.context.stores.labels}
        return ", ".join(names.get(id_, id_) for id_ in ids) or "none"


def scene_of(engine: SearchEngine, memory: OpenMemory, request: SearchRequest, result: SearchResult) -> Scene:
    """The scene of a search that was not stopped at the gate."""
    asked = request.model_copy(update={"query": result.query, "now": result.now})
    context = replace(engine.context(memory, asked), options=result.options)
    routed, _ = search_time(context, scoped(context, result.router))
    return Scene(context, routed, result)


def stored_items(memory: OpenMemory, id_: str, kind: ItemKind | None) -> dict[ItemKind, Stored]:
    """The stored items of that id, by kind. Raises `StoreError` when the memory cannot be asked."""
    graph = memory.stores.graph
    readers: Mapping[ItemKind, Callable[[Sequence[str]], Mapping[str, Stored]]] = {
        ItemKind.EPISODE: graph.episodes,
        ItemKind.DOCUMENT: graph.documents,
        ItemKind.STATEMENT: graph.statements,
        ItemKind.ENTITY: graph.entities,
        ItemKind.LABEL: lambda ids: {label.id: label for label in memory.stores.labels if label.id in ids},
    }
    wanted = [kind] if kind else list(ItemKind)
    found = {one: readers[one]([id_]).get(id_) for one in wanted}
    return {one: item for one, item in found.items() if item is not None}
