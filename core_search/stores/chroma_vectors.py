"""The vectors of a memory in Chroma, one collection a namespace: embedded in a folder, or on a Chroma server.

A namespace of up to `EXACT_UP_TO` rows is read from Chroma once, kept in memory and searched exactly: Chroma's index
(HNSW) loses vectors when texts repeat. With 1,000 equal vectors among 20,000 it found 68 to 91 % of the nearest 20, and
23 to 97 % of all rows when asked for every one. Larger namespaces ask the index for more than the limit, and again for
more, until the answer is settled; when the filter leaves too little of that, or the index does not reach every
row, the rows that the filter takes are scored exactly, in batches. No `where`: at 100,000 rows it makes a query
100 times slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core_search.errors import StoreError
from core_search.models import Namespace
from core_search.stores.base import VectorHit, VectorRecord, Vectors
from core_search.stores.chroma_client import ChromaClient
from core_search.stores.exact_rows import ExactRows, best_first
from core_search.stores.id_filter import IdFilter

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

EXACT_UP_TO = 10_000  # rows: 15 MB and half a second to read at 384 dimensions, then 2 ms a search
_OVERFETCH = 4  # times the limit at first, as the index finds more when asked for more, then times what a page promises
_SPARE = 1.3  # times what the share of a filter promises: the similar ones are not spread as all are
_NO_RECORD = VectorRecord()
_RECORDS = "records"  # marks a collection some rows of which have records
_BATCH = 2_000  # rows a read; SQLite takes no more than 32,766 ids
_BATCH_BYTES = 8 * 2**20  # vectors a write; a server refuses a body of 40 MB, and as text they are a third longer


class ChromaVectors:
    """The `VectorStore` on Chroma.

    What it keeps in memory is renewed when this process adds rows or their number changes. Another process
    must not overwrite rows of a store that is open here: one process writes a store, then others open it.
    """

    def __init__(self, client: ChromaClient):
        self._client: ChromaClient | None = client
        # Each with the state it was read in: the number of writes and of rows.
        self._exact: dict[Namespace, tuple[tuple[int, int], ExactRows]] = {}
        self._ids: dict[Namespace, tuple[tuple[int, int], list[str]]] = {}
        self._totals: dict[Namespace, tuple[int, int]] = {}

    @classmethod
    def open(cls, path: Path) -> ChromaVectors:
        """The store in the folder `path`, made when there is none. Raises `WorkspaceDamaged` when it cannot be read."""
        return cls(ChromaClient.open(path))

    @classmethod
    def connect(cls, url: str, prefix: str) -> ChromaVectors:
        """The store on the Chroma server at `url` (http or https) whose collections' names start with `prefix`.

        Give each generation of a workspace its own prefix, and `drop` the last one.
        """
        return cls(ChromaClient.connect(url, prefix))

    def add(
        self,
        namespace: Namespace,
        ids: Sequence[str],
        vectors: Vectors,
        records: Sequence[VectorRecord] | None = None,
    ) -> None:
        """Store or overwrite; any number of rows, each id once."""
        client = self._opened()
        _check_rows(namespace, ids, vectors, records)
        if not len(ids):
            return
        batch = min(client.max_batch, max(1, _BATCH_BYTES // (4 * vectors.shape[1])))
        collection = client.collection(namespace.value, create=True)
        assert collection is not None
        if records is not None and not _has_records(collection):
            with client.border(f"mark {namespace.value!r}"):
                collection.modify(metadata={_RECORDS: True})
        try:
            for start in range(0, len(ids), batch):
                part = slice(start, start + batch)
                with client.border(f"add to {namespace.value!r}"):
                    collection.upsert(
                        ids=list(ids[part]),
                        embeddings=np.asarray(vectors[part], dtype=np.float32),
                        metadatas=None if records is None else [_metadata(record) for record in records[part]],
                    )
        finally:
            client.writes += 1

    def search(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None = None,
        minimum: float = -1.0,
    ) -> list[VectorHit]:
        """The `limit` most similar ids that `accepts` takes and whose cosine reaches `minimum`."""
        if vector.ndim != 1 or not np.isfinite(vector).all():
            raise StoreError(
                f"cannot search {namespace.value!r} with a vector of shape {vector.shape}: it must be one row of "
                "finite numbers; check the embeddings"
            )
        if limit <= 0:
            return []
        total = self._total(namespace)
        if not total:
            return []
        if total <= EXACT_UP_TO:
            return self._all_rows(namespace, total).nearest(vector, limit, accepts, minimum)
        hits = self._indexed(namespace, vector, limit, accepts, minimum)
        return self._scan(namespace, vector, limit, accepts, minimum) if hits is None else hits

    def vectors(self, namespace: Namespace, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The stored vector of each known id."""
        pages = self._rows_of(namespace, list(dict.fromkeys(ids)))
        return {id: vector for rows in pages for id, vector in zip(rows.ids, rows.vectors, strict=True)}

    def count(self, namespace: Namespace) -> int:
        """How many rows the namespace has."""
        collection = self._collection(namespace)
        if collection is None:
            return 0
        with self._opened().border(f"count {namespace.value!r}", reads=True):
            return collection.count()

    def engine_collection(self, namespace: Namespace) -> Collection | None:
        """Chroma's own collection, without any check of ours: to measure what Chroma alone takes. None when empty."""
        return self._collection(namespace)

    def drop(self) -> None:
        """Delete every row. An embedded store keeps the space on the disk: delete its folder instead."""
        for namespace in Namespace:
            self._opened().drop(namespace.value)

    def close(self) -> None:
        """Let go of the store. A second call does nothing."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _opened(self) -> ChromaClient:
        if self._client is None:
            raise StoreError("the vector store is closed; open the workspace again")
        return self._client

    def _collection(self, namespace: Namespace) -> Collection | None:
        return self._opened().collection(namespace.value)

    def _total(self, namespace: Namespace) -> int:
        """How many rows there are: to count 100,000 takes as long as to find some, so the number is kept.

        A folder changes by this process alone; of what is on a server only a large number is taken as settled.
        """
        client = self._opened()
        writes, total = self._totals.get(namespace, (-1, 0))
        if writes != client.writes or not (client.embedded or total > EXACT_UP_TO):
            writes, total = client.writes, self.count(namespace)
            self._totals[namespace] = (writes, total)
        return total

    def _all_rows(self, namespace: Namespace, total: int) -> ExactRows:
        """Every row of a small namespace, from memory when nothing has changed."""
        state = (self._opened().writes, total)
        known, rows = self._exact.get(namespace, (None, None))
        if rows is None or known != state:
            rows = ExactRows.joined(
                [self._page(namespace, limit=_BATCH, offset=start) for start in range(0, total, _BATCH)]
            )
            self._exact[namespace] = (state, rows)
        return rows

    def _indexed(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None,
        minimum: float,
    ) -> list[VectorHit] | None:
        """By Chroma's index, page after page; None when that does not settle the answer."""
        collection: Any = self._collection(namespace)
        # Records are read from SQLite, which takes longer than the search itself.
        include = ["metadatas", "distances"] if _has_records(collection) else ["distances"]
        size = _first_page(limit, accepts)
        while size <= EXACT_UP_TO:
            with self._opened().border(f"search {namespace.value!r}", reads=True):
                answer = collection.query(query_embeddings=[vector], n_results=size, include=include)
            ids, distances = answer["ids"][0], answer["distances"][0]
            metadatas = answer["metadatas"][0] if answer["metadatas"] else [None] * len(ids)
            hits: list[VectorHit] = []
            for id, distance, metadata in zip(ids, distances, metadatas, strict=True):  # the most similar first
                cosine = max(-1.0, 1.0 - distance)
                # What follows is less similar: ties of the last hit have come.
                if cosine < (hits[limit - 1].cosine if len(hits) >= limit else minimum):
                    return best_first(hits)[:limit]
                if accepts is None or accepts(id):
                    hits.append(VectorHit(id, cosine, _record(metadata)))
            if len(ids) < size:
                return None
            size = max(_OVERFETCH * size, _OVERFETCH * size * limit // max(1, len(hits)))
        return None

    def _scan(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None,
        minimum: float,
    ) -> list[VectorHit]:
        """Exactly, over the rows that the filter takes; the ids stay in memory, the vectors do not."""
        total = self.count(namespace)
        state = (self._opened().writes, total)
        known, ids = self._ids.get(namespace, (None, None))
        if ids is None or known != state:
            ids = [
                id
                for start in range(0, total, _BATCH)
                for id in self._get(namespace, limit=_BATCH, offset=start, include=[])["ids"]
            ]
            self._ids[namespace] = (state, ids)
        hits: list[VectorHit] = []
        for rows in self._rows_of(namespace, ids if accepts is None else list(filter(accepts, ids))):
            hits = best_first(hits + rows.nearest(vector, limit, None, minimum))[:limit]
        return hits

    def _rows_of(self, namespace: Namespace, ids: list[str]) -> Iterator[ExactRows]:
        """The rows of the known ids, a batch at a time."""
        if self._collection(namespace) is not None:
            for start in range(0, len(ids), _BATCH):
                rows = self._page(namespace, ids=ids[start : start + _BATCH])
                if rows.ids:
                    yield rows

    def _page(self, namespace: Namespace, **which: Any) -> ExactRows:
        answer = self._get(namespace, include=["embeddings", "metadatas"], **which)
        return ExactRows.of(
            answer["ids"],
            [_record(metadata) for metadata in answer["metadatas"]],
            np.atleast_2d(np.asarray(answer["embeddings"], dtype=np.float32)),
        )

    def _get(self, namespace: Namespace, **request: Any) -> Any:
        collection: Any = self._collection(namespace)
        with self._opened().border(f"read {namespace.value!r}", reads=True):
            return collection.get(**request)


def _first_page(limit: int, accepts: Callable[[str], bool] | None) -> int:
    """How many rows to ask the index for at first."""
    promised = limit / max(accepts.share, 1e-9) * _SPARE if isinstance(accepts, IdFilter) else 0
    return max(limit * _OVERFETCH, int(promised))


def _has_records(collection: Collection) -> bool:
    return bool(collection.metadata and collection.metadata.get(_RECORDS))


def _metadata(record: VectorRecord) -> dict[str, str | int | float | bool | None]:
    return {"valid_at": record.valid_at, "end_user_id": record.end_user_id, "aspect": record.aspect}


def _record(metadata: dict[str, Any] | None) -> VectorRecord:
    return VectorRecord(**metadata) if metadata else _NO_RECORD


def _check_rows(
    namespace: Namespace, ids: Sequence[str], vectors: Vectors, records: Sequence[VectorRecord] | None
) -> None:
    beside = len(ids) if records is None else len(records)
    if vectors.ndim != 2 or not len(ids) == len(vectors) == beside or len(set(ids)) != len(ids):
        raise StoreError(
            f"cannot add to {namespace.value!r}: {len(ids)} ids, {len(set(ids))} of them distinct, vectors of shape "
            f"{vectors.shape} and {beside} records; give one distinct id, one vector and one record a row"
        )
    finite = np.isfinite(vectors).all(axis=1)
    if not finite.all():
        bad = ids[int(np.argmin(finite))]
        raise StoreError(f"cannot add {bad!r} to {namespace.value!r}: its vector is not finite; check the embeddings")
