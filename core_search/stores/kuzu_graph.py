"""The graph of one memory on Kùzu or ladybug: every reading Cypher of the project, by what it reads.

How the queries are shaped, and why. The planner joins badly when two tables have conditions in one WHERE, so the
first WHERE holds only the anchor (ids of labels or entities) and the time of the node that is sorted by; the rest
stands behind a projecting WITH. Keys come first and whole rows later by primary key: `key IN list` scans the table.
"""

from __future__ import annotations

from pathlib import Path

from core_search.errors import StoreError
from core_search.models import Memory
from core_search.stores.base import Progress
from core_search.stores.free_memory import give_back
from core_search.stores.kuzu_browsing import KuzuBrowsing
from core_search.stores.kuzu_episodes import KuzuEpisodes
from core_search.stores.kuzu_facets import KuzuFacets
from core_search.stores.kuzu_links import KuzuLinks
from core_search.stores.kuzu_neighbours import KuzuNeighbours
from core_search.stores.kuzu_schema import create_tables, fill_tables
from core_search.stores.kuzu_values import TABLES
from core_search.stores.mapped_rows import MappedRows


class KuzuGraph(KuzuNeighbours, KuzuEpisodes, KuzuLinks, KuzuFacets, KuzuBrowsing):
    """A `GraphStore`. Made by `create` (empty, writable) or `open` (read-only); safe from several threads."""

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

    def __enter__(self) -> KuzuGraph:
        return self

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

    def memory(self) -> Memory:
        return Memory(**{what: self._all(table) for what, table in TABLES.items()})
