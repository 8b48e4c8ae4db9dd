"""What a stage of the pipeline works with: one memory, the providers, and the question of this search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from core_search.deadline import Deadline
from core_search.entities import EntityNames, HintResolver
from core_search.models import ItemKind, Label, QueryType, RouterOutput, TimeRange
from core_search.options import SearchOptions
from core_search.stores.base import GraphStore, LexicalStore, Scope, VectorStore
from core_search.stores.catalog import Catalog
from core_search.trace import DropCode, Entry, Fate

if TYPE_CHECKING:
    from core_search.providers.build import Providers


@dataclass(frozen=True)
class MemoryStores:
    """One workspace's memory, opened for reading."""

    name: str
    graph: GraphStore
    vectors: VectorStore
    lexical: LexicalStore
    catalog: Catalog
    names: EntityNames
    labels: tuple[Label, ...]
    zone: ZoneInfo
    version: str = "V3"
    owner: str | None = None


@dataclass(frozen=True)
class Context:
    """Everything that is fixed for one search before the first stage."""

    query: str
    query_text: str  # the query without its date words: what is embedded and searched for
    vector: NDArray[np.float32]  # unit vector of `query_text`
    named: tuple[tuple[str, ...], ...]  # the entities that each name in the query may mean
    now: datetime
    options: SearchOptions
    stores: MemoryStores
    providers: Providers
    deadline: Deadline

    @property
    def resolver(self) -> HintResolver:
        stores = self.stores
        return HintResolver(stores.names, stores.vectors, self.providers.embedder, stores.owner)


@dataclass(frozen=True)
class Routed:
    """The route as the handlers need it: what was understood, and the scope that follows from it."""

    output: RouterOutput
    label_ids: tuple[str, ...]
    time: TimeRange
    at: datetime
    end_user_ids: tuple[str, ...] = ()

    @property
    def query_type(self) -> QueryType:
        return self.output.query_type

    @property
    def scope(self) -> Scope:
        return Scope(at=self.at, time=self.time, label_ids=self.label_ids, end_user_ids=self.end_user_ids)

    @property
    def has_topic(self) -> bool:
        """Whether anything but time says what is asked for (SPEC 2, stage 3.3)."""
        return bool(self.output.entity_hints or self.output.aspects or self.label_ids)


@dataclass(frozen=True, slots=True)
class Row:
    """What a path found: an item on its way through the stages, or one that was dropped, with the code.

    `beside` marks answers that are not ranked: entities, facets, voice statements.
    """

    id: str
    kind: ItemKind
    scores: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    code: DropCode | None = None
    beside: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[ItemKind, str]:
        return self.kind, self.id

    def entry(self, rank_in: int | None = None, rank_out: int | None = None) -> Entry:
        """Its line in the ledger."""
        detail = {**self.detail, "beside": True} if self.beside else dict(self.detail)
        return Entry(
            id=self.id,
            kind=self.kind,
            fate=Fate.DROPPED if self.code else Fate.KEPT,
            code=self.code,
            rank_in=rank_in,
            rank_out=None if self.code else rank_out,
            scores=dict(self.scores),
            sources=self.sources,
            detail=detail,
        )
