import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_search.ranking.budget import fit


@pytest.mark.parametrize(
    ("tokens", "limit", "stays"),
    [
        ([5, 4, 3], 12, [True, True, True]),
        ([5, 4, 3], 11, [True, True, False]),
        ([900, 4, 3], 10, [False, True, True]),  # a giant on top does not empty the answer
        ([5, 900, 4, 3], 10, [True, False, True, False]),
        ([5, 4], 0, [False, False]),
        ([0], 0, [False]),
        ([], 10, []),
    ],
)
def test_drops_giants_and_then_the_tail(tokens, limit, stays):
    assert fit(tokens, limit) == stays


def test_refuses_a_negative_budget():
    with pytest.raises(ValueError, match="negative"):
        fit([1], -1)


@given(st.lists(st.integers(0, 50), max_size=20), st.integers(0, 100))
def test_what_stays_fits_and_only_giants_interrupt_it(tokens, limit):
    stays = fit(tokens, limit)
    assert sum(t for t, stay in zip(tokens, stays, strict=True) if stay) <= limit
    small = [stay for t, stay in zip(tokens, stays, strict=True) if t <= limit]
    assert small == sorted(small, reverse=True)
