"""Offline reranking: a weighted sum of named absolute signals that the pipeline measured for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from core_search.providers.base import RerankAnswer, RerankItem, RerankScore

# Calibrated by `core-search calibrate`; equal shares until a measurement says otherwise. They add up to 1, so that
# signals in 0..1 give a score in 0..1.
WEIGHTS = MappingProxyType(
    {
        "episode_cosine": 1 / 6,
        "window_cosine": 1 / 6,
        "statement_cosine": 1 / 6,
        "episode_bm25": 1 / 6,
        "window_bm25": 1 / 6,
        "statement_bm25": 1 / 6,
    }
)
FORMULA = "score = sum of weight * signal over the named signals; a missing signal counts 0; cut to 0..1"


class LocalReranker:
    """The offline `Reranker`: no text is read, only `RerankItem.signals`."""

    name = "local"
    model = "weighted-signals"
    wants_signals = True

    def rerank(self, query: str, items: Sequence[RerankItem]) -> RerankAnswer:
        """Best first, ties in the order of the items."""
        scores = [RerankScore(index, _score(item)) for index, item in enumerate(items)]
        scores.sort(key=lambda score: (-score.score, score.index))
        return RerankAnswer(tuple(scores), detail={"weights": dict(WEIGHTS), "formula": FORMULA})


def _score(item: RerankItem) -> float:
    total = sum(weight * item.signals.get(name, 0.0) for name, weight in WEIGHTS.items())
    return min(max(total, 0.0), 1.0)  # in this order a NaN stays one, and the caller refuses it
