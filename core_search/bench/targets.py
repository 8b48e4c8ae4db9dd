"""What is to be reached on a machine with two cores, and whether it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SMALL = 10_000  # episodes; a memory of this size has to answer in half the time
P50_MS, SMALL_P50_MS, P95_MS = 60.0, 30.0, 150.0
RATIO = 1.5  # of a search to the raw calls that it needs
HANDLER_P50_MS = 80.0
GROWTH = 3.0  # of the time of a search when the memory grows ten times
LOADING_RATIO = 1.3
MEMORY_MB = 3_000.0


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and its limit; `value` is None when it was not measured."""

    name: str
    value: float | None
    limit: float

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        return "pass" if self.value <= self.limit else "fail"

    def wire(self) -> dict[str, Any]:
        return {"name": self.name, "value": self.value, "limit": self.limit, "verdict": self.verdict}


def targets_of(report: Mapping[str, Any]) -> Iterator[Target]:
    """The targets of a report (see `report.py`) in the order in which they are shown."""
    overall, growth, loading = report["overall"], report["growth"], report["loading"]
    yield Target("search p50 ms", overall["p50Ms"], SMALL_P50_MS if report["episodes"] <= SMALL else P50_MS)
    yield Target("search p95 ms", overall["p95Ms"], P95_MS)
    yield Target("search / floor", overall["ratio"], RATIO)
    slowest = max(report["queryTypes"].values(), key=lambda figures: figures["handlerP50Ms"])
    yield Target("slowest handler p50 ms", slowest["handlerP50Ms"], HANDLER_P50_MS)
    fewer = f"{growth['episodes']:,}" if growth else "a tenth"
    yield Target(f"growth from {fewer}", growth["factor"] if growth else None, GROWTH)
    yield Target("load / raw parts", loading["ratio"] if loading else None, LOADING_RATIO)
    yield Target("memory of searching MB", report["memory"]["searchPeakMb"], MEMORY_MB)
    yield Target("memory of loading MB", report["memory"]["buildPeakMb"], MEMORY_MB)
