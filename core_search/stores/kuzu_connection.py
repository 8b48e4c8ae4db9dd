"""The door to the graph engine: one engine a process, one database a file, one function for every statement.

Kùzu and its fork ladybug have the same Python API and another file format, and cannot live in one process. Two
`Database` objects on one file lose rows without an error, so a process has one a file, shared and counted here.
A connection lasts for one request: a kept one holds the plan of every query that it ever ran. Closing waits for
running requests, because the engine crashes when its database is closed under a reader.
"""

from __future__ import annotations

import importlib
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa

from core_search.errors import StampMismatch, StoreError, WorkspaceDamaged, WorkspaceLocked, redact

# What stands at the head of a database file, by engine. Also the list of engines that we know.
MAGIC = {"kuzu": b"KUZU", "ladybug": b"LBUG"}
INSTALL = {"kuzu": "pip install 'kuzu==0.11.3'", "ladybug": "pip install 'core-search[ladybug]'"}

BUFFER_POOL_BYTES = 2**30  # an upper limit; every query of ours runs in a quarter of it at 100,000 episodes
# Address space, a power of two, 40 times a million episodes; the default of 8 TB fails under a memory limit.
MAX_DATABASE_BYTES = 2**36
READ_TIMEOUT_MS = 30_000  # the slowest read takes a second at 500,000 episodes
THREADS_PER_REQUEST = 1  # requests run beside each other; more threads in one of them gain nothing measurable

_INT64 = range(-(2**63), 2**63)
_NAMES = re.compile(r"\$(\w+)")


def check_statement(text: str, parameters: Mapping[str, Any]) -> None:
    """Refuse what the engine would answer wrongly or crash on.

    A parameter that is missing drops its filter (all rows match); None in a list is a segmentation fault; numpy
    scalars, tuples and dates are refused late or stored wrongly. Allowed are text, 64-bit integers, lists of one of
    them, and Arrow tables.
    """
    named = set(_NAMES.findall(text))
    if named != parameters.keys():
        missing, unused = sorted(named - parameters.keys()), sorted(parameters.keys() - named)
        raise StoreError(f"parameters do not fit the statement {text!r}: missing {missing}, unused {unused}")
    for name, value in parameters.items():
        if isinstance(value, pa.Table):
            continue
        items = value if type(value) is list else [value]
        kinds = {type(item) for item in items}
        if len(kinds) > 1 or not kinds <= {str, int} or any(type(i) is int and i not in _INT64 for i in items):
            raise StoreError(f"parameter {name!r} must be text, a 64-bit integer or a list of one of them: {value!r}")
        if str in kinds and any(not _is_unicode(item) for item in items):
            raise StoreError(f"parameter {name!r} has a lone surrogate, which is no valid text: {value!r}")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Session:
    """One request: a connection of its own. A timeout of 0 ms is none."""

    def __init__(self, connection: Any, timeout_ms: int):
        connection.set_query_timeout(timeout_ms)
        self.connection = connection  # the engine's own, without our checks
        self._timeout_ms = timeout_ms

    def run(self, text: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """The rows of one statement."""
        rows: list[list[Any]] = self._execute(text, parameters, lambda result: result.get_all())
        return rows

    def table(self, text: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
        """The rows of one statement as an Arrow table: a quarter of the time when there are many."""
        return self._execute(text, parameters, lambda result: result.get_as_arrow())

    def _execute(self, text: str, parameters: Mapping[str, Any] | None, read: Callable[[Any], Any]) -> Any:
        """Every statement of the project passes here."""
        parameters = dict(parameters or {})
        check_statement(text, parameters)
        try:
            with closing(self.connection.execute(text, parameters)) as result:
                return read(result)
        except Exception as error:  # the engine raises RuntimeError, IndexError, ValueError and its own
            reason = redact(str(error))
            if "Interrupted" in reason:
                reason = f"stopped after {self._timeout_ms} ms; narrow the time range or the labels"
            raise StoreError(f"the graph refused {text!r}: {reason}") from error


class SharedDatabase:
    """The one open database of a file in this process. `acquire` and `release` count its owners."""

    def __init__(self, module: ModuleType, path: Path, *, writable: bool):
        self.path = path
        self.owners = 1
        self._module = module
        self._database = module.Database(
            str(path),
            read_only=not writable,
            buffer_pool_size=BUFFER_POOL_BYTES,
            max_db_size=MAX_DATABASE_BYTES,
            auto_checkpoint=False,  # it fails, and has cost whole databases, while others read or the disk is full
        )
        self._idle = threading.Condition()
        self._requests = 0
        self._closed = False

    @contextmanager
    def session(self, timeout_ms: int = READ_TIMEOUT_MS) -> Iterator[Session]:
        """A connection for one request."""
        with self._idle:
            if self._closed:
                raise StoreError(f"the graph {str(self.path)!r} is closed; open it again")
            self._requests += 1
        try:
            with self._module.Connection(self._database, num_threads=THREADS_PER_REQUEST) as connection:
                yield Session(connection, timeout_ms)
        finally:
            with self._idle:
                self._requests -= 1
                self._idle.notify_all()

    def shut(self) -> None:
        """Let no request in, wait until those that run are done, then close."""
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._requests == 0)
        self._database.close()


# By device and inode: the file itself, however its path is written, and not a new file that took its place.
_open: dict[tuple[int, int], SharedDatabase] = {}
_registry = threading.Lock()


def acquire(path: Path, engine: str, *, create: bool = False) -> SharedDatabase:
    """The database of the file, opened read-only unless this process has it open or `create` makes it new."""
    path = path.resolve()
    module = _import_engine(engine)
    with _registry:
        if create:
            if path.exists():
                raise StoreError(f"{str(path)!r} exists already; a graph is made where nothing is")
            shared = _new_database(module, path, writable=True)
            _open[_identity(path)] = shared
            return shared
        # Before anything reads the file: closing any handle on it would let go of the lock that this process holds.
        if path.is_file() and _identity(path) in _open:
            shared = _open[_identity(path)]
            shared.owners += 1
            return shared
        _check_file(path, engine)
        shared = _new_database(module, path, writable=False)
        _open[_identity(path)] = shared
        return shared


def release(shared: SharedDatabase) -> None:
    """Give one ownership back; the last one closes the database. Others that want the file wait meanwhile."""
    with _registry:
        shared.owners -= 1
        if shared.owners == 0:
            try:
                shared.shut()
            finally:
                for key in [key for key, database in _open.items() if database is shared]:
                    del _open[key]


def _import_engine(engine: str) -> ModuleType:
    if engine not in MAGIC:
        raise StoreError(f"unknown graph engine {engine!r}; known are {', '.join(MAGIC)}")
    for other in MAGIC:
        if other != engine and sys.modules.get(other) is not None:
            raise StoreError(
                f"this process uses the graph engine {other!r} and cannot load {engine!r} beside it; "
                f"start another process, with CORE_SEARCH_GRAPH={engine}"
            )
    try:
        return importlib.import_module(engine)
    except ImportError as error:
        raise StoreError(f"the graph engine {engine!r} is not installed; {INSTALL[engine]}") from error


def _new_database(module: ModuleType, path: Path, *, writable: bool) -> SharedDatabase:
    try:
        return SharedDatabase(module, path, writable=writable)
    except Exception as error:
        reason = redact(str(error))
        if "Could not set lock on file" in reason:
            raise WorkspaceLocked(
                f"another process holds the graph {str(path)!r}, perhaps a load that still runs or an open app; "
                "let it finish or stop it, then try again"
            ) from error
        if writable:
            raise StoreError(f"cannot make a graph at {str(path)!r}: {reason}") from error
        raise _damaged(path, reason) from error


def _check_file(path: Path, engine: str) -> None:
    """The engine opens an empty file as an empty database and replays any log that lies beside it: refuse both."""
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except OSError as error:
        raise _damaged(path, f"it cannot be read ({error.strerror})") from error
    if not head:
        raise _damaged(path, "the file is empty")
    made_by = next((name for name, magic in MAGIC.items() if magic == head), None)
    if made_by is None:
        raise _damaged(path, "it is not a graph database")
    if made_by != engine:
        raise StampMismatch(
            f"the graph {str(path)!r} was made with {made_by!r}, not with {engine!r}; "
            f"set CORE_SEARCH_GRAPH={made_by}, or load the memory again"
        )
    log = path.with_name(path.name + ".wal")
    if log.is_file() and log.stat().st_size:
        # The engine would replay it, whatever memory it came from. A graph that counts was closed and has none.
        raise WorkspaceDamaged(
            f"the graph {str(path)!r} cannot be opened: a write log {log.name!r} lies beside it that does not belong "
            "to it; `core-search rebuild` takes the graph over without that log"
        )


def _damaged(path: Path, reason: str) -> WorkspaceDamaged:
    return WorkspaceDamaged(
        f"the graph {str(path)!r} cannot be opened: {reason}. Load the memory again with "
        "`core-search load … --replace`, or put back a copy of the whole workspace folder"
    )


def _identity(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_dev, stat.st_ino
