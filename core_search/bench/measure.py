"""Timing searches, stage by stage, and the floor of each right behind it."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core_search.bench.engines import RawEngines
from core_search.bench.floor import AROUND, floor_of
from core_search.bench.questions import BenchQuestion
from core_search.engine import SearchEngine
from core_search.results import SearchResult
from core_search.stores.base import Progress
from core_search.trace import STAGES

WHOLE = "whole"
PARTS = (AROUND, *STAGES)


@dataclass(frozen=True, slots=True)
class Timing:
    """One search and its floor, in milliseconds by stage, with `around` for what lies outside and `whole`."""

    question: BenchQuestion
    routed_as: str
    search_ms: Mapping[str, float]
    floor_ms: Mapping[str, float]
    floor_by_engine_ms: Mapping[str, float]
    cpu_ms: float  # of all threads of this process: what it takes however busy the machine is with others
    floor_cpu_ms: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians and the 95th percentile of some timings in milliseconds; the ratio is that of the medians."""

    p50_ms: float
    p95_ms: float
    floor_p50_ms: float
    cpu_p50_ms: float
    floor_cpu_p50_ms: float
    count: int

    @classmethod
    def of(cls, timings: Sequence[Timing], part: str = WHOLE) -> Figures:
        search = [timing.search_ms[part] for timing in timings]
        floor = [timing.floor_ms.get(part, 0.0) for timing in timings]
        return cls(
            p50_ms=percentile(search, 50),
            p95_ms=percentile(search, 95),
            floor_p50_ms=percentile(floor, 50),
            cpu_p50_ms=percentile([timing.cpu_ms for timing in timings], 50),
            floor_cpu_p50_ms=percentile([timing.floor_cpu_ms for timing in timings], 50),
            count=len(timings),
        )

    @property
    def ratio(self) -> float | None:
        """None where no raw call is needed."""
        return self.p50_ms / self.floor_p50_ms if self.floor_p50_ms > 0 else None


def percentile(values: Sequence[float], percent: float) -> float:
    """Between neighbouring values in proportion; 0 without any."""
    return float(np.percentile(values, percent)) if len(values) else 0.0


def measure(
    engine: SearchEngine,
    engines: RawEngines,
    workspace: str,
    asked: Sequence[BenchQuestion],
    progress: Progress | None = None,
) -> list[Timing]:
    """Ask every question once, and issue its raw calls. Warm up with other questions first."""
    timings = []
    for number, question in enumerate(asked, 1):
        started_s, cpu_s = time.perf_counter(), time.process_time()
        result = engine.search(question.request(workspace))
        cpu_ms = (time.process_time() - cpu_s) * 1000
        whole_ms = (time.perf_counter() - started_s) * 1000
        timings.append(_timing(engines, question, result, whole_ms, cpu_ms))
        if progress:
            progress("searches", number, len(asked))
    return timings


def _timing(
    engines: RawEngines, question: BenchQuestion, result: SearchResult, whole_ms: float, cpu_ms: float
) -> Timing:
    stages = {stage.name: stage.duration_ms for stage in result.trace.stages}
    floor: dict[str, float] = defaultdict(float)
    by_engine: dict[str, float] = defaultdict(float)
    floor_cpu_ms = 0.0
    for call in floor_of(engines, result):
        floor_cpu_ms += call.cpu_ms
        floor[call.stage] += call.duration_ms
        floor[WHOLE] += call.duration_ms
        by_engine[call.engine] += call.duration_ms
    return Timing(
        question=question,
        routed_as=result.router.query_type.value,
        search_ms={**stages, AROUND: whole_ms - sum(stages.values()), WHOLE: whole_ms},
        floor_ms=dict(floor),
        floor_by_engine_ms=dict(by_engine),
        cpu_ms=cpu_ms,
        floor_cpu_ms=floor_cpu_ms,
    )
