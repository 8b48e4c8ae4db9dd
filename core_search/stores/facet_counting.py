"""Counting what a facet query found: true counts, nothing cut.

The graph says which statements are in the scope; their aspects and entities are columns of the catalog.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from core_search.stores.base import FacetCounts, FacetRows
from core_search.stores.catalog import Catalog

Key = TypeVar("Key", bound=str)

SAMPLES = 3  # facts shown beside the count of an aspect


def count(catalog: Catalog, rows: FacetRows, is_counted: Callable[[str], bool]) -> FacetCounts:
    """Entities count that `is_counted` admits."""
    aspects = catalog.aspect_counts(rows.statements, SAMPLES)
    mentions = catalog.mention_counts(rows.statements)
    return FacetCounts(
        topics=_largest_first(rows.topics),
        entities=_largest_first((entity, number) for entity, number in mentions.items() if is_counted(entity)),
        aspects=tuple(
            (aspect, number, tuple(aspects[aspect][1]))
            for aspect, number in _largest_first((aspect, number) for aspect, (number, _) in aspects.items())
        ),
        episodes=rows.episodes,
        statements=len(rows.statements),
        queries=rows.queries,
    )


def _largest_first(counts: Iterable[tuple[Key, int]]) -> tuple[tuple[Key, int], ...]:
    """Sorted by count, ties by key."""
    return tuple(sorted(counts, key=lambda row: (-row[1], row[0])))
