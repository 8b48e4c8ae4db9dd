from __future__ import annotations

from collections import Counter

from core_search.bench.questions import KINDS, V1, questions
from core_search.bench.world import World
from core_search.models import RouterOutput
from core_search.router.repair import extraction_from_mapping


def test_so_many_of_every_kind_both_ways():
    asked = questions(World(200), 4)
    given = Counter(question.kind for question in asked if question.router_output)
    ruled = Counter(question.kind for question in asked if not question.router_output)
    assert given == dict.fromkeys(KINDS, 4)
    assert ruled == {kind: 4 for kind in KINDS if kind != V1}


def test_another_series_asks_other_questions():
    first, second = ({question.text for question in questions(World(200), 4, series)} for series in (0, 1))
    assert len(first & second) < len(first) / 4


def test_the_given_routes_need_no_repair():
    for question in questions(World(200), 4):
        if question.router_output:
            extraction, repairs = extraction_from_mapping(question.router_output, None, "the benchmark")
            assert not repairs
            assert RouterOutput(**extraction.model_dump()).query_type in (question.kind, "exploratory")
