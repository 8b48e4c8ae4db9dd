"""What a relevance floor costs and saves: relevant candidates lost, others removed, by floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core_search.evaluation.reranked import Reranked
from core_search.models import Value

FLOORS = (0.02, 0.03, 0.04, 0.05, 0.08, 0.10, 0.12, 0.14, 0.16, 0.18, 0.20, 0.25, 0.30)


class FloorRow(Value):
    """Shares of all candidates of one floor: `lost` of the relevant ones, `removed` of the others."""

    floor: float
    lost: float
    removed: float
    kept: float  # candidates that stay, mean over queries
    empty: int  # queries of which nothing stays


def floor_table(cases: Sequence[Reranked], floors: Sequence[float] = FLOORS) -> tuple[FloorRow, ...]:
    """One row a floor; empty without cases."""
    if not cases:
        return ()
    scores = np.concatenate([case.scores for case in cases])
    hits = np.concatenate([case.relevant_candidates for case in cases])
    return tuple(
        FloorRow(
            floor=floor,
            lost=_share(scores[hits] < floor),
            removed=_share(scores[~hits] < floor),
            kept=float(np.mean([(case.scores >= floor).sum() for case in cases])),
            empty=sum(not (case.scores >= floor).any() for case in cases),
        )
        for floor in floors
    )


def _share(which: np.ndarray) -> float:
    return float(which.mean()) if which.size else 0.0
