"""Agreement, against numbers that can be worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core_search.judgments.agreement import agreement, alpha, disagreements, pairwise, weighted_kappa
from core_search.judgments.values import Grade, ItemKey, Verdict
from core_search.models import ItemKind

AT = datetime(2026, 3, 1, tzinfo=UTC)


def card(item_id):
    return ItemKey("q1", ItemKind.EPISODE, item_id)


def said(reviewer, *values):
    """Grades of cards e0, e1, …; None means that the reviewer cannot judge."""
    return [
        Grade(
            card(f"e{number}"),
            reviewer,
            Verdict.CANNOT_JUDGE if value is None else Verdict.GRADED,
            value,
            "unclear" if value is None else "",
            "",
            AT,
        )
        for number, value in enumerate(values)
    ]


def test_kappa_is_one_minus_seen_over_expected_disagreement():
    # Pairs (0,0) (1,1) (2,2) (3,3) (0,1): squared distances seen sum to 1.
    # Margins: first 0,0,1,2,3; second 0,1,1,2,3. All 25 pairs have squared distances that sum to
    # 2*(0+1+1+4+9) + (1+0+0+1+4) + (4+1+1+0+1) + (9+4+4+1+0) = 30+6+7+18 = 61, expected of 5 pairs: 61/5.
    found = weighted_kappa([(0, 0), (1, 1), (2, 2), (3, 3), (0, 1)])
    assert found.value == pytest.approx(1 - 1 / (61 / 5))
    assert found.items == 5
    assert -1 <= found.low <= found.value <= found.high <= 1


def test_kappa_weighs_far_apart_more():
    near = weighted_kappa([(0, 0), (3, 3), (1, 2), (2, 1)])
    far = weighted_kappa([(0, 3), (3, 0), (1, 1), (2, 2)])
    assert near.value > 0 > far.value


def test_alpha_of_two_cards_by_hand():
    # Cards (0,0,0) and (1,2). Values: three 0, one 1, one 2. Ordinal distances: 0-1 (3/2+1/2)^2 = 4,
    # 0-2 (3/2+1+1/2)^2 = 9, 1-2 (1/2+1/2)^2 = 1. Seen 2*1/5, expected 2*(3*4+3*9+1)/(5*4).
    found = alpha([(0, 0, 0), (1, 2)])
    assert found.value == pytest.approx(1 - (2 / 5) / (80 / 20))
    assert found.items == 2


def test_two_reviewers_get_kappa_and_three_alpha():
    two = [*said("Ann", 0, 1, 2, 3), *said("Ben", 0, 1, 2, 3)]
    both = agreement(two)
    assert (both.measure, both.reviewers, both.value) == ("kappa", ("Ann", "Ben"), 1)
    three = agreement([*two, *said("Cy", 3, 2, 1, 0)])
    assert (three.measure, three.items) == ("alpha", 4)
    assert three.low <= three.value <= three.high
    assert agreement(said("Ann", 1, 2)) is None


def test_only_shared_grades_count():
    grades = [*said("Ann", 0, None, 2, 3, 1), *said("Ben", 0, 1, 2, 3)]
    assert agreement(grades).items == 3
    (pair,) = pairwise([*grades, *said("Cy")])
    assert pair.items == 3


def test_what_is_not_defined_says_why():
    assert "one and the same grade" in weighted_kappa([(2, 2), (2, 2)]).undefined
    assert "one and the same grade" in alpha([(2, 2), (2, 2, 2)]).undefined
    assert "at least 2" in weighted_kappa([(1, 2)]).undefined
    assert "at least 2" in alpha([(1,), (2, 3)]).undefined
    assert weighted_kappa([]).items == 0


def test_the_interval_is_the_same_every_time_and_narrows():
    pairs = [(0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (2, 3)]
    few, many = weighted_kappa(pairs), weighted_kappa(pairs * 20)
    assert few == weighted_kappa(pairs)
    assert many.value == pytest.approx(few.value)
    assert many.high - many.low < few.high - few.low


def test_disagreements_come_widest_apart_first_without_settled_ones():
    grades = [*said("Ann", 0, 1, 2, 3, 0), *said("Ben", 1, 1, None, 0, 2)]
    assert [(one.key.item_id, one.spread) for one in disagreements(grades)] == [("e3", 3), ("e4", 2), ("e0", 1)]
    assert [one.key.item_id for one in disagreements(grades, [card("e3")])] == ["e4", "e0"]
