"""Links between entities: the statements that have one as subject and the other as object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core_search.stores.base import Cypher, Link, Scope
from core_search.stores.kuzu_open import OpenGraph, fetch, user_column
from core_search.stores.kuzu_query import Query, bounds


class KuzuLinks(OpenGraph):
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
                rows = fetch(session, queries, _links(subjects, objects, scope, limit))
                found |= {
                    statement: (valid_at, Link(subject, object_, statement))
                    for subject, object_, statement, valid_at in rows
                }
        ordered = sorted(found.values(), key=lambda row: (-row[0], row[1].statement))
        return [link for _, link in ordered[:limit]], tuple(queries)


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
        **user_column(scope, "k"),
    )
    query.either_between(("validAt", "eventDate"), bounds(scope.time))
    query.current("invalidAt", scope)
    query.among("user", "users", scope.end_user_ids)
    clause = "RETURN DISTINCT subject, object, statement, validAt ORDER BY validAt DESC, statement"
    return query.returning(clause) if limit is None else query.returning(f"{clause} LIMIT $limit", limit=limit)
