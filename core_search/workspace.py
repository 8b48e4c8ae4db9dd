"""The folder of one memory: made aside, switched in atomically, opened for reading (SPEC 1, "Workspace").

    <home>/workspaces/<name>/current            the name of the generation that counts, replaced in one step
    <home>/workspaces/<name>/<generation>/      workspace.json, graph.db, rows/, vectors/, vector-copy/, lexical/,
                                                columns/, queries.jsonl, qrels.txt, seal.json (`stores.seal`)
    <home>/workspaces/<name>.lock               held by who writes; `<name>/.writer` says who that is

A generation is written once and never changed: a search cannot lock anybody out, a reader sees the old memory or the
new one, and a load that fails leaves nothing behind. What a killed load leaves goes with the next load.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import AwareDatetime, ValidationError

from core_search import readers
from core_search.errors import (
    CoreSearchError,
    StampMismatch,
    UnknownWorkspace,
    UsageError,
    WorkspaceDamaged,
    WorkspaceError,
    WorkspaceLocked,
)
from core_search.ingest.values import Bundle, Header, Qrel, Query
from core_search.models import Memory, Value

SCHEMA_VERSION = 1
META, CURRENT, QUERIES, QRELS = "workspace.json", "current", "queries.jsonl", "qrels.txt"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class WorkspaceMeta(Value):
    """What stands in a generation's `workspace.json`: whose memory it is and what it was made with."""

    header: Header
    schema_version: int = SCHEMA_VERSION
    graph_engine: str
    embedding_model: str
    embedding_dimension: int
    fingerprint: str
    counts: dict[str, int]
    created_at: AwareDatetime

    @property
    def name(self) -> str:
        return self.header.name


def checked_name(name: str) -> str:
    """The name, if it can be a folder everywhere."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot name a workspace: use 1 to 64 letters, digits, '.', '_' or '-', "
            "with a letter or digit first"
        )
    return name


def fingerprint(memory: Memory) -> str:
    """SHA-256 (16 hex digits) of everything stored; equal for equal data whatever order it came in."""
    digest = hashlib.sha256()
    for items in (memory.labels, memory.episodes, memory.entities, memory.statements, memory.documents):
        for line in sorted(item.model_dump_json() for item in items):
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(b"\x1e")
    return digest.hexdigest()[:16]


class WorkspaceFolder:
    """One workspace on disk. `discard` is told of each generation before its folder is deleted: it lets go of what
    belongs to the generation elsewhere, and may fail; the folder then stays until the next load."""

    def __init__(self, home: Path, name: str, discard: Callable[[Path], None] | None = None):
        self.name = checked_name(name)
        self.folder = home / "workspaces" / name
        self._lock_file = self.folder.with_name(name + ".lock")
        self._writer = self.folder / ".writer"
        self._discard = discard

    def exists(self) -> bool:
        return (self.folder / CURRENT).is_file()

    def generation(self) -> Path:
        """The folder of the generation that counts now."""
        try:
            generation = (self.folder / CURRENT).read_text("utf-8").strip()
        except FileNotFoundError:
            raise UnknownWorkspace(
                f"there is no workspace {self.name!r}; `core-search workspaces` lists them, "
                "`core-search load` makes one"
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise WorkspaceDamaged(
                f"workspace {self.name!r}: {CURRENT!r} cannot be read ({error}); load it again with --replace"
            ) from error
        folder = self.folder / generation
        if not _NAME.fullmatch(generation) or not folder.is_dir():
            raise WorkspaceDamaged(
                f"workspace {self.name!r} points to {generation!r}, which is not there; load it again with --replace"
            )
        return folder

    def meta(self) -> WorkspaceMeta:
        return read_meta(self.generation(), self.name)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the workspace against other writers, in this process and in others."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._lock_file, timeout=0)
            lock.acquire()
        except Timeout:
            raise WorkspaceLocked(
                f"workspace {self.name!r} is being loaded by another process{self._holder()}; "
                "try again when that has ended"
            ) from None
        except OSError as error:
            raise self._unwritable(error) from error
        try:
            with suppress(OSError):  # it only tells others who it is; the lock's own file is emptied by who tries it
                self._writer.write_text(f"process {os.getpid()}, since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
            yield
        finally:
            with suppress(OSError):
                self._writer.unlink()
            lock.release()
            with suppress(OSError):  # not empty, or gone
                self.folder.rmdir()

    def _holder(self) -> str:
        try:
            holder = self._writer.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            holder = ""
        return f" ({holder})" if holder else ""

    def _unwritable(self, error: OSError) -> WorkspaceError:
        return WorkspaceError(
            f"workspace {self.name!r} cannot be written in {str(self.folder)!r}: {error.strerror or error}; check the "
            "folder's rights and the room on its disk. What was there before is untouched"
        )

    @contextmanager
    def new_generation(self) -> Iterator[Path]:
        """A folder to build in. When the block ends well it becomes the current one; otherwise it is removed."""
        with self.writing():
            self._remove_all_but(self._current())  # first: what a killed load left may be the room that is missing
            generation = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:8]}"
            folder = self.folder / generation
            try:
                folder.mkdir()
                (folder / readers.FILE).touch()
                yield folder
                self._switch(generation)
            except BaseException as error:
                self._remove(folder)
                if isinstance(error, OSError):
                    raise self._unwritable(error) from error
                raise
            self._remove_all_but(generation)

    def _current(self) -> str | None:
        try:
            return (self.folder / CURRENT).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None

    def _switch(self, generation: str) -> None:
        pointer = self.folder / f".{CURRENT}"
        with pointer.open("w", encoding="utf-8") as file:
            file.write(generation)
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self.folder / CURRENT)

    def _remove_all_but(self, generation: str | None) -> None:
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder.name != generation:
                self._remove(folder)

    def _remove(self, folder: Path) -> None:
        """Delete a generation, unless somebody reads it or its vectors cannot be dropped: then the next load tries."""
        with readers.alone(folder) as unread:
            if not unread:
                return
            try:
                if self._discard is not None:
                    self._discard(folder)
            except CoreSearchError:
                return
            shutil.rmtree(folder, ignore_errors=True)

    def left(self, generation: Path) -> None:
        """Delete a generation that a reader of this process has left, if it no longer counts and nobody reads it."""
        if generation.is_dir() and self._current() not in (None, generation.name):
            self._remove(generation)

    def remove(self) -> None:
        """Delete the workspace and everything in it, also under those who read it."""
        self.generation()
        with self.writing():
            for generation in self.folder.iterdir():
                if generation.is_dir() and self._discard is not None:
                    self._discard(generation)
            try:
                (self.folder / CURRENT).unlink()
            except OSError as error:
                raise self._unwritable(error) from error
            shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):
            self._lock_file.unlink()

    def rename(self, new: WorkspaceFolder) -> None:
        """Move it to another name, which must be free."""
        if new.exists():
            raise UsageError(f"there is already a workspace {new.name!r}; choose another name or remove it first")
        generation = self.generation()
        with self.writing(), new.writing():
            self._remove_all_but(generation.name)
            meta = read_meta(generation, self.name)
            renamed = meta.model_copy(update={"header": meta.header.model_copy(update={"name": new.name})})
            shutil.rmtree(new.folder, ignore_errors=True)
            self.folder.rename(new.folder)
            write_meta(new.folder / generation.name, renamed)


def read_meta(generation: Path, name: str) -> WorkspaceMeta:
    """The stamp of a generation. `StampMismatch` when another version of the program made it."""
    try:
        text = (generation / META).read_bytes()
        _check_schema(text, name)
        return WorkspaceMeta.model_validate_json(text)
    except (OSError, ValidationError) as error:
        reason = error if isinstance(error, OSError) else f"{error.error_count()} wrong fields"
        raise WorkspaceDamaged(
            f"workspace {name!r}: {META} cannot be read ({reason}); load the memory again with --replace"
        ) from error


def _check_schema(text: bytes, name: str) -> None:
    """Before the fields: another version has others."""
    try:
        found = json.loads(text)
        version = found.get("schemaVersion", SCHEMA_VERSION) if isinstance(found, dict) else SCHEMA_VERSION
    except (ValueError, RecursionError):
        return
    if version != SCHEMA_VERSION:
        raise StampMismatch(
            f"workspace {name!r} has schema version {version!r}, this program reads {SCHEMA_VERSION}; "
            "install the version that made it, export it there, and load it here"
        )


def write_meta(generation: Path, meta: WorkspaceMeta) -> None:
    aside = generation / f".{META}"
    aside.write_text(meta.model_dump_json(by_alias=True, indent=2), "utf-8")
    aside.replace(generation / META)


def write_query_set(generation: Path, bundle: Bundle) -> None:
    """Keep the bundle's queries and judgments beside the memory that they are about."""
    lines = [query.model_dump_json(by_alias=True, exclude_defaults=True) + "\n" for query in bundle.queries]
    (generation / QUERIES).write_text("".join(lines), "utf-8")
    qrels = [f"{qrel.query_id} 0 {qrel.doc_id} {qrel.grade}\n" for qrel in bundle.qrels]
    (generation / QRELS).write_text("".join(qrels), "utf-8")


def read_query_set(generation: Path) -> tuple[tuple[Query, ...], tuple[Qrel, ...]]:
    """The queries and judgments that came with the memory; empty when it had none."""
    try:
        qrels = [line.split() for line in _lines(generation / QRELS)]
        return (
            tuple(Query.model_validate_json(line) for line in _lines(generation / QUERIES)),
            tuple(Qrel(query_id=query, doc_id=doc, grade=int(grade)) for query, _, doc, grade in qrels),
        )
    except (OSError, ValueError) as error:
        raise WorkspaceDamaged(
            f"the queries in {str(generation)!r} cannot be read; delete {QUERIES!r} and {QRELS!r} there, or load the "
            "memory again with --replace"
        ) from error


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").split("\n") if line.strip()] if path.is_file() else []


def list_workspaces(home: Path) -> list[WorkspaceFolder]:
    """Every workspace, by name."""
    root = home / "workspaces"
    if not root.is_dir():
        return []
    folders = [path.name for path in root.iterdir() if path.is_dir() and _NAME.fullmatch(path.name)]
    return [folder for name in sorted(folders) if (folder := WorkspaceFolder(home, name)).exists()]
