"""One generation of a workspace: filling its folder, and opening its stores. Nothing else builds stores."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from core_search import readers
from core_search.context import MemoryStores
from core_search.entities import EntityNames
from core_search.errors import StampMismatch, WorkspaceDamaged
from core_search.indexing import index_lexical, index_vectors
from core_search.models import Memory, Namespace
from core_search.providers.base import Embedder
from core_search.settings import Settings
from core_search.stores.base import GraphStore, LexicalStore, Progress, VectorStore
from core_search.stores.bm25_lexical import Bm25Lexical
from core_search.stores.catalog import Catalog
from core_search.stores.chroma_vectors import ChromaVectors
from core_search.stores.free_memory import give_back
from core_search.stores.kuzu_graph import KuzuGraph
from core_search.stores.mapped_rows import MappedRows
from core_search.stores.mapped_vectors import MappedVectors
from core_search.stores.probe import probe
from core_search.stores.seal import COLUMNS, GRAPH, LEXICAL, ROWS, VECTOR_COPY, VECTORS, check_files, check_vectors
from core_search.workspace import WorkspaceMeta, read_meta


@dataclass(frozen=True)
class OpenMemory:
    """A generation of a workspace, opened for reading."""

    meta: WorkspaceMeta
    generation: Path
    stores: MemoryStores
    held: ExitStack  # everything that is open, and the reader's share in the generation

    def close(self) -> None:
        self.held.close()


@dataclass(frozen=True)
class Generations:
    """Fills and opens generations with the engines of an installation and the embedding model in use."""

    settings: Settings
    embedder: Callable[[], Embedder]  # asked when it is needed: to hand on a memory takes no model

    def write_graph(self, generation: Path, memory: Memory, progress: Progress | None) -> dict[str, int]:
        """Returns how many there are of each kind."""
        graph = KuzuGraph.create(generation / GRAPH, self.settings.graph)
        try:
            graph.write(memory, progress)
            return graph.counts()
        finally:
            graph.close()

    def read_graph(self, generation: Path, meta: WorkspaceMeta) -> Memory:
        """Everything that the graph of a generation has."""
        graph = KuzuGraph.open(generation / GRAPH, meta.graph_engine)
        try:
            return graph.memory()
        finally:
            graph.close()

    def index(self, generation: Path, memory: Memory, progress: Progress | None) -> dict[str, int]:
        """Columns, vectors and words; returns how many vectors each namespace has."""
        Catalog.of(memory).save(generation / COLUMNS)
        MappedRows.write(generation / ROWS, memory)
        give_back()  # while the vectors are written, the memory is fullest
        vectors = self._vectors_of(generation)
        try:
            index_vectors(memory, vectors, self.embedder(), progress)
            counts = {namespace.value: vectors.count(namespace) for namespace in Namespace}
        finally:
            vectors.close()
        lexical = Bm25Lexical.create(generation / LEXICAL)
        try:
            index_lexical(memory, Catalog.open(generation / COLUMNS), lexical, progress)
        finally:
            lexical.close()
        return counts

    def check_graph(self, generation: Path, meta: WorkspaceMeta) -> None:
        """Before anything opens the graph: on damaged files the engine ends the process."""
        if not check_files(generation, meta.name, GRAPH):
            probe(generation / GRAPH, meta.name, meta.graph_engine)

    def drop_from_server(self, generation: Path) -> None:
        vectors = ChromaVectors.connect(self.settings.chroma_url or "", generation.name)
        try:
            vectors.drop()
        finally:
            vectors.close()

    def open(self, name: str, generation: Path) -> OpenMemory:
        with ExitStack() as held:
            share = readers.enter(generation)
            if share is None:
                raise WorkspaceDamaged(f"workspace {name!r}: {generation.name!r} is being deleted; try again")
            held.enter_context(share)
            meta = read_meta(generation, name)
            self._check_stamp(meta)
            stores = self._open_stores(name, generation, meta, held)
            return OpenMemory(meta, generation, stores, held.pop_all())

    def _open_stores(self, name: str, generation: Path, meta: WorkspaceMeta, held: ExitStack) -> MemoryStores:
        if not check_files(generation, name):
            probe(generation / GRAPH, name, meta.graph_engine)
            probe(generation / VECTORS, name, meta.graph_engine)
        rows = MappedRows.open(generation / ROWS)
        graph: GraphStore = KuzuGraph.open(generation / GRAPH, meta.graph_engine, rows)
        held.callback(graph.close)
        vectors: VectorStore = self._vectors_of(generation)
        held.callback(vectors.close)
        check_vectors(generation, name, vectors)
        lexical: LexicalStore = Bm25Lexical.open(generation / LEXICAL)
        held.callback(lexical.close)
        return MemoryStores(
            name=name,
            graph=graph,
            vectors=vectors,
            lexical=lexical,
            catalog=Catalog.open(generation / COLUMNS),
            names=EntityNames(graph.all_entities()),
            labels=tuple(graph.labels()),
            zone=ZoneInfo(meta.header.timezone),
            version=meta.header.version,
            owner=meta.header.owner,
        )

    def _check_stamp(self, meta: WorkspaceMeta) -> None:
        embedder = self.embedder()
        made = (meta.embedding_model, meta.embedding_dimension)
        if made != (embedder.model, embedder.dimension):
            raise StampMismatch(
                f"workspace {meta.name!r} was embedded with {made[0]!r} ({made[1]} dimensions), but "
                f"{embedder.model!r} ({embedder.dimension}) is in use; "
                f"`core-search reembed --workspace {meta.name}` makes its vectors anew, or choose the other "
                "model with CORE_SEARCH_EMBEDDINGS"
            )

    def _vectors_of(self, generation: Path) -> VectorStore:
        if self.settings.chroma_url:
            # The generation's name is unique by itself, and stays when the workspace is renamed.
            store = ChromaVectors.connect(self.settings.chroma_url, generation.name)
            return MappedVectors(store, generation / VECTOR_COPY)
        return MappedVectors(ChromaVectors.open(generation / VECTORS), generation / VECTOR_COPY)
