from __future__ import annotations

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.answers import items_of
from core_search.models import QueryType
from core_search.shadow import shadow
from tests.small import bundle, route


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


def test_the_other_five_handlers_on_the_same_extraction(engine):
    output = route("relationship", entityHints=["Ann Lee", "Bob Stone"])
    request = SearchRequest(
        query="how do Ann Lee and Bob Stone know each other", workspace="small", router_output=output
    )
    result = engine.search(request)
    others = shadow(engine, request, result)
    assert [other.query_type for other in others] == [t for t in QueryType if t is not QueryType.RELATIONSHIP]
    for other in others:
        assert other.error is None
        assert other.result.router.entity_hints == ("Ann Lee", "Bob Stone")
        assert other.result.parent == result.trace.id
        assert other.shared + other.only_original == len(items_of(result))
        assert other.shared + other.only_here == len(items_of(other.result))
    facets = next(other for other in others if other.query_type is QueryType.TEMPORAL_FACETS)
    assert facets.result.facets


def test_a_handler_that_fails_is_no_empty_result(engine):
    request = SearchRequest(query="soup", workspace="small", router_output=route("aspect_query"))
    result = engine.search(request)
    backwards = result.model_copy(update={"workspace": "gone"})
    assert all(other.error and other.result is None for other in shadow(engine, request, backwards))
