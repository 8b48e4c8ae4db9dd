from __future__ import annotations

import pytest

from core_search.evaluation.bootstrap import difference_interval, mean_interval


def test_equal_values_have_no_width() -> None:
    assert mean_interval([0.5, 0.5, 0.5]) == (0.5, 0.5)
    assert mean_interval([0.3]) == (0.3, 0.3)


def test_the_interval_is_near_that_of_the_normal_distribution() -> None:
    values = [0.0, 1.0] * 100
    low, high = mean_interval(values)
    half = 1.96 * (0.25 / len(values)) ** 0.5
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half), abs=0.01)


def test_differences_are_paired() -> None:
    # Each query gains a tenth: paired there is no doubt, whatever the queries' spread.
    before = [0.1, 0.5, 0.8]
    assert difference_interval([value + 0.1 for value in before], before) == pytest.approx((0.1, 0.1))
