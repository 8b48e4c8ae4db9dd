"""The front door: opens memories, builds stores and providers, runs searches. Nothing else builds either."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from zoneinfo import ZoneInfo

from core_search import readers
from core_search.assemble import assemble
from core_search.context import Context, MemoryStores
from core_search.deadline import Deadline
from core_search.entities import EntityNames
from core_search.errors import (
    CoreSearchError,
    ProviderError,
    StampMismatch,
    UnknownWorkspace,
    UsageError,
    WorkspaceDamaged,
)
from core_search.indexing import index_lexical, index_vectors
from core_search.ingest import read_bundle
from core_search.ingest.values import Bundle
from core_search.models import Memory, Namespace, RouterOutput
from core_search.one_thread import limit_blas
from core_search.options import SearchOptions
from core_search.pasted_keys import without_keys
from core_search.pipeline import not_begun, run
from core_search.providers.build import Providers, build_providers
from core_search.results import SearchRequest, SearchResult
from core_search.room import bytes_needed, check_room
from core_search.router.route import route
from core_search.router.rules.dates import read_dates
from core_search.settings import Settings
from core_search.stores.base import GraphStore, LexicalStore, Progress, VectorStore
from core_search.stores.bm25_lexical import Bm25Lexical
from core_search.stores.catalog import Catalog
from core_search.stores.chroma_vectors import ChromaVectors
from core_search.stores.kuzu_graph import KuzuGraph
from core_search.stores.mapped_rows import MappedRows
from core_search.stores.mapped_vectors import MappedVectors
from core_search.stores.probe import probe
from core_search.stores.seal import (
    COLUMNS,
    GRAPH,
    LEXICAL,
    ROWS,
    VECTOR_COPY,
    VECTORS,
    check_files,
    check_vectors,
    write_seal,
)
from core_search.trace import StageDraft
from core_search.workspace import (
    WorkspaceFolder,
    WorkspaceMeta,
    fingerprint,
    list_workspaces,
    read_meta,
    read_query_set,
    write_meta,
    write_query_set,
)

SAMPLE = "sample"
SAMPLE_DATA = Path(__file__).resolve().parent.parent / "sample_data"
_OPENINGS = 5  # a load that ends between two looks moves a reader on to its generation; five in a row are no accident


@dataclass(frozen=True)
class OpenMemory:
    """A generation of a workspace, opened for reading."""

    meta: WorkspaceMeta
    generation: Path
    stores: MemoryStores
    held: ExitStack  # everything that is open, and the reader's share in the generation

    def close(self) -> None:
        self.held.close()


class SearchEngine:
    """Searches over the workspaces of one installation. Safe to share between threads; close it when done."""

    def __init__(self, settings: Settings | None = None, providers: Providers | None = None):
        limit_blas()
        self.settings = settings or Settings.from_environment()
        self._given_providers = providers
        self._lock = threading.Lock()
        self._open: dict[str, OpenMemory] = {}
        self._readers: dict[Path, int] = {}
        self._retired: list[OpenMemory] = []

    def __enter__(self) -> SearchEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def providers(self) -> Providers:
        """The models in use, with why each was chosen."""
        return self._given_providers or build_providers(self.settings)

    # ------------------------------------------------------------ searching

    def search(self, request: SearchRequest) -> SearchResult:
        """Run one search. Raises `SearchFailed`, with the trace up to the failure, when a stage fails."""
        request = without_keys(request, self.settings.secrets)
        with self.memory(request.workspace) as memory:
            try:
                context = self.context(memory, request)
            except ProviderError as error:
                raise not_begun(error) from error
            state, recorder = run(context, request)
            return assemble(context, request, state, recorder.trace(), memory.meta.fingerprint)

    def route(self, request: SearchRequest) -> RouterOutput:
        """Only stage 1: what the query is understood as."""
        request = without_keys(request, self.settings.secrets)
        with self.memory(request.workspace) as memory:
            return route(self.context(memory, request), request, StageDraft("route"))[0].output

    def context(self, memory: OpenMemory, request: SearchRequest) -> Context:
        """Everything that is fixed before the first stage."""
        options = self.default_options().with_changes(request.set)
        deadline = Deadline(options.deadline_s)
        query = request.query
        zone = memory.stores.zone
        now = (request.now or memory.meta.header.clock or datetime.now(UTC)).astimezone(zone)
        # Date words say when, not what: they would pull the vector towards texts about dates.
        names = memory.stores.names
        written = names.find_in(query)
        dates = read_dates(query, now, written)
        text = dates.text_without_dates.strip() or query
        return Context(
            query=query,
            query_text=text,
            vector=deadline.run(lambda: self.providers.embedder.embed([text]))[0],
            named=tuple(tuple(names.exact(name)) for name in written),
            now=now,
            options=options,
            stores=memory.stores,
            providers=self.providers,
            deadline=deadline,
        )

    def default_options(self) -> SearchOptions:
        """What a search is set to when nothing is said: the thresholds of the models in use."""
        reranker = self.providers.reranker
        profile = self.providers.embedder.profile.model_dump(exclude={"name"})
        options = SearchOptions(**profile, rerank_floor=reranker.floor, exploratory_floor=reranker.exploratory_floor)
        label = self.settings.label_threshold
        return options if label is None else options.model_copy(update={"label_threshold": label})

    # ------------------------------------------------------------ memories

    def workspaces(self) -> list[WorkspaceMeta]:
        """Every workspace whose stamp can be read, by name; `unreadable` has the others."""
        return [meta for meta, _ in self._stamps() if meta is not None]

    def unreadable(self) -> list[str]:
        """What is wrong with each workspace that `workspaces` leaves out, in a sentence with the remedy."""
        return [str(error) for _, error in self._stamps() if error is not None]

    def _stamps(self) -> Iterator[tuple[WorkspaceMeta | None, CoreSearchError | None]]:
        for folder in list_workspaces(self.settings.home):
            try:
                yield folder.meta(), None
            except CoreSearchError as error:
                yield None, error

    def folder(self, name: str) -> WorkspaceFolder:
        on_server = self.settings.chroma_url is not None
        return WorkspaceFolder(self.settings.home, name, self._drop_from_server if on_server else None)

    @contextmanager
    def memory(self, name: str, progress: Progress | None = None) -> Iterator[OpenMemory]:
        """The current generation of a workspace for reading; a replaced one closes after its last reader.

        The workspace `sample` is made from the sample data when it is not there yet.
        """
        folder = self.folder(name)
        if name == SAMPLE and not folder.exists():
            self._load_sample(progress)
        with self._lock:
            memory = self._current(folder)
            self._readers[memory.generation] = self._readers.get(memory.generation, 0) + 1
        try:
            yield memory
        finally:
            with self._lock:
                self._readers[memory.generation] -= 1
                self._close_retired()

    def load(
        self, bundle: Bundle, name: str | None = None, *, replace: bool = False, progress: Progress | None = None
    ) -> WorkspaceMeta:
        """Make a workspace from a bundle, all or nothing. An existing one is refused unless `replace`."""
        self._refuse_when_read_only()
        folder = self.folder(name or bundle.header.name)
        if folder.exists() and not replace:
            raise UsageError(
                f"workspace {folder.name!r} exists already; --replace loads over it, --workspace gives another name"
            )
        with folder.new_generation() as generation:
            check_room(generation, bytes_needed(bundle.memory, self.providers.embedder.dimension), folder.name)
            header = bundle.header.model_copy(update={"name": folder.name})
            graph = KuzuGraph.create(generation / GRAPH, self.settings.graph)
            try:
                graph.write(bundle.memory, progress)
                counts = graph.counts()
            finally:
                graph.close()
            vectors = self._index(generation, bundle.memory, progress)
            write_query_set(generation, bundle)
            meta = self._stamp(bundle, counts).model_copy(update={"header": header})
            write_meta(generation, meta)
            write_seal(generation, vectors)
        return meta

    def rebuild(self, name: str, progress: Progress | None = None) -> WorkspaceMeta:
        """Make vectors, BM25 and columns anew from the graph, with the embedding model in use now."""
        self._refuse_when_read_only()
        folder = self.folder(name)
        old = folder.generation()
        meta = read_meta(old, name)
        self._check_graph(old, meta)
        with folder.new_generation() as generation:
            check_room(generation, 3 * (old / GRAPH).stat().st_size, name)  # its copy, and what is made from it
            shutil.copyfile(old / GRAPH, generation / GRAPH)  # the file alone: a stray log beside it is left behind
            graph = KuzuGraph.open(generation / GRAPH, meta.graph_engine)
            try:
                memory = graph.memory()
            finally:
                graph.close()
            vectors = self._index(generation, memory, progress)
            queries, qrels = read_query_set(old)
            write_query_set(generation, Bundle(header=meta.header, queries=queries, qrels=qrels))
            embedder = self.providers.embedder
            meta = meta.model_copy(
                update={"embedding_model": embedder.model, "embedding_dimension": embedder.dimension}
            )
            write_meta(generation, meta)
            write_seal(generation, vectors)
        return meta

    def export(self, name: str) -> Bundle:
        """A workspace as a bundle, queries and judgments included."""
        folder = self.folder(name)
        if name == SAMPLE and not folder.exists():
            self._load_sample(None)
        generation = folder.generation()
        meta = read_meta(generation, name)
        self._check_graph(generation, meta)
        graph = KuzuGraph.open(generation / GRAPH, meta.graph_engine)
        try:
            memory = graph.memory()
        finally:
            graph.close()
        queries, qrels = read_query_set(generation)
        return Bundle(header=meta.header, memory=memory, queries=queries, qrels=qrels)

    def remove(self, name: str) -> None:
        """Delete a workspace."""
        self._refuse_when_read_only()
        self.folder(name).remove()
        with self._lock:
            self._retire(name)

    def rename(self, name: str, new_name: str) -> None:
        self._refuse_when_read_only()
        with self._lock:
            self._retire(name)
        self.folder(name).rename(self.folder(new_name))

    def close(self) -> None:
        """Close every open memory. Searches must have ended."""
        with self._lock:
            for name in list(self._open):
                self._retire(name)

    # ------------------------------------------------------------ the inside

    def _refuse_when_read_only(self) -> None:
        if self.settings.read_only:
            raise UsageError("this installation is read-only (CORE_SEARCH_READ_ONLY); nothing can be loaded or removed")

    def _load_sample(self, progress: Progress | None) -> None:
        if not SAMPLE_DATA.is_dir():
            raise UnknownWorkspace(
                f"the sample data is not at {str(SAMPLE_DATA)!r}; install from a checkout with `pip install -e .`"
            )
        with self._lock:
            if not self.folder(SAMPLE).exists():
                self.load(read_bundle(SAMPLE_DATA), SAMPLE, progress=progress)

    def _index(self, generation: Path, memory: Memory, progress: Progress | None) -> dict[str, int]:
        """Columns, vectors and words; returns how many vectors each namespace has."""
        catalog = Catalog.of(memory)
        catalog.save(generation / COLUMNS)
        MappedRows.write(generation / ROWS, memory)
        vectors = self._vectors(generation)
        try:
            index_vectors(memory, vectors, self.providers.embedder, progress)
            counts = {namespace.value: vectors.count(namespace) for namespace in Namespace}
        finally:
            vectors.close()
        lexical = Bm25Lexical.create(generation / LEXICAL)
        try:
            index_lexical(memory, catalog, lexical, progress)
        finally:
            lexical.close()
        return counts

    def _stamp(self, bundle: Bundle, counts: dict[str, int]) -> WorkspaceMeta:
        embedder = self.providers.embedder
        return WorkspaceMeta(
            header=bundle.header,
            graph_engine=self.settings.graph,
            embedding_model=embedder.model,
            embedding_dimension=embedder.dimension,
            fingerprint=fingerprint(bundle.memory),
            counts=counts,
            created_at=datetime.now(UTC),
        )

    def _check_graph(self, generation: Path, meta: WorkspaceMeta) -> None:
        """Before anything opens the graph: on damaged files the engine ends the process."""
        if not check_files(generation, meta.name, GRAPH):
            probe(generation / GRAPH, meta.name, meta.graph_engine)

    def _drop_from_server(self, generation: Path) -> None:
        vectors = ChromaVectors.connect(self.settings.chroma_url or "", generation.name)
        try:
            vectors.drop()
        finally:
            vectors.close()

    def _current(self, folder: WorkspaceFolder) -> OpenMemory:
        for _ in range(_OPENINGS):
            generation = folder.generation()
            known = self._open.get(folder.name)
            if known is not None and known.generation == generation:
                return known
            try:
                opened = self._open_generation(folder.name, generation)
            except CoreSearchError:
                if folder.generation() == generation:
                    raise
                continue  # another session has just put a new memory in its place
            self._retire(folder.name)
            self._open[folder.name] = opened
            return opened
        raise WorkspaceDamaged(f"workspace {folder.name!r} is replaced again and again; try again when that has ended")

    def _open_generation(self, name: str, generation: Path) -> OpenMemory:
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
        vectors: VectorStore = self._vectors(generation)
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
        embedder = self.providers.embedder
        made = (meta.embedding_model, meta.embedding_dimension)
        if made != (embedder.model, embedder.dimension):
            raise StampMismatch(
                f"workspace {meta.name!r} was embedded with {made[0]!r} ({made[1]} dimensions), but "
                f"{embedder.model!r} ({embedder.dimension}) is in use; "
                f"`core-search reembed --workspace {meta.name}` makes its vectors anew, or choose the other "
                "model with CORE_SEARCH_EMBEDDINGS"
            )

    def _vectors(self, generation: Path) -> VectorStore:
        if self.settings.chroma_url:
            # The generation's name is unique by itself, and stays when the workspace is renamed.
            store = ChromaVectors.connect(self.settings.chroma_url, generation.name)
            return MappedVectors(store, generation / VECTOR_COPY)
        return MappedVectors(ChromaVectors.open(generation / VECTORS), generation / VECTOR_COPY)

    def _retire(self, name: str) -> None:
        old = self._open.pop(name, None)
        if old is not None:
            self._retired.append(old)
            self._close_retired()

    def _close_retired(self) -> None:
        idle = [memory for memory in self._retired if not self._readers.get(memory.generation)]
        for memory in idle:
            self._retired.remove(memory)
            memory.close()
            if not self.settings.read_only:
                self.folder(memory.stores.name).left(memory.generation)


def open_workspace(name: str, settings: Settings | None = None) -> SearchEngine:
    """An engine with one workspace opened and checked: the short way in for scripts."""
    engine = SearchEngine(settings)
    with engine.memory(name):
        return engine
