"""The smallest change that brings an item back: candidates in order, each run before it is offered (SPEC 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
MOST_TRIES = 24
# A remedy of more changes is another search.
MOST_CHANGES = 3

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


class RemedySearch:
    """Looks for a remedy: first one change alone; when none is enough, what a change leads to is followed further.

    `further` says, for a result that misses the item and the change that led to it, what else the item needs.
    """

    def __init__(
        self,
        engine: SearchEngine,
        result: SearchResult,
        request: SearchRequest,
        key: ItemKey,
        further: Callable[[SearchResult, Change], Iterable[Change]],
    ):
        self._engine, self._result, self._request, self._key = engine, result, request, key
        self._further = further
        self._tried: list[dict[str, Any]] = []

    def find(self, candidates: Iterable[Change]) -> Remedy | None:
        """The first of the candidates that returns the item when it is run; else the first that does with more."""
        unfinished: list[tuple[dict[str, Any], SearchResult]] = []
        for change in candidates:
            remedy, after = self._run(dict(change))
            if remedy:
                return remedy
            if after is not None:
                unfinished.append((dict(change), after))
        for _ in range(MOST_CHANGES - 1):
            further: list[tuple[dict[str, Any], SearchResult]] = []
            for change, before in unfinished:
                for fix in self._further(before, change):
                    if fix.keys() & change.keys():
                        continue
                    remedy, after = self._run({**change, **fix})
                    if remedy:
                        return remedy
                    if after is not None:
                        further.append(({**change, **fix}, after))
            unfinished = further
        return None

    def _run(self, change: dict[str, Any]) -> tuple[Remedy | None, SearchResult | None]:
        """The remedy that the change is, if it is one; otherwise what the search returned, if it ran."""
        change = {name: list(value) if isinstance(value, tuple) else value for name, value in change.items()}
        if change in self._tried or len(self._tried) == MOST_TRIES:
            return None, None
        self._tried.append(change)
        try:
            after = self._engine.search(fork(self._result, self._request, change))
        except CoreSearchError:
            return None, None  # a change that cannot be run is no remedy
        place = place_of(after, self._key)
        if place is None:
            return None, after
        others = (items_of(self._result) ^ items_of(after)) - {self._key}
        return Remedy(set=change, returned_at=place[1], also_changes=len(others)), after


def gate_changes(result: SearchResult) -> Iterator[Change]:
    """What opens a closed gate."""
    gate, router = result.gate, result.router
    if router.should_search and gate.confidence < gate.threshold:
        yield {"confidence_gate": gate.confidence}
    yield {FORCE_GATE: True}


def changes_for(result: SearchResult, kind: ItemKind, checks: Iterable[Check]) -> Iterator[Change]:
    """What may bring in an item that no path brought to the ranking.

    Single changes come first, of the paths with the fewest failing conditions before the others; then the V1
    candidates and the other handlers; at last all that one path needs together.
    """
    paths = _failing(checks)
    for of_path in paths:
        for check in of_path:
            yield from check.fixes
    if kind is ItemKind.EPISODE and not result.options.backstop:
        yield {"backstop": True}
    if kind in (ItemKind.EPISODE, ItemKind.DOCUMENT) and result.options.rerank:
        yield {"rerank": False}
    for query_type in OTHER_TYPES[kind]:
        if query_type is not result.router.query_type:
            yield {QUERY_TYPE: query_type.value}
    for of_path in paths:
        yield from _together(of_path)


def nearest_fixes(checks: Iterable[Check]) -> Iterator[Change]:
    """What the path that the item comes nearest to needs."""
    for of_path in _failing(checks)[:1]:
        yield from (_together(of_path) if len(of_path) > 1 else of_path[0].fixes)


def nearest_miss(checks: Iterable[Check]) -> Check | None:
    """The failing condition of the path that the item came nearest to; None when every condition holds."""
    paths = _failing(checks)
    return paths[0][0] if paths else None


def _failing(checks: Iterable[Check]) -> list[list[Check]]:
    """The failing conditions path by path, the path that the item came nearest to first."""
    failing: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        if not check.holds:
            failing.setdefault((check.stage, check.path), []).append(check)

    def distance(of_path: list[Check]) -> tuple[bool, int, float]:
        return (of_path[0].name is ConditionName.KIND, len(of_path), max(check.gap for check in of_path))

    return sorted(failing.values(), key=distance)


def _together(of_path: list[Check]) -> Iterator[Change]:
    """One change for all failing conditions of a path, where there are several and each can be mended."""
    if len(of_path) > 1 and all(check.fixes for check in of_path):
        yield {name: value for check in of_path for name, value in check.fixes[0].items()}
