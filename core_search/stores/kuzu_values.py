"""Values of the graph by key, and all of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from core_search.models import Document, Entity, EntityType, Episode, Label, Statement, Value
from core_search.stores.kuzu_open import OpenGraph
from core_search.stores.kuzu_rows import DOCUMENT, ENTITY, EPISODE, LABEL, STATEMENT, NodeTable
from core_search.stores.mapped_rows import MappedRows

ValueType = TypeVar("ValueType", bound=Value)

# Rows of a table that are scanned for a key in the time of one look-up by key.
SCANNED_ROWS = 400
TABLES: dict[str, NodeTable[Any]] = {
    "episodes": EPISODE,
    "entities": ENTITY,
    "statements": STATEMENT,
    "labels": LABEL,
    "documents": DOCUMENT,
}


class KuzuValues(OpenGraph):
    def __init__(self, path: Path, engine: str, *, create: bool, rows: MappedRows | None = None):
        super().__init__(path, engine, create=create)
        self._mapped = rows
        self._known_entities: dict[str, Entity] | None = None
        self._counted: dict[str, int] = {}

    def counts(self) -> dict[str, int]:
        with self._session() as session:
            return {
                what: session.run(f"MATCH (n:{table.name}) RETURN count(*)")[0][0] for what, table in TABLES.items()
            }

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


def _columns(table: NodeTable[Any]) -> str:
    return ", ".join(f"n.{name}" for name in table.columns)
