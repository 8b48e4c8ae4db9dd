"""Offline reranking: a weighted sum of named absolute signals that the pipeline measured for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from core_search.providers.base import RerankAnswer, RerankItem, RerankScore

# Weights found on three LoCoMo conversations, measured on two others (`core-search calibrate` prints the search). They
# add up to 1, so that signals in 0..1 give a score in 0..1.
WEIGHTS = MappingProxyType(
    {
        "episode_cosine": 0.20,
        "statement_cosine": 0.10,
        "episode_bm25": 0.05,
        "window_bm25": 0.45,
        "statement_bm25": 0.20,
    }
)
FORMULA = "score = sum of weight * signal over the named signals; a missing signal counts 0; cut to 0..1"


class LocalReranker:
    """The offline `Reranker`: no text is read, only `RerankItem.signals`."""

    name = "local"
    model = "weighted-signals"
    wants_signals = True
    floor = 0.10  # the reference values (SPEC 2, "Numbers"), until calibrated with the weights
    exploratory_floor = 0.20

    def rerank(self, query: str, items: Sequence[RerankItem]) -> RerankAnswer:
        """Best first, ties in the order of the items."""
        scores = [RerankScore(index, _score(item)) for index, item in enumerate(items)]
        scores.sort(key=lambda score: (-score.score, score.index))
        return RerankAnswer(tuple(scores), detail={"weights": dict(WEIGHTS), "formula": FORMULA})


def _score(item: RerankItem) -> float:
    total = sum(weight * item.signals.get(name, 0.0) for name, weight in WEIGHTS.items())
    return min(max(total, 0.0), 1.0)  # in this order a NaN stays one, and the caller refuses it
