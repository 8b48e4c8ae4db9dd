from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core_search.fate.cuts import needed_budget
from core_search.ranking.budget import fit


def test_what_stands_before_counts_unless_it_is_larger_than_the_budget():
    assert needed_budget([5, 900, 4], 2, 8) == 9
    assert needed_budget([5, 900, 4], 1, 8) == 905
    assert needed_budget([5, 9, 4], 2, 8) == 18  # with 9 tokens the second comes in, and takes them
    assert needed_budget([3], 0, 0) == 3
    assert needed_budget([0], 0, 0) == 1  # a budget of 0 keeps nothing


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(0, 60), st.data())
def test_it_is_the_smallest_larger_budget_that_keeps_the_item(tokens, limit, data):
    place = data.draw(st.integers(0, len(tokens) - 1))
    larger = range(limit + 1, limit + sum(tokens) + 2)
    assert needed_budget(tokens, place, limit) == next(budget for budget in larger if fit(tokens, budget)[place])
