"""What the pipeline asks of its stores. Contract tests hold every implementation to this text.

Three stores, one of each per workspace:
- `GraphStore`    episodes, entities, statements, labels, documents and their edges; the truth
- `VectorStore`   unit vectors by namespace; made from the graph, can be rebuilt
- `LexicalStore`  BM25 over texts by field; made from the graph, can be rebuilt
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core_search.models import (
    Aspect,
    Document,
    Entity,
    Episode,
    Label,
    Memory,
    Namespace,
    Statement,
    TimeRange,
)

Vectors = NDArray[np.float32]  # shape (n, dimension), rows of unit length
Progress = Callable[[str, int, int], None]  # what is being written, rows done, rows in all


@dataclass(frozen=True, slots=True)
class Scope:
    """What every path must honour. Empty tuples do not restrict; `at` decides which statements are current."""

    at: datetime
    time: TimeRange = field(default_factory=TimeRange)
    label_ids: tuple[str, ...] = ()
    end_user_ids: tuple[str, ...] = ()

    def admits(self, valid_at: datetime, end_user_id: str) -> bool:
        """Time and end user alone: the part of the scope that every item of text carries itself."""
        return valid_at in self.time and (not self.end_user_ids or end_user_id in self.end_user_ids)


@dataclass(frozen=True, slots=True)
class Cypher:
    """A statement as it was sent, for the trace."""

    text: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hit:
    """One found id, with its instant and the statement that made it a hit where there is one."""

    id: str
    valid_at: datetime
    statement: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of one graph query in their order, with the statements that were sent."""

    hits: tuple[Hit, ...]
    queries: tuple[Cypher, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A statement that connects two entities; directed from its subject to its object."""

    subject: str
    object: str
    statement: str


@dataclass(frozen=True, slots=True)
class FacetRows:
    """What a facet query counts: topics and episodes by the store, the statements still to be counted."""

    topics: tuple[tuple[str, int], ...]  # label id, episodes; in any order
    episodes: int
    statements: tuple[str, ...]  # uuids of the current ones, in any order
    queries: tuple[Cypher, ...]


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """True counts over a scope, each largest first, ties by id; never cut."""

    topics: tuple[tuple[str, int], ...]  # label id, episodes
    entities: tuple[tuple[str, int], ...]  # entity uuid, mentions by current statements
    aspects: tuple[tuple[Aspect, int, tuple[str, ...]], ...]  # aspect, statements, a few newest statement uuids
    episodes: int
    statements: int
    queries: tuple[Cypher, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """Some ids of a long list, in its order, and the length of the whole list."""

    ids: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session by its episodes and its document; either may be missing, then the instants or the document are None."""

    id: str
    episodes: int
    first: datetime | None
    last: datetime | None
    document: str | None = None
    title: str = ""


class GraphStore(Protocol):
    """The truth. Every read is safe from several threads; a search never writes.

    "Current" means `is_current(invalid_at, scope.at)`. Time ranges are half open. Sequences of ids may be
    empty: then the answer is empty. Unknown ids are left out. Engine errors arrive as `StoreError`.
    """

    def write(self, memory: Memory, progress: Progress | None = None) -> None:
        """Fill an empty store in one transaction: all of it or nothing."""

    def close(self) -> None: ...

    def counts(self) -> dict[str, int]:
        """Rows by table: `episodes, entities, statements, labels, documents`."""

    def memory(self) -> Memory:
        """Everything, ordered by id: for export and rebuild."""

    def labels(self) -> list[Label]: ...
    def all_entities(self) -> list[Entity]:
        """Every entity but Predicates, ordered by uuid."""

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]: ...
    def documents(self, ids: Iterable[str]) -> dict[str, Document]: ...
    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]: ...
    def statements(self, uuids: Iterable[str]) -> dict[str, Statement]: ...

    def statements_of_episodes(self, uuids: Iterable[str]) -> dict[str, list[str]]:
        """Statement uuids by episode uuid, current and invalidated."""

    def statements_of_entity(self, uuid: str, limit: int) -> list[str]:
        """Statement uuids with the entity as subject or object, newest first: for browsing."""

    def session_episodes(self, session_id: str) -> list[str]:
        """Episode uuids of a session, oldest first."""

    def documents_of_sessions(self, session_ids: Iterable[str]) -> dict[str, str]:
        """Document id by session id."""

    def episodes_by_aspect(self, scope: Scope, aspects: Sequence[Aspect], limit: int) -> Found:
        """Episodes with a current statement of one of the aspects (none given: of any), whole scope, newest first.

        With no aspects and labels given, an episode of the labels needs no statement.
        """

    def episodes_by_entity(
        self, entity_uuids: Sequence[str], scope: Scope, aspects: Sequence[Aspect], limit: int
    ) -> Found:
        """Episodes of current statements with an entity as subject or object; time and end users of the
        scope, not its labels; newest first."""

    def episodes_in_time(self, scope: Scope, aspects: Sequence[Aspect], limit: int) -> Found:
        """Episodes that are in the range by their own instant, or have a current statement that became valid
        or whose event is dated in the range; whole scope; newest first."""

    def documents_by_label(self, scope: Scope, limit: int) -> Found:
        """Session documents of the labels (none given: all) with an episode in the range, newest first."""

    def links_between(
        self, left: Sequence[str], right: Sequence[str], scope: Scope
    ) -> tuple[list[Link], tuple[Cypher, ...]]:
        """Current statements that connect an entity of `left` with one of `right`, either way round."""

    def links_of(self, entity_uuids: Sequence[str], scope: Scope, limit: int) -> tuple[list[Link], tuple[Cypher, ...]]:
        """Current statements that connect one of the entities with any other, newest first."""

    def facets(self, scope: Scope) -> FacetRows:
        """Episodes count by their own instant, current statements by when they became valid; a statement is in
        the scope when one of its episodes has its labels and end users. Topics are all labels of those episodes."""

    # What people browse: pages of long lists and their sizes. No search uses these.

    def episode_slice(self, scope: Scope, offset: int, limit: int) -> Slice:
        """Episodes of the whole scope, newest first, `limit` of them from `offset` on."""

    def statement_slice(
        self,
        at: datetime,
        offset: int,
        limit: int,
        *,
        aspects: Sequence[Aspect] = (),
        current: bool | None = None,
        entity: str | None = None,
    ) -> Slice:
        """Statements, newest first: of the aspects (none given: all), current or invalidated at `at` (None: both),
        with the entity as subject or object (None: any)."""

    def statement_counts(self, at: datetime) -> dict[Aspect, tuple[int, int]]:
        """How many statements are current and how many are invalidated at `at`, by aspect; only aspects that occur."""

    def mention_counts(self) -> dict[str, int]:
        """Statements by entity uuid, as subject, predicate or object, each once; only entities that have one."""

    def label_sizes(self) -> dict[str, tuple[int, int]]:
        """Episodes and documents by label id; every label."""

    def sessions(self) -> list[SessionSummary]:
        """Every session, that of the newest episode first, those without episodes last. The empty id is none."""


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """What may stand beside a vector, to be read with it. `valid_at` in microseconds UTC."""

    valid_at: int = 0
    end_user_id: str = ""
    aspect: str = ""


@dataclass(frozen=True, slots=True)
class VectorHit:
    id: str
    cosine: float
    record: VectorRecord


class VectorStore(Protocol):
    """Cosine search over unit vectors, one collection a namespace. Vectors with NaN are refused."""

    def add(
        self,
        namespace: Namespace,
        ids: Sequence[str],
        vectors: Vectors,
        records: Sequence[VectorRecord] | None = None,
    ) -> None:
        """Store or overwrite; any number of rows, each id once. Without `records` the rows have empty ones."""

    def search(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None = None,
        minimum: float = -1.0,
    ) -> list[VectorHit]:
        """The `limit` most similar ids that `accepts` takes and whose cosine reaches `minimum`.

        Pages on until `limit` are found, the similarity falls below `minimum` or the store ends: the filter
        never acts on an already cut list. Sorted by cosine, ties by id.
        """

    def vectors(self, namespace: Namespace, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]: ...
    def count(self, namespace: Namespace) -> int: ...
    def close(self) -> None: ...


class LexicalField(StrEnum):
    """What BM25 can search."""

    EPISODE = "episode"  # an episode's text
    WINDOW = "window"  # an episode's text with its neighbours in the session
    STATEMENT = "statement"  # a fact
    DOCUMENT = "document"  # a session's title and text


class LexicalStore(Protocol):
    """BM25 in Lucene's variant (Kamphuis et al. 2020) with English stemming; a repeated word of a query counts once."""

    def write(
        self, texts: Mapping[LexicalField, tuple[Sequence[str], Sequence[str]]], progress: Progress | None = None
    ) -> None:
        """Index ids and texts by field, in one go; progress comes after each field, by its texts."""

    def search(
        self, field: LexicalField, query: str, limit: int, accepts: Callable[[str], bool] | None = None
    ) -> list[tuple[str, float]]:
        """The `limit` best ids with a score above zero that `accepts` takes, best first, ties by id."""

    def scores(self, field: LexicalField, query: str, ids: Sequence[str]) -> dict[str, float]:
        """The BM25 score of each known id; 0 for those without a word of the query."""

    def best_possible(self, field: LexicalField, query: str) -> float:
        """The bound of any text's score for the query: sum of the idf of its distinct known terms; 0 without any.

        Lucene's variant has no factor k1 + 1, so that a term adds at most its idf.
        """

    def close(self) -> None: ...
