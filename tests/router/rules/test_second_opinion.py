"""The second opinion: its examples, its stored weights, and what it changes in a route."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from core_search.models import Aspect, Extraction, LookupMode, QueryType, TemporalType
from core_search.options import REFERENCE_PROFILE
from core_search.providers.base import KnownNames, Question
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.router.rules import RulesExtractor
from core_search.router.rules.examples import read_examples
from core_search.router.rules.second_opinion import (
    Opinion,
    SecondOpinion,
    features,
    fit,
    opinion_from,
    sightings,
    stored,
)
from core_search.router.rules.sighting import see

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


def test_an_example_knows_its_names() -> None:
    named = next(example for example in read_examples() if example.names)

    assert all(name in named.text for name in named.names)
    assert "{" not in named.text


def test_the_stored_weights_are_those_of_the_examples(embedder: LocalEmbedder) -> None:
    weights = stored(embedder)

    assert weights is not None, "run: python -m core_search.router.rules.second_opinion"
    examples = read_examples()[::60]
    scores = features(embedder, sightings(examples)) @ weights
    right = [_said(opinion_from(row)) is example.kind for row, example in zip(scores, examples, strict=True)]
    assert np.mean(right) > 0.95


def _said(opinion: Opinion) -> QueryType | None:
    best = opinion.best()
    return None if opinion.closed > opinion.scores[best] else best


def test_a_fit_learns_its_examples(embedder: LocalEmbedder) -> None:
    examples = read_examples()[::12]  # a few of every kind
    rows = features(embedder, sightings(examples))

    found = [_said(opinion_from(row)) for row in rows @ fit(rows, examples)]

    assert np.mean([said is example.kind for said, example in zip(found, examples, strict=True)]) > 0.95


def test_another_model_has_no_opinion(names: KnownNames, now: datetime) -> None:
    class Letters:
        """Counts of letters: a poor embedding, but one of another model."""

        model = "letters"
        dimension = 26
        profile = REFERENCE_PROFILE

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            counts = np.array([[text.count(chr(97 + i)) + 0.01 for i in range(26)] for text in texts], np.float32)
            return counts / np.linalg.norm(counts, axis=1, keepdims=True)

    query = "what did Alice say yesterday"
    question = Question(query, now, "Europe/Lisbon", (), names)

    assert SecondOpinion(Letters()).of(query, see(query, now, names)) is None
    assert RulesExtractor(Letters()).extract(question).extraction == RulesExtractor().extract(question).extraction


@pytest.mark.parametrize(
    "query",
    [
        "how do bees make honey",
        "write a regular expression for phone numbers",
        "cheers, that was helpful",
        "pourquoi la mer est-elle salée",
    ],
)
def test_what_needs_no_memory_is_closed(asked: Extract, query: str) -> None:
    assert not asked(query).should_search


@pytest.mark.parametrize(
    "query",
    [
        "does my cheese taste good",
        "how does Alice make honey",
        "wifi password at the office",
        "the user likes honey\nor?",
    ],
)
def test_signs_of_a_memory_keep_the_gate_open(asked: Extract, query: str) -> None:
    assert asked(query).should_search


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


def test_an_odd_query_is_less_sure_than_a_plain_one(asked: Extract) -> None:
    assert asked("Alice hmm launch or so the thing").confidence < asked("when is Alice's birthday").confidence


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
