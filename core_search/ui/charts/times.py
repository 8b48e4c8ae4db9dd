"""Where the time went: a waterfall on a warped axis, so that 3 ms can be seen beside 2 s."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

from core_search.trace import Status, Trace
from core_search.ui.markup import Stretch
from core_search.ui.theme import STAGE_TITLES, source_words

# Spans shorter than this look alike.
_UNIT_MS = 0.5
_FOR_BARS = 0.88  # of the width; the words of the last bar stand behind it


@dataclass(frozen=True, slots=True)
class Span:
    name: str
    stage: str
    start_ms: float
    duration_ms: float
    is_step: bool
    failed: bool

    @property
    def end_ms(self) -> float:
        return self.start_ms + self.duration_ms


def spans(trace: Trace) -> list[Span]:
    """Stages that ran, each followed by its steps when it has more than one."""
    found = []
    for stage in trace.stages:
        if stage.status is Status.SKIPPED:
            continue
        failed = stage.status is Status.FAILED
        found.append(Span(STAGE_TITLES[stage.name], stage.name, stage.start_ms, stage.duration_ms, False, failed))
        steps = [step for step in stage.steps if step.status is not Status.SKIPPED]
        if len(steps) > 1:
            for step in steps:
                failed = step.status is Status.FAILED
                # Steps may be recorded a hair before their stage.
                start = max(step.start_ms, stage.start_ms)
                found.append(Span(source_words(step.name), stage.name, start, step.duration_ms, True, failed))
    return found


def warp(moments: Iterable[float]) -> Callable[[float], float]:
    """A map of milliseconds that keeps their order and shortens long waits: each gap counts by its logarithm."""
    borders = sorted({0.0, *moments})
    places = {0.0: 0.0}
    place = 0.0
    for before, after in pairwise(borders):
        place += math.log1p((after - before) / _UNIT_MS)
        places[after] = place
    return places.__getitem__


def waterfall(trace: Trace) -> list[Stretch]:
    """A bar a stage and step from its start to its end."""
    rows = spans(trace)
    place = warp(moment for row in rows for moment in (row.start_ms, row.end_ms))
    longest = max((place(row.end_ms) for row in rows), default=1.0) or 1.0
    return [
        Stretch(
            row.name,
            _FOR_BARS * place(row.start_ms) / longest,
            _FOR_BARS * max((place(row.end_ms) - place(row.start_ms)) / longest, 0.004),
            milliseconds(row.duration_ms),
            "bad" if row.failed else "soft" if row.is_step else "",
        )
        for row in rows
    ]


def milliseconds(duration_ms: float) -> str:
    """A duration in as many digits as mean something."""
    if duration_ms >= 10_000:
        return f"{duration_ms / 1000:.1f} s"
    if duration_ms >= 1_000:
        return f"{duration_ms / 1000:.2f} s"
    return f"{duration_ms:.0f} ms" if duration_ms >= 10 else f"{duration_ms:.1f} ms"
