import math

import pytest

from core_search.providers.base import RerankAnswer, RerankScore
from core_search.ranking.answer_check import check_answer


@pytest.mark.parametrize(
    ("entries", "count", "reason"),
    [
        ([(1, 0.9), (0, 0.0)], 2, None),
        ([], 0, None),
        ([(0, 1.0)], 2, "1 of 2"),
        ([], 1, "0 of 1"),
        ([(0, 0.5), (0, 0.4)], 2, "more than once"),
        ([(0, 0.5), (2, 0.4)], 2, "candidate 2, but there are 2"),
        ([(-1, 0.5), (0, 0.4)], 2, "candidate -1"),
        ([(0, math.nan)], 1, "the score nan"),
        ([(0, math.inf)], 1, "the score inf"),
        ([(0, 1.5)], 1, "outside 0..1"),
        ([(0, -0.1)], 1, "outside 0..1"),
    ],
)
def test_reasons(entries, count, reason):
    found = check_answer(RerankAnswer(tuple(RerankScore(*entry) for entry in entries)), count)
    assert found is None if reason is None else reason in found
