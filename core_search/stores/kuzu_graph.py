"""The graph of one memory on Kùzu or ladybug: every reading Cypher of the project.

How the queries are shaped, and why. The planner joins badly when two tables have conditions in one WHERE, so the
first WHERE holds only the anchor (ids of labels or entities) and the time of the node that is sorted by; the rest
stands behind a projecting WITH. Keys come first and whole rows later by primary key: `key IN list` scans the table.
"Newest first" looks into a short window before the newest episode and widens it until the limit is full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from core_search.errors import StoreError
from core_search.models import Aspect, Document, Entity, EntityType, Episode, Label, Memory, Statement, Value
from core_search.stores import facet_counting
from core_search.stores.base import (
    Cypher,
    FacetCounts,
    Found,
    Hit,
    Link,
    Progress,
    Scope,
    SessionSummary,
    Slice,
)
from core_search.stores.free_memory import give_back
from core_search.stores.kuzu_connection import Session, acquire, release
from core_search.stores.kuzu_query import WHOLE, Bounds, Query, bounds
from core_search.stores.kuzu_rows import DOCUMENT, ENTITY, EPISODE, LABEL, STATEMENT, NodeTable, instant, micros
from core_search.stores.kuzu_schema import create_tables, fill_tables
from core_search.stores.mapped_rows import MappedRows

ValueType = TypeVar("ValueType", bound=Value)

# Most answers lie among the newest episodes: windows so long that this many were in the last one before now, where
# that is at most half of all. What is not found there is looked for in the whole range.
WINDOW_EPISODES = (6_000, 30_000)
MENTION_WINDOWS = (1_500, 15_000)  # anchored at entities a window costs little, and all that is said of a hub much
# Rows of a table that are scanned for a key in the time of one look-up by key.
SCANNED_ROWS = 400
TABLES: dict[str, NodeTable[Any]] = {
    "episodes": EPISODE,
    "entities": ENTITY,
    "statements": STATEMENT,
    "labels": LABEL,
    "documents": DOCUMENT,
}


class KuzuGraph:
    """A `GraphStore`. Made by `create` (empty, writable) or `open` (read-only); safe from several threads."""

    def __init__(self, path: Path, engine: str, *, create: bool, rows: MappedRows | None = None):
        self._database = acquire(path, engine, create=create)
        self._writable = create
        self._closed = False
        self._mapped = rows
        self._newest: dict[int, int] | None = None  # instants of the newest, the 6,000th newest episode and so on
        self._known_entities: dict[str, Entity] | None = None
        self._counted: dict[str, int] = {}

    @classmethod
    def create(cls, path: Path, engine: str = "kuzu") -> KuzuGraph:
        """A new graph at a path where nothing is yet."""
        graph = cls(path, engine, create=True)
        try:
            with graph._session() as session:
                create_tables(session)
        except BaseException:
            graph.close()
            raise
        return graph

    @classmethod
    def open(cls, path: Path, engine: str = "kuzu", rows: MappedRows | None = None) -> KuzuGraph:
        """The graph at the path, to read, with a copy of its rows; several processes may read one at once."""
        return cls(path, engine, create=False, rows=rows)

    def close(self) -> None:
        """Wait for running reads and let go of the file. Closing twice is fine."""
        if not self._closed:
            self._closed = True
            release(self._database)

    def __enter__(self) -> KuzuGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _session(self, **options: int) -> Iterator[Session]:
        if self._closed:
            raise StoreError(f"the graph {str(self._database.path)!r} is closed; open it again")
        with self._database.session(**options) as session:
            yield session

    @contextmanager
    def engine_session(self) -> Iterator[Session]:
        """A connection of the engine with its prepared statements: to measure what the engine alone takes."""
        with self._session() as session:
            yield session

    # ------------------------------------------------------------ the whole

    def write(self, memory: Memory, progress: Progress | None = None) -> None:
        """Fill the empty graph in one transaction: all of it or nothing. No write log remains."""
        if not self._writable:
            raise StoreError(f"the graph {str(self._database.path)!r} is open to read; make a new one to write")
        if any(self.counts().values()):
            raise StoreError(f"the graph {str(self._database.path)!r} has rows already; make a new one to write")
        with self._session(timeout_ms=0) as session:
            fill_tables(session, memory, progress)
        self._newest = None
        give_back()

    def counts(self) -> dict[str, int]:
        with self._session() as session:
            return {
                what: session.run(f"MATCH (n:{table.name}) RETURN count(*)")[0][0] for what, table in TABLES.items()
            }

    def memory(self) -> Memory:
        return Memory(**{what: self._all(table) for what, table in TABLES.items()})

    def labels(self) -> list[Label]:
        """Ordered by id."""
        return self._all(LABEL)

    def all_entities(self) -> list[Entity]:
        return [entity for entity in self._entities().values() if entity.type is not EntityType.PREDICATE]

    def _entities(self) -> dict[str, Entity]:
        """Every entity by uuid. Read once where nothing can change: the names of a facet's entities may be all there
        are, one look-up takes 0.3 ms, and an open memory has read them all for their names."""
        if self._writable:
            return {entity.uuid: entity for entity in self._all(ENTITY)}
        if self._known_entities is None:
            self._known_entities = {entity.uuid: entity for entity in self._all(ENTITY)}
        return self._known_entities

    def _all(self, table: NodeTable[ValueType]) -> list[ValueType]:
        with self._session() as session:
            rows = session.run(f"MATCH (n:{table.name}) RETURN {_columns(table)} ORDER BY n.{table.key}")
        return [table.value(row) for row in rows]

    # ------------------------------------------------------------ values by key

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        return self._by_key(EPISODE, uuids)

    def documents(self, ids: Iterable[str]) -> dict[str, Document]:
        return self._by_key(DOCUMENT, ids)

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        if self._writable:
            return self._by_key(ENTITY, uuids)
        every = self._entities()
        return {uuid: every[uuid] for uuid in dict.fromkeys(uuids) if uuid in every}

    def statements(self, uuids: Iterable[str]) -> dict[str, Statement]:
        return self._by_key(STATEMENT, uuids)

    def _by_key(self, table: NodeTable[ValueType], keys: Iterable[str]) -> dict[str, ValueType]:
        """In the order of the keys: from the copy, by one scan of a small table, or by a look-up for each."""
        wanted = list(dict.fromkeys(keys))
        if self._mapped is not None and self._mapped.has(table):
            return {key: table.value(row) for key, row in self._mapped.find(table, wanted)}
        if wanted and self._rows(table) <= SCANNED_ROWS * len(wanted):
            text = f"MATCH (n:{table.name}) WHERE n.{table.key} IN $keys RETURN {_columns(table)}"
            with self._session() as session:
                found = {row[0]: row for row in session.run(text, {"keys": wanted})}
            return {key: table.value(found[key]) for key in wanted if key in found}
        text = f"MATCH (n:{table.name} {{{table.key}: $key}}) RETURN {_columns(table)}"
        return {key: table.value(rows[0]) for key, rows in self._for_each(text, wanted) if rows}

    def _rows(self, table: NodeTable[Any]) -> int:
        """How many rows the table has; counted once where nothing can change."""
        if self._writable or table.name not in self._counted:
            with self._session() as session:
                self._counted[table.name] = session.run(f"MATCH (n:{table.name}) RETURN count(*)")[0][0]
        return self._counted[table.name]

    def _for_each(self, text: str, keys: Iterable[str]) -> Iterator[tuple[str, list[list[Any]]]]:
        """The rows of `text` for each `$key`, one after the other: by far the fastest way to some rows of many."""
        with self._session() as session:
            found = [(key, session.run(text, {"key": key})) for key in dict.fromkeys(keys)]
        return iter(found)

    # ------------------------------------------------------------ neighbours

    def statements_of_episodes(self, uuids: Iterable[str]) -> dict[str, list[str]]:
        """Oldest statement first. An episode without statements is left out, as is an unknown one."""
        text = (
            "MATCH (e:Episode {uuid: $key})-[:HAS_PROVENANCE]->(s:Statement) RETURN s.uuid ORDER BY s.validAt, s.uuid"
        )
        return {key: [uuid for [uuid] in rows] for key, rows in self._for_each(text, uuids) if rows}

    def statements_of_entity(self, uuid: str, limit: int) -> list[str]:
        if not limit:
            return []
        text = (
            "MATCH (n:Entity {uuid: $uuid})<-[:HAS_SUBJECT|HAS_OBJECT]-(s:Statement) "
            "RETURN DISTINCT s.uuid AS uuid, s.validAt AS validAt ORDER BY validAt DESC, uuid LIMIT $limit"
        )
        with self._session() as session:
            return [statement for statement, _ in session.run(text, {"uuid": uuid, "limit": limit})]

    def session_episodes(self, session_id: str) -> list[str]:
        """Oldest first. The empty id is no session."""
        if not session_id:
            return []
        text = "MATCH (e:Episode) WHERE e.sessionId = $session RETURN e.uuid ORDER BY e.validAt, e.uuid"
        with self._session() as session:
            return [uuid for [uuid] in session.run(text, {"session": session_id})]

    def documents_of_sessions(self, session_ids: Iterable[str]) -> dict[str, str]:
        """The document that was updated last where a session has several. The empty id is no session."""
        wanted = [session_id for session_id in dict.fromkeys(session_ids) if session_id]
        if not wanted:
            return {}
        text = (
            "MATCH (d:Document) WHERE d.sessionId IN $sessions RETURN d.sessionId, d.id ORDER BY d.updatedAt, d.id DESC"
        )
        with self._session() as session:
            return dict(session.run(text, {"sessions": wanted}))  # the last of a session wins

    # ------------------------------------------------------------ episodes and documents

    def episodes_by_aspect(self, scope: Scope, aspects: Sequence[Aspect], limit: int) -> Found:
        """`Hit.statement` is the first by uuid of the statements that made the episode a hit."""
        with_statement = bool(aspects) or not scope.label_ids
        query = partial(_episodes, scope, aspects, with_statement=with_statement)
        return self._newest_first(query, bounds(scope.time), limit, WINDOW_EPISODES)

    def episodes_by_entity(
        self, entity_uuids: Sequence[str], scope: Scope, aspects: Sequence[Aspect], limit: int
    ) -> Found:
        """`Hit.statement` is the first by uuid of the statements that made the episode a hit."""
        if not entity_uuids:
            return Found((), ())
        query = partial(_episodes_mentioning, entity_uuids, scope, aspects)
        return self._newest_first(query, bounds(scope.time), limit, MENTION_WINDOWS)

    def episodes_in_time(self, scope: Scope, aspects: Sequence[Aspect], limit: int) -> Found:
        """Sorted by the episode's own instant, which may lie outside the range when a statement or its event lies
        inside. Aspects ask for a current statement of one of them, any statement. `Hit.statement` is the first by
        uuid of those of the aspects, else of those in the range; none where the episode's own instant is enough."""
        start, end = bounds(scope.time)
        query = partial(_episodes, scope, aspects, with_statement=bool(aspects))
        found = [self._newest_first(query, (start, end), limit, WINDOW_EPISODES)]
        if (start, end) != WHOLE:  # otherwise every episode is in the range by its own instant
            # A short range is the better anchor than any window of episodes.
            windows = WINDOW_EPISODES if self._is_long(start, end) else ()
            for dated in ("s.validAt", "s.eventDate"):
                query = partial(_episodes_dated, dated, scope, aspects)
                found.append(self._newest_first(query, WHOLE, limit, windows))
        hits: dict[str, Hit] = {}
        every = (hit for part in found for hit in part.hits)
        for hit in sorted(every, key=lambda hit: (-micros(hit.valid_at), hit.id, hit.statement is None)):
            hits.setdefault(hit.id, hit)
        return Found(tuple(hits.values())[:limit], tuple(query for part in found for query in part.queries))

    def _newest_first(
        self,
        query: Callable[[Bounds], Query],
        whole: Bounds,
        limit: int,
        windows: Sequence[int],
    ) -> Found:
        """The newest episodes that `query` finds in a window of their own instants, widened until there are
        enough of them: whatever lies before a window is older than all that lies inside."""
        if not limit:
            return Found((), ())
        queries: list[Cypher] = []
        rows: list[list[Any]] = []
        with self._session() as session:
            for window in self._windows(session, whole, windows):
                rows = _fetch(session, queries, query(window).newest(limit))
                if len(rows) == limit:
                    break
        return Found(_hits(rows), tuple(queries))

    def _windows(self, session: Session, whole: Bounds, windows: Sequence[int]) -> Iterator[Bounds]:
        start, end = whole
        newest, *firsts = self._instants(session, windows)
        last = newest if end is None else min(newest, end)
        for first in firsts:
            since = last - (newest - first)
            if start is None or since > start:
                yield since, end
        yield whole

    def _instants(self, session: Session, windows: Sequence[int]) -> list[int]:
        """The instant of the newest episode, and that of the first in each window that is not most of the memory."""
        if self._newest is None:
            [[count, newest]] = session.run("MATCH (e:Episode) RETURN count(*), max(e.validAt)")
            text = "MATCH (e:Episode) RETURN e.validAt AS at ORDER BY at DESC SKIP $newer LIMIT 1"
            self._newest = {0: newest or 0} | {
                episodes: session.run(text, {"newer": episodes - 1})[0][0]
                for episodes in (*WINDOW_EPISODES, *MENTION_WINDOWS)
                if 2 * episodes <= count
            }
        return [self._newest[episodes] for episodes in (0, *windows) if episodes in self._newest]

    def _is_long(self, start: int | None, end: int | None) -> bool:
        """Whether a range is worth windows."""
        if start is None or end is None:
            return True
        with self._session() as session:
            newest, *firsts = self._instants(session, WINDOW_EPISODES)
        return bool(firsts) and end - start > newest - firsts[0]

    def documents_by_label(self, scope: Scope, limit: int) -> Found:
        """`Hit.valid_at` is when the document was updated last. A scope without a range and end users takes
        documents without episodes too."""
        if not limit:
            return Found((), ())
        queries: list[Cypher] = []
        with self._session() as session:
            rows = _fetch(session, queries, _documents(scope).newest(limit))
        return Found(_hits(rows), tuple(queries))

    # ------------------------------------------------------------ links

    def links_between(
        self, left: Sequence[str], right: Sequence[str], scope: Scope
    ) -> tuple[list[Link], tuple[Cypher, ...]]:
        """Newest first. Time (of the statement or of its event) and end users of the scope, not its labels."""
        if not left or not right:
            return [], ()
        return self._links(scope, None, ((left, right), (right, left)))

    def links_of(self, entity_uuids: Sequence[str], scope: Scope, limit: int) -> tuple[list[Link], tuple[Cypher, ...]]:
        """Newest first. Time (of the statement or of its event) and end users of the scope, not its labels."""
        if not entity_uuids or not limit:
            return [], ()
        return self._links(scope, limit, ((entity_uuids, ()), ((), entity_uuids)))

    def _links(
        self, scope: Scope, limit: int | None, directions: Iterable[tuple[Sequence[str], Sequence[str]]]
    ) -> tuple[list[Link], tuple[Cypher, ...]]:
        queries: list[Cypher] = []
        found: dict[str, tuple[int, Link]] = {}
        with self._session() as session:
            for subjects, objects in directions:
                rows = _fetch(session, queries, _links(subjects, objects, scope, limit))
                found |= {
                    statement: (valid_at, Link(subject, object_, statement))
                    for subject, object_, statement, valid_at in rows
                }
        ordered = sorted(found.values(), key=lambda row: (-row[0], row[1].statement))
        return [link for _, link in ordered[:limit]], tuple(queries)

    # ------------------------------------------------------------ facets

    def facets(self, scope: Scope) -> FacetCounts:
        """Episodes count by their own instant, current statements by when they became valid; a statement is in
        the scope when one of its episodes has its labels and end users. Topics are all labels of those episodes."""
        queries: list[Cypher] = []
        with self._session() as session:
            [[episodes]] = _fetch(session, queries, _episode_count(scope))
            topics = _fetch(session, queries, _topics(scope))
            predicates = _fetch(session, queries, _predicates())
            queries.append(_statements_in_scope(scope))
            statements = session.table(queries[-1].text, queries[-1].parameters)
        return FacetCounts(
            topics=facet_counting.largest_first(topics),
            entities=facet_counting.mention_counts(statements, leave_out=(uuid for [uuid] in predicates)),
            aspects=facet_counting.aspect_counts(statements),
            episodes=episodes,
            statements=statements.num_rows,
            queries=tuple(queries),
        )

    # ------------------------------------------------------------ browsing

    def episode_slice(self, scope: Scope, offset: int, limit: int) -> Slice:
        return self._slice(_episodes(scope, (), bounds(scope.time), with_statement=False), offset, limit)

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
        return self._slice(_statements(at, aspects, current, entity), offset, limit)

    def _slice(self, query: Query, offset: int, limit: int) -> Slice:
        count = query.returning("RETURN count(DISTINCT uuid)")
        clause = "RETURN DISTINCT uuid, validAt ORDER BY validAt DESC, uuid SKIP $offset LIMIT $limit"
        some = query.returning(clause, offset=offset, limit=limit)
        with self._session() as session:
            [[total]] = session.run(count.text, count.parameters)
            rows = session.run(some.text, some.parameters) if limit and offset < total else []
        return Slice(tuple(uuid for uuid, _ in rows), total)

    def statement_counts(self, at: datetime) -> dict[Aspect, tuple[int, int]]:
        text = "MATCH (s:Statement) RETURN s.aspect, s.invalidAt IS NULL OR s.invalidAt > $at AS current, count(*)"
        counts: dict[Aspect, list[int]] = {}
        with self._session() as session:
            for aspect, current, count in session.run(text, {"at": micros(at)}):
                counts.setdefault(Aspect(aspect), [0, 0])[not current] += count
        return {aspect: (current, invalidated) for aspect, (current, invalidated) in counts.items()}

    def mention_counts(self) -> dict[str, int]:
        text = (
            "MATCH (n:Entity)<-[:HAS_SUBJECT|HAS_PREDICATE|HAS_OBJECT]-(s:Statement) "
            "RETURN n.uuid, count(DISTINCT s.uuid)"
        )
        with self._session() as session:
            return dict(session.run(text))

    def label_sizes(self) -> dict[str, tuple[int, int]]:
        with self._session() as session:
            ids = session.run("MATCH (l:Label) RETURN l.id")
            episodes = dict(session.run("MATCH (:Episode)-[:HAS_LABEL]->(l:Label) RETURN l.id, count(*)"))
            documents = dict(session.run("MATCH (:Document)-[:DOC_LABEL]->(l:Label) RETURN l.id, count(*)"))
        return {label: (episodes.get(label, 0), documents.get(label, 0)) for [label] in ids}

    def sessions(self) -> list[SessionSummary]:
        """With the document that was updated last where a session has several."""
        spans = (
            "MATCH (e:Episode) WHERE e.sessionId <> $blank "
            "RETURN e.sessionId AS id, count(*), min(e.validAt), max(e.validAt) AS last ORDER BY last DESC, id"
        )
        titles = (
            "MATCH (d:Document) WHERE d.sessionId <> $blank "
            "RETURN d.sessionId, d.id, d.title ORDER BY d.updatedAt, d.id DESC"
        )
        with self._session() as session:
            rows = session.run(spans, {"blank": ""})
            documents = {id_: (document, title) for id_, document, title in session.run(titles, {"blank": ""})}
        found = [
            SessionSummary(id_, count, instant(first), instant(last), *documents.pop(id_, (None, "")))
            for id_, count, first, last in rows
        ]
        alone = (SessionSummary(id_, 0, None, None, *document) for id_, document in sorted(documents.items()))
        return [*found, *alone]


# ---------------------------------------------------------------- the patterns

# What stands before an episode in a pattern when the scope has labels.
_LABELS = "(l:Label)<-[:HAS_LABEL]-"


def _user(scope: Scope, of: str = "e") -> dict[str, str]:
    """The column of the end user, where the scope asks for some: each column costs the engine a twentieth."""
    return {"user": f"{of}.endUserId"} if scope.end_user_ids else {}


def _episodes(scope: Scope, aspects: Sequence[Aspect], window: Bounds, with_statement: bool) -> Query:
    """Episodes of the window."""
    labels = _LABELS if scope.label_ids else ""
    query = Query(f"{labels}(e:Episode){'-[p:HAS_PROVENANCE]->(s:Statement)' if with_statement else ''}")
    query.among("l.id", "labels", scope.label_ids)
    query.between("e.validAt", window)
    columns = {"uuid": "e.uuid", "validAt": "e.validAt", **_user(scope)}
    if with_statement:
        query.project(**columns, statement="s.uuid", aspect="p.aspect", invalidAt="p.invalidAt")
        query.among("aspect", "aspects", aspects)
        query.current("invalidAt", scope)
    else:
        query.project(**columns)
    query.among("user", "users", scope.end_user_ids)
    return query


def _episodes_mentioning(entity_uuids: Sequence[str], scope: Scope, aspects: Sequence[Aspect], window: Bounds) -> Query:
    """Episodes of the window with a current statement about one of the entities."""
    query = Query("(n:Entity)<-[m:MENTIONS]-(e:Episode)")
    query.among("n.uuid", "entities", entity_uuids)
    query.between("e.validAt", window)
    query.project(
        uuid="e.uuid",
        validAt="e.validAt",
        statement="m.statement",
        aspect="m.aspect",
        invalidAt="m.invalidAt",
        **_user(scope),
    )
    query.among("user", "users", scope.end_user_ids)
    query.among("aspect", "aspects", aspects)
    query.current("invalidAt", scope)
    return query


def _episodes_dated(dated: str, scope: Scope, aspects: Sequence[Aspect], window: Bounds) -> Query:
    """Episodes of the window with a current statement whose instant `dated` lies in the range of the scope."""
    query = Query(
        f"{_LABELS if scope.label_ids else ''}(e:Episode)-[p:HAS_PROVENANCE]->(s:Statement)"
        + (", (e)-[q:HAS_PROVENANCE]->(o:Statement)" if aspects else "")
    )
    columns = {
        "uuid": "e.uuid",
        "validAt": "e.validAt",
        **_user(scope),
        "statement": "s.uuid",
        "dated": dated,
        "invalidAt": "p.invalidAt",
    }
    if scope.label_ids:
        columns["label"] = "l.id"
    if aspects:
        columns |= {"aspect": "q.aspect", "invalidAt2": "q.invalidAt"}
    # One anchor: the window, or the range of the statements when every episode is welcome.
    if window == WHOLE:
        query.between(dated, bounds(scope.time))
        query.project(**columns)
    else:
        query.between("e.validAt", window, ("windowSince", "windowBefore"))
        query.project(**columns)
        query.between("dated", bounds(scope.time))
    query.current("invalidAt", scope)
    query.among("user", "users", scope.end_user_ids)
    query.among("label", "labels", scope.label_ids)
    if aspects:
        query.among("aspect", "aspects", aspects)
        query.current("invalidAt2", scope)
    return query


def _documents(scope: Scope) -> Query:
    restricted = bool(scope.end_user_ids) or not scope.time.is_open
    labels = "(l:Label)<-[:DOC_LABEL]-" if scope.label_ids else ""
    query = Query(f"{labels}(d:Document){'<-[:IN_SESSION]-(e:Episode)' if restricted else ''}")
    query.among("l.id", "labels", scope.label_ids)
    if restricted:
        query.between("e.validAt", bounds(scope.time))
        query.project(uuid="d.id", validAt="d.updatedAt", **_user(scope))
        query.among("user", "users", scope.end_user_ids)
    else:
        query.project(uuid="d.id", validAt="d.updatedAt")
    return query


def _links(subjects: Sequence[str], objects: Sequence[str], scope: Scope, limit: int | None) -> Cypher:
    """Links from one of the subjects to one of the objects; none given means any."""
    query = Query("(a:Entity)-[k:LINK]->(b:Entity)")
    query.among("a.uuid", "subjects", subjects)
    query.among("b.uuid", "objects", objects)
    query.project(
        subject="a.uuid",
        object="b.uuid",
        statement="k.statement",
        validAt="k.validAt",
        eventDate="k.eventDate",
        invalidAt="k.invalidAt",
        **_user(scope, "k"),
    )
    query.either_between(("validAt", "eventDate"), bounds(scope.time))
    query.current("invalidAt", scope)
    query.among("user", "users", scope.end_user_ids)
    clause = "RETURN DISTINCT subject, object, statement, validAt ORDER BY validAt DESC, statement"
    return query.returning(clause) if limit is None else query.returning(f"{clause} LIMIT $limit", limit=limit)


def _episode_count(scope: Scope) -> Cypher:
    query = Query(f"{_LABELS if scope.label_ids else ''}(e:Episode)")
    query.among("l.id", "labels", scope.label_ids)
    query.between("e.validAt", bounds(scope.time))
    query.project(uuid="e.uuid", **_user(scope))
    query.among("user", "users", scope.end_user_ids)
    return query.returning(f"RETURN {_episodes_once(scope)}")


def _topics(scope: Scope) -> Cypher:
    query = Query(f"{_LABELS if scope.label_ids else ''}(e:Episode)-[:HAS_LABEL]->(t:Label)")
    query.among("l.id", "labels", scope.label_ids)
    query.between("e.validAt", bounds(scope.time))
    query.project(uuid="e.uuid", topic="t.id", **_user(scope))
    query.among("user", "users", scope.end_user_ids)
    return query.returning(f"RETURN topic, {_episodes_once(scope)}")


def _episodes_once(scope: Scope) -> str:
    """An episode with two of the labels is two rows; without labels the cheaper count is the same."""
    return "count(DISTINCT uuid)" if scope.label_ids else "count(*)"


def _predicates() -> Cypher:
    return Cypher("MATCH (n:Entity) WHERE n.type = $type RETURN n.uuid", {"type": EntityType.PREDICATE.value})


def _statements_in_scope(scope: Scope) -> Cypher:
    """Current statements with the columns of `facet_counting`."""
    of_episodes = bool(scope.label_ids or scope.end_user_ids)
    labels = _LABELS if scope.label_ids else ""
    query = Query(f"{labels}(e:Episode)-[:HAS_PROVENANCE]->(s:Statement)" if of_episodes else "(s:Statement)")
    query.among("l.id", "labels", scope.label_ids)
    query.between("s.validAt", bounds(scope.time))
    columns = {name: f"s.{name}" for name in (*facet_counting.COLUMNS, "invalidAt")}
    query.project(**columns, **_user(scope))
    query.current("invalidAt", scope)
    query.among("user", "users", scope.end_user_ids)
    return query.returning(f"RETURN {'DISTINCT ' if of_episodes else ''}{', '.join(facet_counting.COLUMNS)}")


def _statements(at: datetime, aspects: Sequence[Aspect], current: bool | None, entity: str | None) -> Query:
    query = Query(f"{'(n:Entity)<-[:HAS_SUBJECT|HAS_OBJECT]-' if entity else ''}(s:Statement)")
    query.among("n.uuid", "entities", [entity] if entity else [])
    query.project(uuid="s.uuid", validAt="s.validAt", aspect="s.aspect", invalidAt="s.invalidAt")
    query.among("aspect", "aspects", aspects)
    if current:
        query.current("invalidAt", Scope(at=at))
    elif current is not None:
        query.between("invalidAt", (None, micros(at) + 1))  # half open: up to `at` itself
    return query


def _columns(table: NodeTable[Any]) -> str:
    return ", ".join(f"n.{name}" for name in table.columns)


def _fetch(session: Session, queries: list[Cypher], query: Cypher) -> list[list[Any]]:
    """Run the query and put it on record."""
    queries.append(query)
    return session.run(query.text, query.parameters)


def _hits(rows: Iterable[Sequence[Any]]) -> tuple[Hit, ...]:
    """Hits of rows `uuid, validAt` and perhaps `statement`."""
    return tuple(Hit(uuid, instant(valid_at), *statement) for uuid, valid_at, *statement in rows)
