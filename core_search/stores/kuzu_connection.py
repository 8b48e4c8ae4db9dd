"""The door to the graph engine: one engine a process, one database a file, one function for every statement.

Kùzu and its fork ladybug have the same Python API and another file format, and cannot live in one process. Two
`Database` objects on one file lose rows without an error, so a process has one a file, shared and counted here.
A request has a connection to itself. Those that read are kept for the next request with their prepared statements:
to plan a look-up takes twice as long as to run it, and a text that is not prepared leaves its plan in the connection
each time that it runs. Closing waits for running requests, because the engine crashes when its database is closed
under a reader.
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

# Upper limits. At 100,000 episodes every query of a search runs in a quarter of a GB, and sorting whole tables in half
# of one; what is given to a reader beyond that is only taken from the vectors.
READING_POOL_BYTES, WRITING_POOL_BYTES = 2**29, 2**30
# Address space, a power of two, 40 times a million episodes; the default of 8 TB fails under a memory limit.
MAX_DATABASE_BYTES = 2**36
READ_TIMEOUT_MS = 30_000  # the slowest read takes a second at 500,000 episodes
THREADS_PER_REQUEST = 1  # requests run beside each other; more threads in one of them gain nothing measurable
KEPT_CONNECTIONS = 8  # between requests; a search has up to four at once
KEPT_STATEMENTS = 128  # a connection, of up to 100 kB each; all searches together have some 60 texts

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


def _kind(value: Any) -> str:
    """What a parameter is to a prepared statement; the statement fits values of the same kind only."""
    if isinstance(value, list):
        return f"list of {type(value[0]).__name__ if value else 'nothing'}"
    return type(value).__name__


class Session:
    """A connection for one request at a time."""

    def __init__(self, module: ModuleType, database: Any, *, prepares: bool):
        self.connection = module.Connection(database, num_threads=THREADS_PER_REQUEST)  # without our checks
        self.failed = False  # what the engine has then left in the connection is not known
        self._module = module
        self._prepares = prepares
        self._prepared: dict[tuple[str, ...], Any] = {}
        self._timeout_ms = 0

    def begin(self, timeout_ms: int) -> None:
        """A timeout of 0 ms is none."""
        self._timeout_ms = timeout_ms
        self.connection.set_query_timeout(timeout_ms)

    @property
    def is_worth_keeping(self) -> bool:
        return self._prepares and not self.failed and len(self._prepared) <= KEPT_STATEMENTS

    def close(self) -> None:
        self._prepared.clear()
        self.connection.close()

    def statement(self, text: str, parameters: Mapping[str, Any]) -> Any:
        """What the engine's `execute` takes: a prepared statement, or the text itself where nothing is kept."""
        if not (self._prepares and parameters):
            return text
        key = (text, *map(_kind, parameters.values()))
        if key not in self._prepared:
            self._prepared[key] = self._module.PreparedStatement(self.connection, text, dict(parameters))
        return self._prepared[key]

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
            with closing(self.connection.execute(self.statement(text, parameters), parameters)) as result:
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
            buffer_pool_size=WRITING_POOL_BYTES if writable else READING_POOL_BYTES,
            max_db_size=MAX_DATABASE_BYTES,
            auto_checkpoint=False,  # it fails, and has cost whole databases, while others read or the disk is full
        )
        self._writable = writable
        self._idle = threading.Condition()
        self._requests = 0
        self._kept: list[Session] = []
        self._closed = False

    @contextmanager
    def session(self, timeout_ms: int = READ_TIMEOUT_MS) -> Iterator[Session]:
        """A connection for one request."""
        with self._idle:
            if self._closed:
                raise StoreError(f"the graph {str(self.path)!r} is closed; open it again")
            self._requests += 1
            session = self._kept.pop() if self._kept else None
        try:
            # What is written changes what a plan was made for.
            session = session or Session(self._module, self._database, prepares=not self._writable)
            session.begin(timeout_ms)
            yield session
        except BaseException:
            if session is not None:
                session.failed = True
            raise
        finally:
            with self._idle:
                keeps = session is not None and session.is_worth_keeping and len(self._kept) < KEPT_CONNECTIONS
                if session is not None and keeps:
                    self._kept.append(session)
                elif session is not None:
                    session.close()
                self._requests -= 1
                self._idle.notify_all()

    def shut(self) -> None:
        """Let no request in, wait until those that run are done, then close."""
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._requests == 0)
            while self._kept:
                self._kept.pop().close()
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
