"""What stands next to an episode, an entity or a session in the graph."""

from __future__ import annotations

from collections.abc import Iterable

from core_search.stores.kuzu_values import KuzuValues


class KuzuNeighbours(KuzuValues):
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
