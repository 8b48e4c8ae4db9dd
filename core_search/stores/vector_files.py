"""The vectors of one namespace as a file that is mapped into memory: rows of 32-bit floats beside a list of ids.

The pages that a read has touched are let go again after it: they stay in the cache of the system, and do not count as
memory of the process.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core_search.stores.base import Vectors
from core_search.stores.id_filter import IdFilter, Places

_FLOAT = np.dtype("<f4")


class VectorFile:
    """Read-only rows, each id once. Nothing is read from the disk until a row is looked at."""

    def __init__(self, ids: Sequence[str], pages: mmap.mmap, dimension: int):
        self.ids, self.dimension = ids, dimension
        self._pages = pages
        self._rows = np.frombuffer(pages, dtype=_FLOAT).reshape(len(ids), dimension)
        self._places: Places | None = None

    @classmethod
    def open(cls, folder: Path, name: str) -> VectorFile | None:
        """The rows that were written to the folder under that name; None when they are not there whole."""
        try:
            ids = json.loads(_ids_file(folder, name).read_text("utf-8"))
            with _rows_file(folder, name).open("rb") as file:
                pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            dimension, rest = divmod(len(pages), _FLOAT.itemsize * len(ids)) if ids else (0, 1)
            return None if rest or not dimension else cls(ids, pages, dimension)
        except (OSError, ValueError, TypeError):
            return None

    @cached_property
    def _row(self) -> dict[str, int]:
        return {id_: row for row, id_ in enumerate(self.ids)}

    def known(self, ids: Sequence[str]) -> tuple[list[str], Vectors]:
        """Those of the ids that are here, each once, with their rows."""
        rows = {id_: row for id_ in ids if (row := self._row.get(id_)) is not None}
        return list(rows), self.rows(np.fromiter(rows.values(), dtype=np.int64, count=len(rows)))

    def rows(self, which: NDArray[np.int64]) -> Vectors:
        """A copy of some rows, shape (n, dimension)."""
        chosen = self._rows[which]
        if hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            self._pages.madvise(mmap.MADV_DONTNEED)
        return chosen

    def taken(self, accepts: IdFilter) -> NDArray[np.int64]:
        """The rows that the filter takes."""
        places = self._places
        if places is None or not places.fits(accepts):
            places = self._places = Places(self.ids, accepts)
        return np.flatnonzero(places.mask(accepts))


class VectorFileWriter:
    """Appends rows; the file counts only when `finish` has written its ids. An id that comes again spoils it."""

    def __init__(self, folder: Path, name: str):
        self._folder, self._name = folder, name
        self._ids: dict[str, None] = {}
        self._file: BinaryIO | None = None
        self.spoiled = False

    def append(self, ids: Sequence[str], vectors: Vectors) -> None:
        if self.spoiled or any(id_ in self._ids for id_ in ids):
            self.spoiled = True
            return
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            _ids_file(self._folder, self._name).unlink(missing_ok=True)
            self._file = _rows_file(self._folder, self._name).open("wb")
        self._ids.update(dict.fromkeys(ids))
        self._file.write(np.ascontiguousarray(vectors, dtype=_FLOAT).tobytes())

    def finish(self) -> None:
        if self._file is None:
            return
        self._file.close()
        self._file = None
        if self.spoiled:
            _rows_file(self._folder, self._name).unlink(missing_ok=True)
        else:
            _ids_file(self._folder, self._name).write_text(json.dumps(list(self._ids)), "utf-8")


def _rows_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.f32"


def _ids_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.ids.json"
