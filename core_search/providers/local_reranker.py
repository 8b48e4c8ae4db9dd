"""Offline reranking: a weighted sum of named absolute signals that the pipeline measured for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from core_search.providers.base import RerankAnswer, RerankItem, RerankScore

# The text signals' weights were found on three LoCoMo conversations and measured on two others (`core-search calibrate`
# prints the search). A label that the route chose is worth the floor: what the route asked for is not cut for its
# words alone. They add up to 1, so that signals in 0..1 give a score in 0..1.
WEIGHTS = MappingProxyType(
    {
        "episode_cosine": 0.18,
        "statement_cosine": 0.09,
        "episode_bm25": 0.045,
        "window_bm25": 0.405,
        "statement_bm25": 0.18,
        "label_match": 0.10,
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
