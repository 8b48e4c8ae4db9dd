"""What the files of a generation were when they were written, so that damage is seen before an engine meets it.

Kùzu and Chroma end the whole process on garbage in their files; they must never be the first to look. Size and time
of change decide, and where they differ (a copied folder has other times) the content does.

Not sealed is what changes by reading: Chroma's SQLite file, which SQLite checks itself, and index files that Chroma
has not read from disk yet (those without `index_metadata.pickle` it makes anew from that file).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core_search.errors import WorkspaceDamaged
from core_search.models import Namespace
from core_search.stores.base import VectorStore

SEAL = "seal.json"
GRAPH, VECTORS, LEXICAL = "graph.db", "vectors", "lexical"
ROWS, VECTOR_COPY, COLUMNS = "rows", "vector-copy", "columns"
_PERSISTED = "index_metadata.pickle"

LOAD_AGAIN = "load the memory again with `core-search load … --replace`, or put back a copy of the whole folder"
REBUILD = "the graph is whole: `core-search rebuild --workspace {name}` makes it anew"


def write_seal(generation: Path, vectors: Mapping[str, int]) -> None:
    """Seal what was written, with the number of vectors by namespace: the last thing before a generation counts."""
    files = {str(path.relative_to(generation).as_posix()): _stamp(path) for path in _sealed(generation)}
    (generation / SEAL).write_text(json.dumps({"files": files, "vectors": dict(vectors)}, indent=1), "utf-8")


def check_files(generation: Path, name: str, part: str | None = None) -> bool:
    """Raise `WorkspaceDamaged` unless every sealed file (of one part) is as it was written.

    False when there is no seal: made before there were any, or taken away.
    """
    seal = _read(generation, name)
    if seal is None:
        return False
    for relative, stamp in seal["files"].items():
        first = relative.partition("/")[0]
        if part is not None and first != part:
            continue
        reason = _difference(generation / relative, stamp)
        if reason:
            remedy = LOAD_AGAIN if first == GRAPH else REBUILD.format(name=name)
            raise WorkspaceDamaged(f"workspace {name!r}: {relative!r} {reason}; {remedy}")
    return True


def check_vectors(generation: Path, name: str, vectors: VectorStore) -> None:
    """Raise `WorkspaceDamaged` when the vector store has not as many rows as were written."""
    seal = _read(generation, name)
    for value, count in (seal["vectors"] if seal else {}).items():
        there = vectors.count(Namespace(value))
        if there != count:
            raise WorkspaceDamaged(
                f"workspace {name!r}: of {count:,} vectors of {value!r} {there:,} are there; "
                f"{REBUILD.format(name=name)}"
            )


def _sealed(generation: Path) -> Iterator[Path]:
    for part in (GRAPH, ROWS, VECTOR_COPY, LEXICAL, COLUMNS):
        path = generation / part
        yield from [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    for marker in sorted((generation / VECTORS).glob(f"*/{_PERSISTED}")):
        yield from sorted(file for file in marker.parent.iterdir() if file.is_file())


def _stamp(path: Path) -> list[Any]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, _digest(path)]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _difference(path: Path, stamp: list[Any]) -> str:
    size, changed_ns, digest = stamp
    try:
        stat = path.stat()
        if stat.st_size != size:
            return f"has {stat.st_size:,} bytes, not the {size:,} that were written"
        if stat.st_mtime_ns != changed_ns and _digest(path) != digest:
            return "is not what was written"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return ""


def _read(generation: Path, name: str) -> Mapping[str, Any] | None:
    try:
        seal = json.loads((generation / SEAL).read_bytes())
        return {"files": dict(seal["files"]), "vectors": dict(seal["vectors"])}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise WorkspaceDamaged(
            f"workspace {name!r}: {SEAL!r} cannot be read ({error}); "
            "delete that file, and the stores are probed instead"
        ) from error
