"""How a ranking stage hands its rows on: one ledger entry per row, ranks before and after."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.context import Row
from core_search.trace import StageDraft


def settle(stage: StageDraft, before: Sequence[Row], after: Sequence[Row]) -> tuple[Row, ...]:
    """Record every row of `after` (new order, dropped ones with their code) and return those that stay.

    `before` gives the ranks that rows came in with; a row that only `after` has entered in this stage.
    """
    rank_in = {row.key: position for position, row in enumerate(before, 1)}
    kept: list[Row] = []
    for row in after:
        if row.code is None:
            kept.append(row)
        stage.enter(row.entry(rank_in=rank_in.get(row.key), rank_out=len(kept)))
    return tuple(kept)
