"""The whole benchmark of one size: from the memory on disk to a report that is plain JSON data."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core_search.bench.engines import RawEngines
from core_search.bench.loading import measure_loading
from core_search.bench.measure import PARTS, Figures, Timing, measure, percentile
from core_search.bench.questions import KINDS, BenchQuestion, questions
from core_search.bench.resources import peak_memory_mb
from core_search.bench.stored import stored, workspace_name
from core_search.bench.targets import targets_of
from core_search.bench.world import World
from core_search.engine import SearchEngine
from core_search.errors import UsageError
from core_search.providers.build import build_providers
from core_search.settings import Settings
from core_search.stores.base import Progress

WARM_UP = 3  # questions of each kind before the clock counts: pages, plans and models are then in memory
FEWEST_EPISODES = 100
ENGINES = ("kuzu", "chroma", "bm25s", "embedding")


def run(
    settings: Settings,
    episodes: int,
    each: int,
    load_episodes: int = 0,
    progress: Progress | None = None,
    compare: int = 0,
) -> dict[str, Any]:
    """Measure a memory of that size with `each` questions of every kind, twice: routed before, and by the rules.

    `settings.home` keeps the memories and the last report of each size. The loading of `load_episodes` episodes is
    measured beside it; 0 leaves that out. A memory of `compare` episodes is measured first, to see the growth;
    0 takes the last report of a tenth of the size, if there is one.
    """
    if episodes < FEWEST_EPISODES or each < 1:
        raise UsageError(f"{episodes} episodes and {each} queries are too few; take {FEWEST_EPISODES} and 1 or more")
    if compare and not FEWEST_EPISODES <= compare < episodes:
        raise UsageError(f"{episodes} episodes cannot be compared with {compare}; take {FEWEST_EPISODES} or more")
    settings.home.mkdir(parents=True, exist_ok=True)
    if compare:
        run(settings, compare, each, progress=progress)
    build = stored(settings, episodes, progress)
    with SearchEngine(settings) as engine:
        opened = _open(engine, episodes)
        for question in questions(World(episodes), WARM_UP):
            engine.search(question.request(workspace_name(episodes)))
        search_peak_mb = peak_memory_mb()  # before the raw engines of the floor stand beside it
        timings = _searches(engine, settings, episodes, each, progress)
        with engine.memory(workspace_name(episodes)) as memory:
            counts = memory.meta.counts
    loading = measure_loading(settings, load_episodes, progress) if load_episodes else None
    report: dict[str, Any] = {
        "episodes": episodes,
        "statements": counts["statements"],
        "syntheticVectors": build.synthetic_vectors,
        "machine": _machine(),
        "overall": _figures(timings),
        "queryTypes": {kind: _of_kind(timings, kind) for kind in KINDS},
        "routedByRules": _figures([timing for timing in timings if timing.question.router_output is None]),
        "stages": {part: _part(timings, part) for part in PARTS},
        "floorByEngine": {
            name: percentile([timing.floor_by_engine_ms.get(name, 0.0) for timing in timings], 50) for name in ENGINES
        },
        "open": opened,
        "memory": {"searchPeakMb": search_peak_mb, "buildPeakMb": build.peak_memory_mb},
        "build": {"seconds": build.seconds},
        "loading": None
        if loading is None
        else {
            "episodes": loading.episodes,
            "statements": loading.statements,
            "loadS": loading.load_s,
            "rawS": loading.raw_s,
            "ratio": loading.ratio,
        },
    }
    report["growth"] = _growth(settings.home, report, compare or episodes // 10)
    report["targets"] = [target.wire() for target in targets_of(report)]
    _report_file(settings.home, episodes).write_text(json.dumps(report, indent=2), "utf-8")
    return report


def _open(engine: SearchEngine, episodes: int) -> dict[str, float]:
    """Milliseconds to open the memory and to the first answer, with models that are not loaded yet."""
    name = workspace_name(episodes)
    question = questions(World(episodes), 1, series=2)[0]
    started_s = time.perf_counter()
    with engine.memory(name):
        opened_s = time.perf_counter()
    engine.search(question.request(name))
    return {"openMs": (opened_s - started_s) * 1000, "firstSearchMs": (time.perf_counter() - opened_s) * 1000}


def _searches(
    engine: SearchEngine, settings: Settings, episodes: int, each: int, progress: Progress | None
) -> list[Timing]:
    name, world = workspace_name(episodes), World(episodes)
    warm_up = questions(world, WARM_UP)
    embedder = build_providers(settings).embedder  # another one: it must not know the queries of the searches
    embedder.embed(["loaded"])
    with engine.memory(name) as memory:
        raw = RawEngines(memory.stores, embedder)
        measure(engine, raw, name, warm_up)
        known = {question.text for question in warm_up}
        asked: list[BenchQuestion] = [q for q in questions(world, each, series=1) if q.text not in known]
        return measure(engine, raw, name, asked, progress)


def _figures(timings: Sequence[Timing]) -> dict[str, Any]:
    figures = Figures.of(timings)
    return {
        "p50Ms": figures.p50_ms,
        "p95Ms": figures.p95_ms,
        "floorP50Ms": figures.floor_p50_ms,
        "ratio": figures.ratio,
        "cpuP50Ms": figures.cpu_p50_ms,
        "floorCpuP50Ms": figures.floor_cpu_p50_ms,
        "searches": figures.count,
    }


def _of_kind(timings: Sequence[Timing], kind: str) -> dict[str, Any]:
    """The searches of which the route was given, so that all are of this kind."""
    of_kind = [timing for timing in timings if timing.question.kind == kind and timing.question.router_output]
    return {**_figures(of_kind), "handlerP50Ms": Figures.of(of_kind, "handle").p50_ms}


def _part(timings: Sequence[Timing], part: str) -> dict[str, Any]:
    figures = Figures.of(timings, part)
    return {
        "p50Ms": figures.p50_ms,
        "p95Ms": figures.p95_ms,
        "floorP50Ms": figures.floor_p50_ms,
        "ratio": figures.ratio,
    }


def _machine() -> dict[str, Any]:
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count(), "load1": load}


def _growth(home: Path, report: dict[str, Any], fewer: int) -> dict[str, Any] | None:
    """How much longer a search takes than in a memory of `fewer` episodes, when that was measured before."""
    try:
        before = json.loads(_report_file(home, fewer).read_text("utf-8"))["overall"]["p50Ms"]
    except (OSError, ValueError, KeyError):
        return None
    return {"episodes": fewer, "p50Ms": before, "factor": report["overall"]["p50Ms"] / before}


def _report_file(home: Path, episodes: int) -> Path:
    return home / f"{workspace_name(episodes)}.report.json"
