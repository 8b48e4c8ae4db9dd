"""The synthetic memories on disk: each is built once, in a process of its own, and searched from then on."""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from core_search.bench.resources import peak_memory_mb
from core_search.bench.synthetic import description, synthetic_bundle
from core_search.bench.vectors import SyntheticEmbedder
from core_search.engine import SearchEngine
from core_search.errors import StoreError, WorkspaceError
from core_search.providers.build import Providers, build_providers
from core_search.settings import Settings
from core_search.stores.base import Progress
from core_search.workspace import SCHEMA_VERSION, WorkspaceFolder

REAL_VECTORS_UP_TO = 5_000  # episodes; the local model takes about a minute for them and their statements
REPORT_EVERY_S = 0.5


@dataclass(frozen=True, slots=True)
class Build:
    """How a memory was made."""

    seconds: float
    peak_memory_mb: float
    synthetic_vectors: bool


def offline(settings: Settings, home: Path) -> Settings:
    """The same installation without any service, with the benchmark's memories."""
    return Settings(home=home, graph=settings.graph, router="local", embeddings="local", reranker="local")


def workspace_name(episodes: int) -> str:
    return f"bench-{episodes}"


def stored(settings: Settings, episodes: int, progress: Progress | None = None) -> Build:
    """How the memory of that size was made; it is built now when it is not there or was made by another version."""
    folder = WorkspaceFolder(settings.home, workspace_name(episodes))
    record = settings.home / f"{folder.name}.build.json"
    if _is_current(settings, folder) and record.is_file():
        return Build(**json.loads(record.read_text("utf-8")))
    made = _in_child(settings, episodes, progress)
    record.write_text(json.dumps(asdict(made)), "utf-8")
    return made


def _is_current(settings: Settings, folder: WorkspaceFolder) -> bool:
    if not folder.exists():
        return False
    try:
        meta = folder.meta()
    except WorkspaceError:
        return False
    model = build_providers(settings).embedder.model
    made_by = (meta.header.description, meta.schema_version, meta.graph_engine, meta.embedding_model)
    return made_by == (description(), SCHEMA_VERSION, settings.graph, model)


def _in_child(settings: Settings, episodes: int, progress: Progress | None) -> Build:
    # What building leaves in memory must not count as memory of the search; a forked engine hangs, so it is spawned.
    context = multiprocessing.get_context("spawn")
    reading, writing = context.Pipe(duplex=False)
    child = context.Process(target=_build_and_tell, args=(settings, episodes, writing))
    child.start()
    writing.close()
    made: Build | None = None
    while made is None:
        try:
            message = reading.recv()
        except EOFError:
            break
        if isinstance(message, Build):
            made = message
        elif isinstance(message, str):
            child.join()
            raise StoreError(f"the memory of {episodes} episodes could not be built: {message}")
        elif progress:
            progress(*message)
    child.join()
    if made is None:
        raise StoreError(
            f"building the memory of {episodes} episodes ended with code {child.exitcode}; "
            "perhaps it needs more memory than is free: try fewer --episodes"
        )
    return made


def _build_and_tell(settings: Settings, episodes: int, pipe: multiprocessing.connection.Connection) -> None:
    told_s = 0.0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal told_s
        if done >= total or time.perf_counter() - told_s > REPORT_EVERY_S:
            told_s = time.perf_counter()
            pipe.send((what, done, total))

    try:
        pipe.send(build(settings, episodes, tell))
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
    finally:
        pipe.close()


def build(settings: Settings, episodes: int, progress: Progress | None = None) -> Build:
    """Make the memory in this process, in place of one of the same size."""
    started_s = time.perf_counter()
    synthetic = episodes > REAL_VECTORS_UP_TO
    providers: Providers = build_providers(settings)
    if synthetic:
        providers = replace(providers, embedder=SyntheticEmbedder(providers.embedder))
    with SearchEngine(settings, providers) as engine:
        engine.load(synthetic_bundle(workspace_name(episodes), episodes), replace=True, progress=progress)
    return Build(time.perf_counter() - started_s, peak_memory_mb(), synthetic)
