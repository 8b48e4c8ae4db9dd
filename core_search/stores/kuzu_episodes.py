"""Episodes and documents of a scope, newest first.

"Newest first" looks into a short window before the newest episode and widens it until the limit is full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from core_search.models import Aspect
from core_search.stores.base import Cypher, Found, Hit, Scope
from core_search.stores.kuzu_connection import Session
from core_search.stores.kuzu_open import LABELS, OpenGraph, fetch, user_column
from core_search.stores.kuzu_query import WHOLE, Bounds, Query, bounds
from core_search.stores.kuzu_rows import instant, micros

# Most answers lie among the newest episodes: windows so long that this many were in the last one before now, where
# that is at most half of all. What is not found there is looked for in the whole range.
WINDOW_EPISODES = (6_000, 30_000)
MENTION_WINDOWS = (1_500, 15_000)  # anchored at entities a window costs little, and all that is said of a hub much


class KuzuEpisodes(OpenGraph):
    def __init__(self, path: Path, engine: str, *, create: bool):
        super().__init__(path, engine, create=create)
        self._newest: dict[int, int] | None = None  # instants of the newest, the 6,000th newest episode and so on

    def episodes_by_aspect(self, scope: Scope, aspects: Sequence[Aspect], limit: int) -> Found:
        """`Hit.statement` is the first by uuid of the statements that made the episode a hit."""
        with_statement = bool(aspects) or not scope.label_ids
        query = partial(episodes_of, scope, aspects, with_statement=with_statement)
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
        query = partial(episodes_of, scope, aspects, with_statement=bool(aspects))
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
                rows = fetch(session, queries, query(window).newest(limit))
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
            rows = fetch(session, queries, _documents(scope).newest(limit))
        return Found(_hits(rows), tuple(queries))


def episodes_of(scope: Scope, aspects: Sequence[Aspect], window: Bounds, with_statement: bool) -> Query:
    """Episodes of the window."""
    labels = LABELS if scope.label_ids else ""
    query = Query(f"{labels}(e:Episode){'-[p:HAS_PROVENANCE]->(s:Statement)' if with_statement else ''}")
    query.among("l.id", "labels", scope.label_ids)
    query.between("e.validAt", window)
    columns = {"uuid": "e.uuid", "validAt": "e.validAt", **user_column(scope)}
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
        **user_column(scope),
    )
    query.among("user", "users", scope.end_user_ids)
    query.among("aspect", "aspects", aspects)
    query.current("invalidAt", scope)
    return query


def _episodes_dated(dated: str, scope: Scope, aspects: Sequence[Aspect], window: Bounds) -> Query:
    """Episodes of the window with a current statement whose instant `dated` lies in the range of the scope."""
    query = Query(
        f"{LABELS if scope.label_ids else ''}(e:Episode)-[p:HAS_PROVENANCE]->(s:Statement)"
        + (", (e)-[q:HAS_PROVENANCE]->(o:Statement)" if aspects else "")
    )
    columns = {
        "uuid": "e.uuid",
        "validAt": "e.validAt",
        **user_column(scope),
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
        query.project(uuid="d.id", validAt="d.updatedAt", **user_column(scope))
        query.among("user", "users", scope.end_user_ids)
    else:
        query.project(uuid="d.id", validAt="d.updatedAt")
    return query


def _hits(rows: Iterable[Sequence[Any]]) -> tuple[Hit, ...]:
    """Hits of rows `uuid, validAt` and perhaps `statement`."""
    return tuple(Hit(uuid, instant(valid_at), *statement) for uuid, valid_at, *statement in rows)
