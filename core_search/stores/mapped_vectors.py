"""A vector store with a second copy of its rows, mapped into memory: for what an index is slow at.

To fetch the vectors of 300 known ids takes Chroma 8 ms, from a mapped file 0.3 ms. A filter that takes 1 % of 300,000
rows leaves its index almost nothing of what it finds; the rows themselves, 3,000 of them, are scored in 2 ms. The copy
is written while the store is filled and used only when it has every row; without it the store answers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core_search.models import Namespace
from core_search.stores.base import VectorHit, VectorRecord, Vectors, VectorStore
from core_search.stores.exact_rows import ExactRows
from core_search.stores.id_filter import IdFilter
from core_search.stores.vector_files import VectorFile, VectorFileWriter

# Rows that are scored one by one as fast as the index finds as many behind a filter: about 12 ms at 384 dimensions.
FEW_ROWS = 12_000
# Behind a filter that takes a tenth, the index must find ten times as many. So many it finds in 10 ms, as long as 1,500
# rows take to be read and scored.
FOUND_AT_ONCE = 300


class MappedVectors:
    """A `VectorStore` over another one, with its rows in `folder`; they count when the store that wrote them closes."""

    def __init__(self, store: VectorStore, folder: Path):
        self.store = store
        self._folder = folder
        self._writers: dict[Namespace, VectorFileWriter] = {}
        self._files: dict[Namespace, VectorFile | None] = {}

    def add(
        self,
        namespace: Namespace,
        ids: Sequence[str],
        vectors: Vectors,
        records: Sequence[VectorRecord] | None = None,
    ) -> None:
        """Store or overwrite. Rows with records, and rows that come again, are left to the store alone."""
        self.store.add(namespace, ids, vectors, records)
        writer = self._writers.get(namespace)
        if writer is None:
            writer = self._writers[namespace] = VectorFileWriter(self._folder, namespace.value)
        writer.spoiled = writer.spoiled or records is not None
        writer.append(ids, vectors)

    def search(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None = None,
        minimum: float = -1.0,
    ) -> list[VectorHit]:
        """As the store; exact where a filter that knows what it takes takes few rows."""
        if isinstance(accepts, IdFilter) and limit > 0 and (file := self._file(namespace)):
            rows = file.taken(accepts)
            few = len(rows) <= FEW_ROWS and limit * len(file.ids) > FOUND_AT_ONCE * len(rows)
            fits = vector.ndim == 1 and len(vector) == file.dimension and np.isfinite(vector).all()
            if few and fits:  # what does not fit is refused by the store, with the remedy
                ids = [file.ids[row] for row in rows]
                chosen = ExactRows.of(ids, [VectorRecord()] * len(ids), file.rows(rows))
                return chosen.nearest(vector, limit, None, minimum)
        return self.store.search(namespace, vector, limit, accepts, minimum)

    def vectors(self, namespace: Namespace, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The stored vector of each known id."""
        file = self._file(namespace)
        if file is None:
            return self.store.vectors(namespace, ids)
        known, rows = file.known(ids)
        return dict(zip(known, rows, strict=True))

    def count(self, namespace: Namespace) -> int:
        return self.store.count(namespace)

    def close(self) -> None:
        """Finish the copy and let go of both. A second call does nothing."""
        for writer in self._writers.values():
            writer.finish()
        self._writers.clear()
        self._files.clear()
        self.store.close()

    def _file(self, namespace: Namespace) -> VectorFile | None:
        """The copy, unless rows were added since this store was opened or it does not have all rows."""
        if namespace in self._writers:
            return None
        if namespace not in self._files:
            file = VectorFile.open(self._folder, namespace.value)
            self._files[namespace] = file if file and len(file.ids) == self.store.count(namespace) else None
        return self._files[namespace]
