from __future__ import annotations

import pytest

from core_search import SearchEngine, Settings
from core_search.errors import UnknownItem
from core_search.fate import compare_scores
from core_search.providers.local_reranker import WEIGHTS
from tests.small import ask, bundle, route


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle())
        yield engine


def test_the_terms_add_up_to_the_scores_and_to_their_difference(engine):
    result = ask(engine, "small", "small pull requests", route("aspect_query"))
    comparison = compare_scores(result, "e1", "e3")
    assert {term.name: term.weight for term in comparison.terms} == dict(WEIGHTS)
    assert sum(term.term_a for term in comparison.terms) == pytest.approx(comparison.a.score)
    assert sum(term.term_b for term in comparison.terms) == pytest.approx(comparison.b.score)
    assert sum(term.difference for term in comparison.terms) == pytest.approx(comparison.difference)
    assert comparison.difference > 0
    assert comparison.text.startswith("'e1' scores")
    differences = [abs(term.difference) for term in comparison.terms]
    assert differences == sorted(differences, reverse=True)


def test_the_other_way_round_has_the_other_sign(engine):
    result = ask(engine, "small", "small pull requests", route("aspect_query"))
    one, other = compare_scores(result, "e1", "e3"), compare_scores(result, "e3", "e1")
    assert one.difference == -other.difference
    assert one.text == other.text


def test_an_item_that_was_cut_is_compared_too(engine):
    result = ask(engine, "small", "small pull requests", route("aspect_query"), limit=1)
    assert compare_scores(result, "e1", "e3").b.code == "rerank_cut"


def test_without_a_reranker_no_score_decided(engine):
    result = ask(engine, "small", "small pull requests", route("aspect_query"), rerank=False)
    comparison = compare_scores(result, "e1", "e3")
    assert comparison.difference is None
    assert comparison.text == "The order was not decided by a score: switched off (rerank)."


def test_what_was_never_ranked_cannot_be_compared(engine):
    result = ask(engine, "small", "small pull requests", route("aspect_query"))
    with pytest.raises(UnknownItem, match="'nothing'"):
        compare_scores(result, "e1", "nothing")
