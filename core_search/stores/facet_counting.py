"""Counting what a facet query found: true counts, nothing cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from core_search.models import Aspect

SAMPLES = 3  # facts shown beside the count of an aspect

# The columns that `aspect_counts` and `mention_counts` read, a row a statement. Instants in microseconds.
COLUMNS = ("uuid", "validAt", "aspect", "subject", "object")


def largest_first(counts: Iterable[Sequence[Any]]) -> tuple[tuple[str, int], ...]:
    """Sorted by count, ties by key."""
    return tuple(sorted(((key, count) for key, count in counts), key=lambda row: (-row[1], row[0])))


def aspect_counts(statements: pa.Table) -> tuple[tuple[Aspect, int, tuple[str, ...]], ...]:
    """Each aspect with its statements and the newest of them."""
    order = [("validAt", "descending"), ("uuid", "ascending")]
    found = []
    for aspect, count in largest_first(_counted(statements["aspect"]).items()):
        of_aspect = statements.select(["uuid", "validAt"]).filter(pc.equal(statements["aspect"], aspect))
        newest = of_aspect.take(pc.select_k_unstable(of_aspect, SAMPLES, order)).sort_by(order)
        found.append((Aspect(aspect), count, tuple(newest["uuid"].to_pylist())))
    return tuple(found)


def mention_counts(statements: pa.Table, leave_out: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Each entity with the statements that have it as subject or object; one that has it as both counts once."""
    subjects, objects = statements["subject"], statements["object"]
    counts = dict(_counted(subjects))
    other = pc.fill_null(pc.not_equal(subjects, objects), True)
    for entity, count in _counted(pc.filter(objects, other)).items():
        counts[entity] = counts.get(entity, 0) + count
    for entity in leave_out:
        counts.pop(entity, None)
    return largest_first(counts.items())


def _counted(column: Any) -> Mapping[str, int]:
    """How often each value occurs; null is no value."""
    counted = pc.value_counts(pc.drop_null(column))
    return dict(zip(counted.field("values").to_pylist(), counted.field("counts").to_pylist(), strict=True))
