"""Pages and summaries of the whole memory, for those who look around in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core_search.models import Aspect
from core_search.stores.base import Scope, SessionSummary, Slice
from core_search.stores.kuzu_episodes import episodes_of
from core_search.stores.kuzu_open import OpenGraph
from core_search.stores.kuzu_query import Query, bounds
from core_search.stores.kuzu_rows import instant, micros


class KuzuBrowsing(OpenGraph):
    def episode_slice(self, scope: Scope, offset: int, limit: int) -> Slice:
        return self._slice(episodes_of(scope, (), bounds(scope.time), with_statement=False), offset, limit)

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
