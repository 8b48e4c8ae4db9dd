"""Stage 3.1: one entry per item, the first place kept, every source and its score kept beside it (SPEC 2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core_search.context import Row
from core_search.models import ItemKind
from core_search.trace import DropCode, StageDraft


def merge(rows: Iterable[Row], stage: StageDraft) -> tuple[Row, ...]:
    """Join rows of one item. Every row that joined another leaves with `duplicate`."""
    places: dict[tuple[ItemKind, str], Row] = {}
    incoming = list(rows)
    for row in incoming:
        first = places.get(row.key)
        places[row.key] = row if first is None else _joined(first, row)
    merged = list(places.values())
    rank = {row.key: position for position, row in enumerate(merged, 1)}
    seen: set[tuple[ItemKind, str]] = set()
    for position, row in enumerate(incoming, 1):
        if row.key in seen:
            stage.enter(replace(row, code=DropCode.DUPLICATE).entry(rank_in=position))
        else:
            seen.add(row.key)
            stage.enter(places[row.key].entry(rank_in=position, rank_out=rank[row.key]))
    return tuple(merged)


def _joined(first: Row, other: Row) -> Row:
    return replace(
        first,
        scores={**first.scores, **{name: s for name, s in other.scores.items() if name not in first.scores}},
        sources=tuple(dict.fromkeys((*first.sources, *other.sources))),
        detail={**other.detail, **first.detail},
    )
