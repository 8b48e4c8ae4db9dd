"""What the reranker saw of each judged query: the candidates' signals by name, read from the trace.

With them weights and floors are tried out without searching again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core_search.engine import SearchEngine
from core_search.errors import SearchFailed
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.qrels import relevant
from core_search.evaluation.variants import FULL, RANKED, search
from core_search.models import ItemKind
from core_search.ranking.evidence import SIGNALS
from core_search.stores.base import Progress
from core_search.trace import Stage

SCORE = "rerank"


@dataclass(frozen=True)
class Reranked:
    """One query's candidates in the order in which they reached the reranker: that order breaks ties."""

    key: str
    grades: Mapping[str, int]
    candidates: tuple[str, ...]
    signals: NDArray[np.float64]  # shape (candidates, len(SIGNALS))
    scores: NDArray[np.float64]  # what the reranker in use made of them
    exploratory: bool

    @property
    def relevant_candidates(self) -> NDArray[np.bool_]:
        wanted = relevant(self.grades)
        return np.array([item in wanted for item in self.candidates], dtype=bool)

    def ranking(self, weights: NDArray[np.float64]) -> tuple[str, ...]:
        """The candidates in the order of the weighted sum."""
        order = np.argsort(-(self.signals @ weights), kind="stable")
        return tuple(self.candidates[place] for place in order)


def reranked(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    changes: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> tuple[list[Reranked], int]:
    """The queries that were reranked by signals, and the number of those that were not.

    Not reranked are queries that failed, that the gate stopped, that found nothing, and those that ask for a time
    without a topic. Queries without a relevant item are passed over.
    """
    todo = [(judged.workspace, query, grades) for judged in sets for query, grades in judged.judged()]
    seen: list[Reranked] = []
    others = 0
    for position, (workspace, query, grades) in enumerate(todo, 1):
        if progress:
            progress("signals", position, len(todo))
        if not relevant(grades):
            continue
        try:
            result = search(engine, workspace, query, FULL, {**RANKED, **(changes or {})})
        except SearchFailed:
            others += 1
            continue
        exploratory = result.router.query_type.value == "exploratory"
        case = _case(f"{workspace}\t{query.id}", grades, result.trace.stage("rerank"), exploratory)
        if case is None:
            others += 1
        else:
            seen.append(case)
    return seen, others


def _case(key: str, grades: Mapping[str, int], stage: Stage, exploratory: bool) -> Reranked | None:
    entries = [e for e in stage.ledger if e.kind is ItemKind.EPISODE and SCORE in e.scores and SIGNALS[0] in e.scores]
    entries.sort(key=lambda entry: entry.rank_in or 0)
    if not entries:
        return None
    return Reranked(
        key=key,
        grades=grades,
        candidates=tuple(entry.id for entry in entries),
        signals=np.array([[entry.scores.get(name, 0.0) for name in SIGNALS] for entry in entries]),
        scores=np.array([entry.scores[SCORE] for entry in entries]),
        exploratory=exploratory,
    )
