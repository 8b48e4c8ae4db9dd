"""The database beside the memories: runs, presets and whatever people add to them. SQLite unless told otherwise."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from core_search.errors import SettingError, StoreError, redact
from core_search.settings import Settings

FILE = "records.db"
# How long a writer waits for another one. Writes take milliseconds; a second process may be busy with an import.
BUSY_TIMEOUT_MS = 10_000
# What keeps other processes out until the end of a transaction. The number names our lock, it has no other meaning.
_ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(3401)"}

metadata = MetaData()
_engines: dict[str, Engine] = {}
_tables_made: dict[str, int] = {}
_lock = threading.Lock()


class Database:
    """One database, shared between threads. Tables are made on first use."""

    def __init__(self, settings: Settings):
        self._settings = settings
        self.url = settings.database_url or f"sqlite:///{settings.home / FILE}"

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection whose statements count together or not at all. What the database refuses is a `StoreError`."""
        try:
            with self._engine().begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = redact(str(error.args[0] if error.args else error), *self._settings.secrets)
            raise StoreError(
                f"the database of runs {make_url(self.url).render_as_string()!r} cannot be used: {reason}; "
                f"{_remedy(reason)}"
            ) from error

    def close(self) -> None:
        """Close its connections; the next transaction opens new ones."""
        with _lock:
            engine = _engines.pop(self.url, None)
        if engine is not None:
            engine.dispose()

    def _engine(self) -> Engine:
        with _lock:
            engine = _engines.get(self.url)
            if engine is None:
                engine = _engines[self.url] = self._open()
                _tables_made[self.url] = 0
            if _tables_made[self.url] != len(metadata.tables):  # more tables come with the modules that define them
                with engine.begin() as connection:
                    # Another process may be at it: between its look and its CREATE nobody else may look.
                    connection.exec_driver_sql(_ALONE[engine.dialect.name])
                    metadata.create_all(connection)
                _tables_made[self.url] = len(metadata.tables)
            return engine

    def _open(self) -> Engine:
        try:
            url = make_url(self.url)
            engine = create_engine(url)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise SettingError(
                f"DATABASE_URL cannot be used ({redact(str(error), self.url)}); "
                "write it as sqlite:////path/records.db or postgresql+psycopg://user@host/name, and install its driver"
            ) from None
        if url.get_backend_name() not in _ALONE:
            raise SettingError(f"DATABASE_URL names {url.get_backend_name()!r}; runs are kept in SQLite or PostgreSQL")
        if url.get_backend_name() == "sqlite":
            try:
                self._settings.home.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"the folder {str(self._settings.home)!r} cannot be made: {error.strerror}; "
                    "make it, or name another one with CORE_SEARCH_HOME"
                ) from error
            event.listen(engine, "connect", _set_up_sqlite)
        return engine


def _remedy(reason: str) -> str:
    if "malformed" in reason or "not a database" in reason:
        return "its file is damaged: put back a copy, or move it away and a new one is made. The memories are elsewhere"
    if "full" in reason:
        return "free some of its disk"
    return "check that its folder can be written, or set DATABASE_URL"


def _set_up_sqlite(connection: Any, record: Any) -> None:
    # WAL: readers never wait for a writer. `busy_timeout`: writers wait for each other instead of failing.
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()
