from __future__ import annotations

import dataclasses
from itertools import cycle

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.errors import UsageError
from core_search.models import Extraction, ItemKind, QueryType
from core_search.providers.base import ExtractionAnswer
from core_search.providers.build import build_providers
from core_search.stability import FlickeringItem, stability
from tests.small import bundle


class MovingExtractor:
    """An extractor that says something else every other time."""

    name, model = "moving", "test"

    def __init__(self, *types: QueryType):
        self.types = cycle(types)

    def extract(self, question):
        hints = ("Ann Lee", "Bob Stone")
        extraction = Extraction(query_type=next(self.types), entity_hints=hints, confidence=1.0)
        return ExtractionAnswer(extraction, self.name, self.model)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


def test_the_local_rules_say_the_same_every_time(engine):
    report = stability(engine, SearchRequest(query="code review", workspace="small"), 3)
    assert (report.times, report.failed, report.flickering, report.same_results) == (3, 0, (), True)
    assert all(agreement.share == 1 for agreement in report.fields)
    assert report.steady > 0


def test_says_which_field_moves_and_which_items_flicker(engine):
    extractor = MovingExtractor(QueryType.RELATIONSHIP, QueryType.TEMPORAL_FACETS)
    providers = dataclasses.replace(build_providers(engine.settings), extractor=extractor)
    with SearchEngine(engine.settings, providers) as moving:
        request = SearchRequest(query="Ann Lee and Bob Stone", workspace="small", set={"backstop": False})
        report = stability(moving, request, 3)
    moved = {agreement.field: agreement for agreement in report.fields if agreement.share < 1}
    assert set(moved) == {"queryType"}
    assert moved["queryType"].share == pytest.approx(2 / 3)
    assert moved["queryType"].values == (('"relationship"', 2), ('"temporal_facets"', 1))
    assert not report.same_results
    assert FlickeringItem(kind=ItemKind.STATEMENT, id="st5", runs=2) in report.flickering


def test_one_run_compares_with_nothing(engine):
    with pytest.raises(UsageError, match="2 or more"):
        stability(engine, SearchRequest(query="soup", workspace="small"), 1)
