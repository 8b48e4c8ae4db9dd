"""What loading costs beside its raw parts: the same texts embedded in batches, the same rows written to the engines."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core_search.bench.synthetic import synthetic_bundle
from core_search.engine import SearchEngine
from core_search.indexing import BATCH, lexical_texts, vector_texts
from core_search.models import VOICE_ASPECTS, Memory, Namespace
from core_search.providers.base import Embedder
from core_search.settings import Settings
from core_search.stores.base import Progress, Vectors
from core_search.stores.bm25_lexical import Bm25Lexical
from core_search.stores.catalog import Catalog
from core_search.stores.chroma_client import ChromaClient
from core_search.stores.kuzu_connection import acquire, release
from core_search.stores.kuzu_rows import MemoryRows
from core_search.stores.kuzu_schema import arrow_table, copy_statement, create_tables

NamedVectors = dict[Namespace, tuple[Sequence[str], Vectors]]


@dataclass(frozen=True, slots=True)
class Loading:
    """Seconds for the whole load and for each raw part; all texts have real vectors."""

    episodes: int
    statements: int
    load_s: float
    raw_s: dict[str, float]

    @property
    def ratio(self) -> float:
        return self.load_s / sum(self.raw_s.values())


def measure_loading(settings: Settings, episodes: int, progress: Progress | None = None) -> Loading:
    """Load a memory of that many episodes into a folder that is deleted again, then do the raw parts, in one run."""
    bundle = synthetic_bundle("loading", episodes)
    with tempfile.TemporaryDirectory(prefix="core-search-bench-", ignore_cleanup_errors=True) as folder:
        with SearchEngine(settings.model_copy(update={"home": Path(folder) / "home"})) as engine:
            embedder = engine.providers.embedder
            embedder.embed(["the model is loaded before the clock starts"])
            load_s = _seconds(lambda: engine.load(bundle, progress=progress))
        raw_s = raw_parts(bundle.memory, embedder, settings.graph, Path(folder))
    return Loading(episodes, len(bundle.memory.statements), load_s, raw_s)


def raw_parts(memory: Memory, embedder: Embedder, graph_engine: str, folder: Path) -> dict[str, float]:
    """Seconds of each part. What is written is made ready before its clock starts."""
    vectors: NamedVectors = {}
    embedding_s = _seconds(lambda: vectors.update(_embedded(memory, embedder)))
    of_statement = dict(zip(*vectors[Namespace.STATEMENT], strict=True))
    voice = [s.uuid for s in memory.statements if s.aspect in VOICE_ASPECTS]
    if voice:
        vectors[Namespace.ASPECT] = (voice, np.stack([of_statement[uuid] for uuid in voice]))
    tables = [
        (copy_statement(table), arrow_table(table, rows))
        for table, values, rows_of in MemoryRows(memory).tables()
        if (rows := [row for value in values for row in rows_of(value)])
    ]
    texts = lexical_texts(memory, Catalog.of(memory))
    return {
        "embedding": embedding_s,
        "kuzu": _seconds(lambda: _write_graph(folder / "graph.db", graph_engine, tables)),
        "chroma": _seconds(lambda: _write_vectors(folder / "vectors", vectors)),
        "bm25s": _seconds(lambda: Bm25Lexical(folder / "words", {}).write(texts)),
    }


def _seconds(work: Callable[[], object]) -> float:
    started_s = time.perf_counter()
    work()
    return time.perf_counter() - started_s


def _embedded(memory: Memory, embedder: Embedder) -> NamedVectors:
    return {
        namespace: (ids, np.concatenate([embedder.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]))
        for namespace, (ids, texts) in vector_texts(memory).items()
        if ids
    }


def _write_graph(path: Path, graph_engine: str, tables: Sequence[tuple[str, Any]]) -> None:
    shared = acquire(path, graph_engine, create=True)
    try:
        with shared.session(timeout_ms=0) as session:
            create_tables(session)
            session.connection.execute("BEGIN TRANSACTION")
            for statement, rows in tables:
                session.connection.execute(statement, {"rows": rows})
            session.connection.execute("COMMIT")
            session.connection.execute("CHECKPOINT")
    finally:
        release(shared)


def _write_vectors(path: Path, vectors: NamedVectors) -> None:
    client = ChromaClient.open(path)
    try:
        for namespace, (ids, rows) in vectors.items():
            collection: Any = client.collection(namespace.value, create=True)
            for at in range(0, len(ids), client.max_batch):
                part = slice(at, at + client.max_batch)
                collection.upsert(ids=list(ids[part]), embeddings=rows[part])
    finally:
        client.close()
