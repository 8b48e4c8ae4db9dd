"""Offline reranking: a weighted sum of named absolute signals that the pipeline measured for each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from core_search.providers.base import RerankAnswer, RerankItem, RerankScore

# Found on three LoCoMo conversations and on the sample's judged queries together, and measured on two other LoCoMo
# conversations (README). What the route asked for, a label or a name, is worth more than the floor: it is not cut for
# its words alone. `answer_source` and `recency` are of different query types; with one of them the weights add up to 1,
# so that signals in 0..1 give a score in 0..1.
WEIGHTS = MappingProxyType(
    {
        "episode_cosine": 0.16,
        "statement_cosine": 0.02,
        "episode_bm25": 0.01,
        "window_bm25": 0.19,
        "session_bm25": 0.09,
        "statement_bm25": 0.13,
        "entity_match": 0.07,
        "answer_source": 0.13,
        "label_match": 0.20,
        "recency": 0.13,
    }
)
FORMULA = "score = sum of weight * signal over the named signals; a missing signal counts 0; cut to 0..1"


class LocalReranker:
    """The offline `Reranker`: no text is read, only `RerankItem.signals`."""

    name = "local"
    model = "weighted-signals"
    wants_signals = True
    # `core-search calibrate --only floors`: it loses 1.1 % of the relevant items of the sample, 3 % of broad questions.
    floor = 0.04
    exploratory_floor = 0.04

    def rerank(self, query: str, items: Sequence[RerankItem]) -> RerankAnswer:
        """Best first, ties in the order of the items."""
        scores = [RerankScore(index, _score(item)) for index, item in enumerate(items)]
        scores.sort(key=lambda score: (-score.score, score.index))
        return RerankAnswer(tuple(scores), detail={"weights": dict(WEIGHTS), "formula": FORMULA})


def _score(item: RerankItem) -> float:
    total = sum(weight * item.signals.get(name, 0.0) for name, weight in WEIGHTS.items())
    return min(max(total, 0.0), 1.0)  # in this order a NaN stays one, and the caller refuses it
