"""A graph of one memory on Kùzu or ladybug that is open: the base of all that reads it (see `kuzu_graph`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from core_search.errors import StoreError
from core_search.stores.base import Cypher, Scope
from core_search.stores.kuzu_connection import Session, acquire, release

# What stands before an episode in a pattern when the scope has labels.
LABELS = "(l:Label)<-[:HAS_LABEL]-"


class OpenGraph:
    """Holds the database of a file; safe from several threads."""

    def __init__(self, path: Path, engine: str, *, create: bool):
        self._database = acquire(path, engine, create=create)
        self._writable = create
        self._closed = False

    def close(self) -> None:
        """Wait for running reads and let go of the file. Closing twice is fine."""
        if not self._closed:
            self._closed = True
            release(self._database)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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


def user_column(scope: Scope, of: str = "e") -> dict[str, str]:
    """The column of the end user, where the scope asks for some: each column costs the engine a twentieth."""
    return {"user": f"{of}.endUserId"} if scope.end_user_ids else {}


def fetch(session: Session, queries: list[Cypher], query: Cypher) -> list[list[Any]]:
    """Run the query and put it on record."""
    queries.append(query)
    return session.run(query.text, query.parameters)
