"""The workspaces of one installation: listed, opened for readers, loaded, rebuilt, handed on, renamed and removed."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType

from core_search.errors import CoreSearchError, UnknownWorkspace, UsageError, WorkspaceDamaged
from core_search.generation import Generations, OpenMemory
from core_search.ingest import read_bundle
from core_search.ingest.values import Bundle
from core_search.providers.build import Providers, build_providers
from core_search.room import bytes_needed, check_room
from core_search.settings import Settings
from core_search.stores.base import Progress
from core_search.stores.seal import GRAPH, write_seal
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


class Library:
    """Safe to share between threads; close it when done."""

    def __init__(self, settings: Settings | None = None, providers: Providers | None = None):
        self.settings = settings or Settings.from_environment()
        self._given_providers = providers
        self._lock = threading.Lock()  # of the fields below, held for moments
        self._doors: dict[str, threading.Lock] = {}  # a workspace opens behind its own: nobody else waits for it
        self._open: dict[str, OpenMemory] = {}
        self._readers: dict[Path, int] = {}
        self._retired: list[OpenMemory] = []

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def providers(self) -> Providers:
        """The models in use, with why each was chosen."""
        return self._given_providers or build_providers(self.settings)

    @cached_property
    def _generations(self) -> Generations:
        return Generations(self.settings, lambda: self.providers.embedder)

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
        return WorkspaceFolder(self.settings.home, name, self._generations.drop_from_server if on_server else None)

    @contextmanager
    def memory(self, name: str, progress: Progress | None = None) -> Iterator[OpenMemory]:
        """The current generation of a workspace for reading; a replaced one closes after its last reader.

        The workspace `sample` is made from the sample data when it is not there yet.
        """
        folder = self.folder(name)
        if name == SAMPLE and not folder.exists():
            self._load_sample(progress)
        memory = self._current(folder)
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
            counts = self._generations.write_graph(generation, bundle.memory, progress)
            vectors = self._generations.index(generation, bundle.memory, progress)
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
        self._generations.check_graph(old, meta)
        with folder.new_generation() as generation:
            check_room(generation, 3 * (old / GRAPH).stat().st_size, name)  # its copy, and what is made from it
            shutil.copyfile(old / GRAPH, generation / GRAPH)  # the file alone: a stray log beside it is left behind
            memory = self._generations.read_graph(generation, meta)
            vectors = self._generations.index(generation, memory, progress)
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
        self._generations.check_graph(generation, meta)
        memory = self._generations.read_graph(generation, meta)
        queries, qrels = read_query_set(generation)
        return Bundle(header=meta.header, memory=memory, queries=queries, qrels=qrels)

    def remove(self, name: str) -> None:
        """Delete a workspace."""
        self._refuse_when_read_only()
        with self._door(name):
            self.folder(name).remove()
            with self._lock:
                self._retire(name)

    def rename(self, name: str, new_name: str) -> None:
        self._refuse_when_read_only()
        with self._door(name):
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
        with self._door(SAMPLE):
            if not self.folder(SAMPLE).exists():
                self.load(read_bundle(SAMPLE_DATA), SAMPLE, progress=progress)

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

    def _door(self, name: str) -> threading.Lock:
        with self._lock:
            return self._doors.setdefault(name, threading.Lock())

    def _current(self, folder: WorkspaceFolder) -> OpenMemory:
        """The memory of the present generation, with one reader more."""
        for _ in range(_OPENINGS):
            generation = folder.generation()
            if known := self._known(folder.name, generation):
                return known
            with self._door(folder.name):
                if known := self._known(folder.name, generation):  # opened while this one waited at the door
                    return known
                try:
                    opened = self._generations.open(folder.name, generation)
                except CoreSearchError:
                    if folder.generation() == generation:
                        raise
                    continue  # another session has just put a new memory in its place
                with self._lock:
                    self._retire(folder.name)
                    self._open[folder.name] = opened
                    return self._counted(opened)
        raise WorkspaceDamaged(f"workspace {folder.name!r} is replaced again and again; try again when that has ended")

    def _known(self, name: str, generation: Path) -> OpenMemory | None:
        with self._lock:
            memory = self._open.get(name)
            return self._counted(memory) if memory is not None and memory.generation == generation else None

    def _counted(self, memory: OpenMemory) -> OpenMemory:
        self._readers[memory.generation] = self._readers.get(memory.generation, 0) + 1
        return memory

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
