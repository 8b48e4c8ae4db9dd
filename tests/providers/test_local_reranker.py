import math

import pytest

from core_search.providers.base import RerankItem
from core_search.providers.local_reranker import WEIGHTS, LocalReranker


def test_contract(reranker_contract):
    reranker_contract(LocalReranker())


@pytest.mark.parametrize("other", ["recency", "answer_source"])
def test_weights_make_a_share(other):
    """The two signals are of different query types."""
    assert sum(WEIGHTS.values()) - WEIGHTS[other] == pytest.approx(1)


def test_score_is_the_weighted_sum():
    items = [
        RerankItem("none", ""),
        RerankItem("all", "", dict.fromkeys(WEIGHTS, 1.0)),
        RerankItem("one", "", {"statement_cosine": 0.5, "unknown": 9.0}),
    ]
    answer = LocalReranker().rerank("q", items)
    assert [(entry.index, pytest.approx(entry.score)) for entry in answer.scores] == [
        (1, 1.0),
        (2, 0.5 * WEIGHTS["statement_cosine"]),
        (0, 0.0),
    ]
    assert answer.detail["weights"] == dict(WEIGHTS)


def test_ties_keep_the_order_of_the_items():
    items = [RerankItem(str(i), "", {"episode_cosine": 0.3}) for i in range(3)]
    assert [entry.index for entry in LocalReranker().rerank("q", items).scores] == [0, 1, 2]


def test_scores_stay_in_their_range_and_nan_stays_visible():
    signals = [{"episode_cosine": -0.5}, dict.fromkeys(WEIGHTS, 1.5), {"episode_cosine": math.nan}]
    answer = LocalReranker().rerank("q", [RerankItem(str(i), "", s) for i, s in enumerate(signals)])
    scores = {entry.index: entry.score for entry in answer.scores}
    assert (scores[0], scores[1]) == (0.0, 1.0)
    assert math.isnan(scores[2])
