"""How steady an extraction is: the same search several times, agreement per field, and the items that flicker."""

from __future__ import annotations

import json
from collections import Counter

from core_search.answers import items_of
from core_search.engine import SearchEngine
from core_search.errors import SearchFailed, UsageError
from core_search.models import ItemKind, Value
from core_search.replay import extraction_of
from core_search.results import SearchRequest, SearchResult


class Agreement(Value):
    """How often the runs said the same of one field: `share` of the commonest value, and each value's count."""

    field: str
    share: float
    values: tuple[tuple[str, int], ...]  # as JSON text, commonest first


class FlickeringItem(Value):
    kind: ItemKind
    id: str
    runs: int  # that returned it


class StabilityReport(Value):
    """The same search run `times` times. Items that some runs return and others do not flicker."""

    times: int
    failed: int
    degraded: int
    fields: tuple[Agreement, ...]
    steady: int  # items that every run returned
    flickering: tuple[FlickeringItem, ...]
    same_results: bool  # every run returned the same items


def stability(engine: SearchEngine, request: SearchRequest, times: int) -> StabilityReport:
    """Run the search with its extraction `times` times and compare. A failed run counts for nothing but `failed`."""
    if times < 2:
        raise UsageError(f"{times} runs cannot be compared; give 2 or more")
    fresh = request.model_copy(update={"replay": None, "router_output": None})
    results = []
    for _ in range(times):
        try:
            results.append(engine.search(fresh))
        except SearchFailed:
            continue
    counts = Counter(key for result in results for key in items_of(result))
    flickering = sorted((key, count) for key, count in counts.items() if count < len(results))
    return StabilityReport(
        times=times,
        failed=times - len(results),
        degraded=sum(bool(result.degraded) for result in results),
        fields=_agreements(results),
        steady=len(counts) - len(flickering),
        flickering=tuple(FlickeringItem(kind=kind, id=id_, runs=count) for (kind, id_), count in flickering),
        same_results=not flickering,
    )


def _agreements(results: list[SearchResult]) -> tuple[Agreement, ...]:
    said = [extraction_of(result.router).wire() for result in results]
    agreements = []
    for field in said[0] if said else ():
        values = Counter(json.dumps(wire[field], ensure_ascii=False, sort_keys=True) for wire in said)
        common = values.most_common()
        agreements.append(Agreement(field=field, share=common[0][1] / len(said), values=tuple(common)))
    return tuple(agreements)
