"""The smallest change that brings an item back: candidates in order, each run before it is offered (SPEC 4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from core_search.answers import ItemKey, items_of
from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.fate.checks import Change, Check
from core_search.fate.ledger import place_of
from core_search.fate.report import ConditionName, Remedy
from core_search.forks import FORCE_GATE, QUERY_TYPE, fork
from core_search.models import ItemKind, QueryType
from core_search.results import SearchRequest, SearchResult

# Each try is a replay of some 10 to 100 ms. The candidates stand in the order of how likely they help.
MOST_TRIES = 20

# Which other handlers return items of a kind, the likeliest first.
OTHER_TYPES: dict[ItemKind, tuple[QueryType, ...]] = {
    ItemKind.EPISODE: (
        QueryType.ASPECT_QUERY,
        QueryType.EXPLORATORY,
        QueryType.TEMPORAL,
        QueryType.ENTITY_LOOKUP,
        QueryType.RELATIONSHIP,
    ),
    ItemKind.DOCUMENT: (QueryType.EXPLORATORY,),
    ItemKind.STATEMENT: (QueryType.ASPECT_QUERY, QueryType.RELATIONSHIP),
    ItemKind.ENTITY: (QueryType.ENTITY_LOOKUP, QueryType.TEMPORAL_FACETS),
    ItemKind.LABEL: (QueryType.TEMPORAL_FACETS,),
}


def find_remedy(
    engine: SearchEngine, result: SearchResult, request: SearchRequest, key: ItemKey, candidates: Iterable[Change]
) -> Remedy | None:
    """The first of the candidates that returns the item when it is run, or None."""
    tried: list[dict[str, Any]] = []
    for change in candidates:
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in change.items()}
        if plain in tried:
            continue
        if len(tried) == MOST_TRIES:
            return None
        tried.append(plain)
        try:
            after = engine.search(fork(result, request, plain))
        except CoreSearchError:
            continue  # a change that cannot be run is no remedy
        place = place_of(after, key)
        if place is not None:
            others = (items_of(result) ^ items_of(after)) - {key}
            return Remedy(set=plain, returned_at=place[1], also_changes=len(others))
    return None


def gate_changes(result: SearchResult) -> Iterator[Change]:
    """What opens a closed gate."""
    gate, router = result.gate, result.router
    if router.should_search and gate.confidence < gate.threshold:
        yield {"confidence_gate": gate.confidence}
    yield {FORCE_GATE: True}


def changes_for(result: SearchResult, kind: ItemKind, checks: Iterable[Check]) -> Iterator[Change]:
    """What may bring in an item that no path brought to the ranking: the paths nearest to it first.

    A path whose one failing condition has a fix comes before paths that fail in several ways, which no single change
    mends; then follow the V1 candidates and the other handlers.
    """
    failing: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        if not check.holds:
            failing.setdefault((check.stage, check.path), []).append(check)
    for of_path in sorted(failing.values(), key=lambda of_path: (len(of_path), max(check.gap for check in of_path))):
        for check in of_path:
            yield from check.fixes
    if kind is ItemKind.EPISODE and not result.options.backstop:
        yield {"backstop": True}
    if kind in (ItemKind.EPISODE, ItemKind.DOCUMENT) and result.options.rerank:
        yield {"rerank": False}
    for query_type in OTHER_TYPES[kind]:
        if query_type is not result.router.query_type:
            yield {QUERY_TYPE: query_type.value}


def nearest_miss(checks: Iterable[Check]) -> Check | None:
    """The failing condition of the path that the item came nearest to; None when every condition holds."""
    failing: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        if not check.holds:
            failing.setdefault((check.stage, check.path), []).append(check)
    if not failing:
        return None

    def distance(of_path: list[Check]) -> tuple[bool, int, float]:
        return (of_path[0].name is ConditionName.KIND, len(of_path), max(check.gap for check in of_path))

    return min(failing.values(), key=distance)[0]
