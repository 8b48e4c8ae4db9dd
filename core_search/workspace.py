"""The folder of one memory: made aside, switched in atomically, opened for reading (SPEC 1, "Workspace").

    <home>/workspaces/<name>/current            the name of the generation that counts, replaced in one step
    <home>/workspaces/<name>/<generation>/      workspace.json, graph.db, vectors/, lexical/, columns/,
                                                queries.jsonl, qrels.txt

A generation is written once and never changed: a search cannot lock anybody out, a reader sees the old memory or the
new one, and a load that fails leaves nothing behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import AwareDatetime, ValidationError

from core_search.errors import UnknownWorkspace, UsageError, WorkspaceDamaged, WorkspaceLocked
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
    """One workspace on disk."""

    def __init__(self, home: Path, name: str):
        self.name = checked_name(name)
        self.folder = home / "workspaces" / name

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
        except OSError as error:
            raise WorkspaceDamaged(f"workspace {self.name!r} cannot be read: {error}") from error
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
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            with FileLock(self.folder.with_suffix(".lock"), timeout=0):
                yield
        except Timeout:
            raise WorkspaceLocked(
                f"workspace {self.name!r} is being loaded by another process; try again when that has ended"
            ) from None
        finally:
            if self.folder.is_dir() and not any(self.folder.iterdir()):
                self.folder.rmdir()

    @contextmanager
    def new_generation(self) -> Iterator[Path]:
        """A folder to build in. When the block ends well it becomes the current one; otherwise it is removed."""
        with self.writing():
            generation = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{uuid.uuid4().hex[:8]}"
            folder = self.folder / generation
            folder.mkdir()
            try:
                yield folder
                self._switch(generation)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            self._remove_all_but(generation)

    def _switch(self, generation: str) -> None:
        pointer = self.folder / f".{CURRENT}"
        with pointer.open("w", encoding="utf-8") as file:
            file.write(generation)
            file.flush()
            os.fsync(file.fileno())
        pointer.replace(self.folder / CURRENT)

    def _remove_all_but(self, generation: str) -> None:
        # Readers of an old generation keep their open files; on systems that refuse, the next load tries again.
        for folder in self.folder.iterdir():
            if folder.is_dir() and folder.name != generation:
                shutil.rmtree(folder, ignore_errors=True)

    def remove(self) -> None:
        """Delete the workspace and everything in it."""
        self.generation()
        with self.writing():
            (self.folder / CURRENT).unlink()
            shutil.rmtree(self.folder, ignore_errors=True)

    def rename(self, new: WorkspaceFolder) -> None:
        """Move it to another name, which must be free."""
        if new.exists():
            raise UsageError(f"there is already a workspace {new.name!r}; choose another name or remove it first")
        generation = self.generation()
        with self.writing(), new.writing():
            meta = read_meta(generation, self.name)
            renamed = meta.model_copy(update={"header": meta.header.model_copy(update={"name": new.name})})
            shutil.rmtree(new.folder, ignore_errors=True)
            self.folder.rename(new.folder)
            write_meta(new.folder / generation.name, renamed)


def read_meta(generation: Path, name: str) -> WorkspaceMeta:
    try:
        return WorkspaceMeta.model_validate_json((generation / META).read_bytes())
    except (OSError, ValidationError) as error:
        reason = error if isinstance(error, OSError) else f"{error.error_count()} wrong fields"
        raise WorkspaceDamaged(
            f"workspace {name!r}: {META} cannot be read ({reason}); load the memory again with --replace"
        ) from error


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
    queries = _lines(generation / QUERIES)
    qrels = [line.split() for line in _lines(generation / QRELS)]
    return (
        tuple(Query.model_validate_json(line) for line in queries),
        tuple(Qrel(query_id=query, doc_id=doc, grade=int(grade)) for query, _, doc, grade in qrels),
    )


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").split("\n") if line.strip()] if path.is_file() else []


def list_workspaces(home: Path) -> list[WorkspaceFolder]:
    """Every workspace, by name."""
    root = home / "workspaces"
    if not root.is_dir():
        return []
    folders = [path.name for path in root.iterdir() if path.is_dir() and _NAME.fullmatch(path.name)]
    return [folder for name in sorted(folders) if (folder := WorkspaceFolder(home, name)).exists()]
