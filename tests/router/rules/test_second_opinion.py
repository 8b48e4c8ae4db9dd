"""The second opinion: its examples, its stored weights, and what it changes in a route."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import numpy as np
import pytest

from core_search.models import Aspect, Extraction, LookupMode, QueryType, TemporalType
from core_search.providers.base import KnownNames, Question
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.router.rules import RulesExtractor
from core_search.router.rules.confidence import confidence_of
from core_search.router.rules.second_opinion import SecondOpinion, fit, read_examples, stored

Extract = Callable[[str], Extraction]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.fixture(scope="module")
def asked(embedder: LocalEmbedder, names: KnownNames, now: datetime) -> Extract:
    extractor = RulesExtractor(embedder)
    return lambda query: extractor.extract(Question(query, now, "Europe/Lisbon", (), names)).extraction


def test_every_kind_has_examples() -> None:
    kinds = {example.kind for example in read_examples()}

    assert kinds == {*QueryType, None}


def test_the_stored_weights_are_those_of_the_examples(embedder: LocalEmbedder) -> None:
    weights = stored(embedder)

    assert weights is not None, "run: python -m core_search.router.rules.second_opinion"
    np.testing.assert_allclose(weights, fit(embedder), atol=2e-3)  # half precision on disk


def test_another_model_fits_its_own_weights() -> None:
    class Letters:
        """Counts of letters: a poor embedding, but one of another model."""

        model = "letters"

        def embed(self, texts: list[str]) -> np.ndarray:
            counts = np.array([[text.count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts], np.float32)
            return counts / np.linalg.norm(counts, axis=1, keepdims=True)

    letters = Letters()

    assert stored(letters) is None  # type: ignore[arg-type]
    assert set(SecondOpinion(letters).of("what did ʘ say", dated=True).scores) == set(QueryType)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("would Alice go along with smaller releases", QueryType.ASPECT_QUERY),
        ("how did Alice cross paths with Bob", QueryType.RELATIONSHIP),
        ("which customers wrote to us in January", QueryType.TEMPORAL_FACETS),
        ("the essentials of last month", QueryType.EXPLORATORY),
        ("what did Alice report in January", QueryType.TEMPORAL),
        ("Alice", QueryType.ENTITY_LOOKUP),
    ],
)
def test_kinds_that_no_word_gives_away(asked: Extract, query: str, kind: QueryType) -> None:
    assert asked(query).query_type is kind


def test_it_names_aspects_where_no_word_does(asked: Extract) -> None:
    assert Aspect.PREFERENCE in asked("is Alice keen on smaller releases").aspects


def test_key_words_are_searched_whatever_they_resemble(asked: Extract) -> None:
    assert asked("salt sea water boats").should_search


def test_a_doubted_route_is_less_sure_than_an_undoubted_one() -> None:
    assert confidence_of("names something, in doubt") < confidence_of("names something")


@pytest.mark.parametrize("query", ["When did Alice paint a sunrise last year?", "where did Alice live 4 years ago"])
def test_the_time_of_an_event_is_no_range(asked: Extract, query: str) -> None:
    assert asked(query).temporal.type is TemporalType.ALL


def test_a_property_of_the_owner(asked: Extract) -> None:
    found = asked("what's my office hours")

    assert (found.lookup_mode, found.attribute_hint, found.entity_hints) == (
        LookupMode.ATTRIBUTE,
        "office_hours",
        ("I",),
    )


def test_portuguese_dates(asked: Extract) -> None:
    found = asked("resumo do mês passado").temporal  # asked on 1 March 2026

    assert (found.start_date, found.end_date) == ("2026-02-01", "2026-02-28")


def test_two_months_that_touch_are_one_range(asked: Extract) -> None:
    found = asked("how many problems did we log in november and december 2025").temporal

    assert (found.start_date, found.end_date) == ("2025-11-01", "2025-12-31")


@pytest.mark.parametrize(
    "query",
    [
        "Which restaurant did Alice recommend to Bob?",
        "Did Alice tell Bob why the launch slipped?",
        "What gift did Alice receive from Bob?",
        "How long has Alice had her present group of friends?",
    ],
)
def test_two_names_are_not_yet_a_relationship(asked: Extract, query: str) -> None:
    assert asked(query).query_type is QueryType.ENTITY_LOOKUP
