"""The engines as they are, with nothing of ours between: no checks, no filters, no values made of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core_search.context import MemoryStores
from core_search.models import Namespace
from core_search.providers.base import Embedder
from core_search.stores.base import LexicalField
from core_search.stores.bm25_lexical import Bm25Lexical
from core_search.stores.chroma_vectors import ChromaVectors
from core_search.stores.kuzu_connection import Session
from core_search.stores.kuzu_graph import KuzuGraph
from core_search.stores.kuzu_values import SCANNED_ROWS, TABLES
from core_search.stores.mapped_vectors import MappedVectors

MANY_ROWS = 1_000  # beyond this an Arrow table is read faster than a list of rows


class RawEngines:
    """Raw calls on the engines of one memory; each returns the ids that it found.

    `embedder` must be another one than that of the searches: it would know their queries already.
    """

    def __init__(self, stores: MemoryStores, embedder: Embedder):
        graph, lexical = stores.graph, stores.lexical
        vectors = stores.vectors.store if isinstance(stores.vectors, MappedVectors) else stores.vectors
        assert isinstance(graph, KuzuGraph)
        assert isinstance(vectors, ChromaVectors)
        assert isinstance(lexical, Bm25Lexical)
        self._graph, self._vectors, self._lexical, self._embedder = graph, vectors, lexical, embedder
        self._counts = graph.counts()
        self.catalog = stores.catalog
        self.connect = graph.engine_session

    def embed(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._embedder.embed([text])[0]
        return vector

    def cypher(self, session: Session, text: str, parameters: Mapping[str, Any]) -> list[str]:
        """One prepared statement; the ids are those of statements where it returns some, else the first column."""
        answer = session.connection.execute(session.statement(text, parameters), dict(parameters))
        names = answer.get_column_names()
        column = names.index("statement") if "statement" in names else 0
        if answer.get_num_tuples() > MANY_ROWS:
            ids: list[str] = answer.get_as_arrow()[names[column]].to_pylist()
            return ids
        return [row[column] for row in answer.get_all()]

    def by_key(self, session: Session, table: str, keys: Sequence[str]) -> list[str]:
        """Whole rows by primary key, one after the other, or a scan of the table: whichever is faster."""
        node = TABLES[table]
        columns = ", ".join(f"n.{name}" for name in node.columns)
        if len(keys) > MANY_ROWS:
            found = set(self.cypher(session, f"MATCH (n:{node.name}) RETURN {columns}", {}))
            return [key for key in keys if key in found]
        if self._counts[table] <= SCANNED_ROWS * len(keys):
            text = f"MATCH (n:{node.name}) WHERE n.{node.key} IN $keys RETURN {columns}"
            return self.cypher(session, text, {"keys": list(keys)})
        text = f"MATCH (n:{node.name} {{{node.key}: $key}}) RETURN {columns}"
        statement = session.statement(text, {"key": ""})
        execute = session.connection.execute
        return [row[0] for key in keys for row in execute(statement, {"key": key}).get_all()]

    def nearest(self, namespace: Namespace, vector: NDArray[np.float32], count: int) -> list[str]:
        collection: Any = self._vectors.engine_collection(namespace)
        if collection is None or not count:
            return []
        answer = collection.query(query_embeddings=[vector], n_results=count, include=["distances"])
        ids: list[str] = answer["ids"][0]
        return ids

    def vectors(self, namespace: Namespace, ids: Sequence[str]) -> list[str]:
        collection: Any = self._vectors.engine_collection(namespace)
        if collection is None or not ids:
            return []
        found: list[str] = collection.get(ids=list(ids), include=["embeddings"])["ids"]
        return found

    def words(self, field: LexicalField, text: str, depth: int) -> list[str]:
        """The best `depth` ids by BM25, in no order; with a depth of 0 the scores alone are computed."""
        ids, index = self._lexical.engine_index(field)
        terms = self._lexical.query_terms(field, text)
        if index is None or not terms:
            return []
        scores = index.get_scores_from_ids(terms)
        if not depth:
            return []
        found = np.flatnonzero(scores > 0)  # to cut without the zeros takes a hundredth of the time
        if len(found) > depth:
            found = found[np.argpartition(scores[found], -depth)[-depth:]]
        return [ids[row] for row in found.tolist()]
