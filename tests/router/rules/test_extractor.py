"""What the offline extractor makes of queries: the examples of the specification, and one of each kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core_search.models import Aspect, Extraction, Facet, LookupMode, MatchedLabel, QueryType, TemporalType
from core_search.router.rules import RulesExtractor

Extract = Callable[..., Extraction]


def test_my_view_on_code_review(extract: Extract) -> None:
    found = extract("what is my view on code review")
    assert found.query_type is QueryType.ASPECT_QUERY
    assert set(found.aspects) == {Aspect.PREFERENCE, Aspect.BELIEF}
    assert found.entity_hints == ()


@pytest.mark.parametrize("apostrophe", ["'", "’"])
def test_my_wifes_birthday(extract: Extract, apostrophe: str) -> None:
    found = extract(f"what is my wife{apostrophe}s birthday")
    assert found.query_type is QueryType.ENTITY_LOOKUP
    assert found.lookup_mode is LookupMode.ATTRIBUTE
    assert found.attribute_hint == "birthday"
    assert found.entity_hints == ("wife",)


def test_last_week(extract: Extract) -> None:
    found = extract("what did I work on last week")
    assert found.query_type is QueryType.TEMPORAL
    assert (found.temporal.type, found.temporal.days) == (TemporalType.RECENT, 7)


def test_two_who_know_each_other(extract: Extract) -> None:
    for query in ("how do Alice and Bob know each other", "how do zelda and marek know each other"):
        found = extract(query)
        assert found.query_type is QueryType.RELATIONSHIP
        assert len(found.entity_hints) == 2


def test_topics_this_month(extract: Extract) -> None:
    found = extract("what topics did I discuss this month")
    assert found.query_type is QueryType.TEMPORAL_FACETS
    assert found.facets == (Facet.TOPICS,)


def test_recent_work(extract: Extract) -> None:
    found = extract("summarize recent work")
    assert found.query_type is QueryType.EXPLORATORY
    assert found.temporal.type is TemporalType.ALL


def test_rules_and_decisions(extract: Extract) -> None:
    assert extract("what are my rules for commit messages").aspects == (Aspect.DIRECTIVE,)
    assert extract("what did we decide about the database").aspects == (Aspect.DECISION,)


def test_who_is(extract: Extract) -> None:
    for query in ("who is Alice", "who is zelda", "Alice Moreno", "田中健"):
        found = extract(query)
        assert found.query_type is QueryType.ENTITY_LOOKUP
        assert found.lookup_mode is LookupMode.BROAD
        assert len(found.entity_hints) == 1


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("wat are my runing goals", QueryType.ASPECT_QUERY),
        ("auth decisions jan", QueryType.ASPECT_QUERY),
        ("Which problems has Lumen had?", QueryType.ASPECT_QUERY),
        ("You are a review bot.\nRetrieve any rule on commit messages.", QueryType.ASPECT_QUERY),
        ("what happened on Friday", QueryType.TEMPORAL),
        ("what did Alice say three days ago", QueryType.TEMPORAL),
        ("what do I have on next week", QueryType.TEMPORAL),
        ("how many decisions did we make in Q4 2025", QueryType.TEMPORAL_FACETS),
        ("who do I mention most", QueryType.TEMPORAL_FACETS),
        ("sumarise evrything abuot my helth", QueryType.EXPLORATORY),
        ("I need context about the retry queue to help review this PR", QueryType.EXPLORATORY),
        ("hello! catch me up", QueryType.EXPLORATORY),
        ("how do I know Alice", QueryType.RELATIONSHIP),
        ("link between my wife and Bob", QueryType.RELATIONSHIP),
        ("¿qué decidimos ayer?", QueryType.ASPECT_QUERY),
        ("Welche Themen hatten wir letzten Monat?", QueryType.TEMPORAL_FACETS),
        ("fais-moi un résumé de la semaine dernière", QueryType.EXPLORATORY),
        ("cosa ho fatto ieri", QueryType.TEMPORAL),
    ],
)
def test_query_type(extract: Extract, query: str, expected: QueryType) -> None:
    found = extract(query)
    assert found.should_search
    assert found.query_type is expected


@pytest.mark.parametrize(
    "query",
    [
        "When did Melanie paint a sunrise?",
        "What does Caroline's necklace symbolize?",
        "Would Caroline pursue writing as a career option?",
        "What area was hit by a flood?",
        "How many times has Melanie gone to the beach?",
        "What topic has John been blogging about?",
    ],
)
def test_questions_to_a_story_are_searched_without_a_narrow_scope(extract: Extract, query: str) -> None:
    found = extract(query)
    assert found.should_search
    assert found.query_type in (QueryType.ENTITY_LOOKUP, QueryType.ASPECT_QUERY)
    assert found.temporal.type is TemporalType.ALL
    assert found.aspects == ()


def test_the_owner_is_asked_for_only_in_a_connection(extract: Extract) -> None:
    assert extract("how do I know Alice").entity_hints == ("I", "Alice")
    assert extract("tell me how Alice and Bob are connected").entity_hints == ("Alice", "Bob")
    assert "I" not in extract("what did I tell Alice").entity_hints


def test_labels_close_to_the_best_are_selected(extract: Extract) -> None:
    labels = tuple(
        MatchedLabel(label_id=name, label_name=name, score=score)
        for name, score in (("review", 0.62), ("code", 0.59), ("cooking", 0.40))
    )
    assert extract("what is my view on code review", labels).selected_labels == ("review", "code")
    assert extract("what is my view on code review").selected_labels == ()


def test_the_answer_names_the_rule(now: object) -> None:
    from datetime import datetime

    from core_search.providers.base import Question

    assert isinstance(now, datetime)
    answer = RulesExtractor().extract(Question("what did I do yesterday", now, "Europe/Lisbon"))
    assert (answer.extractor, answer.model, answer.degraded) == ("rules", "rules-1", None)
    assert answer.detail["rule"] == "time"
    assert answer.detail["dateWords"] == [[14, 23]]


def test_a_month_to_come_does_not_hide_what_is_extract_of_somebody(extract: Extract) -> None:
    found = extract("What did Alice donate in December 2031?")
    assert (found.query_type, found.temporal.type) == (QueryType.ENTITY_LOOKUP, TemporalType.ALL)


def test_who_did_it_is_a_look_up(extract: Extract) -> None:
    assert extract("who decided to hire Bob").query_type is QueryType.ENTITY_LOOKUP


def test_how_many_decisions_somebody_made_is_counted(extract: Extract) -> None:
    assert extract("how many decisions did Alice make").query_type is QueryType.TEMPORAL_FACETS
