from __future__ import annotations

from dataclasses import replace

import pytest

from core_search.comparison.report import Move, compare
from core_search.comparison.setups import Area
from core_search.comparison.side import name_of
from core_search.errors import UsageError
from core_search.evaluation.variants import RANKED
from core_search.options import SearchOptions
from tests.small import route


def test_the_same_search_twice_has_no_difference(side):
    comparison = compare([side("A"), side("B")])
    pair = comparison.pairs[0]
    assert comparison.setups == ()
    assert pair.text.startswith("Nothing changed: the same")
    assert (pair.changed, pair.jaccard, pair.rank_biased_overlap, pair.parting) == (0, 1.0, 1.0, None)


def test_what_was_asked_otherwise_comes_with_both_values(side):
    found = compare([side("A"), side("B", limit=1, rerank=False)]).setups
    assert [(one.area, one.name, one.values) for one in found] == [
        (Area.CONFIGURATION, "limit", ("20", "1")),
        (Area.CONFIGURATION, "rerank", ("on", "off")),
    ]


def test_models_and_data_are_named(side):
    first = side("A")
    other = replace(first, name="B", fingerprint="f" * 64, providers={**first.providers, "reranker": "cohere 3"})
    names = [(one.area, one.name) for one in compare([first, other]).setups]
    assert names == [(Area.MODEL, "reranker"), (Area.DATA, "data")]


def test_counts_add_up_to_the_items_of_both(side):
    first, second = side("A"), side("B", limit=1)
    comparison = compare([first, second])
    pair = comparison.pairs[0]
    assert pair.gone + pair.up + pair.down + pair.same == sum(row.ranks[0] is not None for row in comparison.rows)
    assert pair.new + pair.up + pair.down + pair.same == sum(row.ranks[1] is not None for row in comparison.rows)
    assert pair.gone == len(first.result.episodes) - 1


def test_moves_have_a_sign(side):
    first, second = side("A", sort="relevance"), side("B", sort="recency")
    for row in compare([first, second]).rows:
        if row.move(1) is Move.UP:
            assert row.climbed(1) > 0
        if row.move(1) is Move.DOWN:
            assert row.climbed(1) < 0


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        ({"label_ids": "l-food"}, "route"),
        ({"confidence_gate": 1.0}, "gate"),
        ({"episode_limit": 1, "backstop": True}, "handle"),
        ({"backstop": False}, "backstop"),
        ({"limit": 1}, "rerank"),
        ({"token_budget": 12}, "budget"),
    ],
)
def test_they_part_at_the_stage_that_decided(side, changes, stage):
    pair = compare([side("A"), side("B", **changes)]).pairs[0]
    assert pair.parting.stage == stage
    assert pair.parting.text


def test_another_extraction_parts_at_route_in_words(side):
    other = side("B", route("temporal", temporal={"type": "recent", "days": 7}))
    parting = compare([side("A"), other]).pairs[0].parting
    assert parting.stage == "route"
    assert "queryType aspect_query, then temporal" in parting.text


def test_a_failed_search_is_not_an_empty_one(side):
    failed = replace(side("B"), result=None, error="the disk is gone")
    comparison = compare([side("A"), failed])
    pair = comparison.pairs[0]
    assert not pair.comparable
    assert pair.text == "B did not run, so there is nothing to compare."
    assert (pair.gone, pair.jaccard) == (0, None)


def test_two_empty_answers_are_said_to_be_empty(side):
    closed = [side(name, route("exploratory", shouldSearch=False)) for name in "AB"]
    assert compare(closed).pairs[0].text == "Nothing changed: both are empty."


def test_up_to_six_sides_each_against_the_first(side):
    sides = [side(name) for name in "ABCDEF"]
    assert [pair.side for pair in compare(sides).pairs] == [1, 2, 3, 4, 5]
    with pytest.raises(UsageError, match="2 to 6"):
        compare(sides[:1])
    with pytest.raises(UsageError, match="2 to 6"):
        compare([*sides, sides[0]])


def test_a_configuration_is_called_by_what_it_changes():
    defaults = SearchOptions()
    assert name_of(defaults, defaults) == "defaults"
    assert name_of(SearchOptions(rerank=False, limit=5), defaults) == "limit 5, rerank off"
    assert name_of(SearchOptions(rerank=False), defaults, {"mine": SearchOptions(rerank=False)}) == "mine"
    assert name_of(defaults.with_changes({**RANKED, "rerank": False}), defaults) == "whole ranking, rerank off"
