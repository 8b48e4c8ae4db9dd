from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_search.comparison.overlap import jaccard, rank_biased_overlap

rankings = st.lists(st.integers(0, 12), unique=True, max_size=10)


def test_jaccard_counts_shared_items():
    assert jaccard("abc", "bcd") == 2 / 4
    assert jaccard("", "") == 1.0


def test_equal_and_disjoint_rankings_are_the_ends():
    assert rank_biased_overlap("abcde", "abcde") == 1.0
    assert rank_biased_overlap("abc", "xyz") == 0.0
    assert rank_biased_overlap("", "") == 1.0
    assert rank_biased_overlap("", "a") == 0.0


def test_a_swap_at_the_top_by_hand():
    # Agreement is 0 at depth 1 and 1 at depth 2: (1-p)/p * p^2 + p^2 = p.
    assert rank_biased_overlap("ab", "ba", 0.9) == pytest.approx(0.9)


def test_rankings_of_two_lengths_by_hand():
    # "a" against "ab": agreement 1 at depth 1; at depth 2 the seen half plus the half that equation 32 extrapolates.
    p = 0.5
    expected = (1 - p) / p * (p + (1 / 2 + 1 * 1 / (1 * 2)) * p**2) + ((1 - 1) / 2 + 1 / 1) * p**2
    assert rank_biased_overlap("a", "ab", p) == pytest.approx(expected)


def test_a_change_at_the_top_counts_more():
    assert rank_biased_overlap("abcd", "bacd") < rank_biased_overlap("abcd", "abdc")


@given(rankings, rankings)
def test_it_is_symmetric_and_in_bounds(first, second):
    value = rank_biased_overlap(first, second)
    assert 0.0 <= value <= 1.0
    assert value == rank_biased_overlap(second, first)


@given(rankings)
def test_a_ranking_equals_itself(ranking):
    assert rank_biased_overlap(ranking, ranking) == pytest.approx(1.0)
