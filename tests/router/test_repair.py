import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.models import Aspect, Extraction, Facet, LookupMode, MatchedLabel, QueryType, TemporalType
from core_search.router.repair import UnusableAnswer, extraction_from_mapping, repair

MATCHED = (
    MatchedLabel(label_id="l1", label_name="Engineering", score=0.8),
    MatchedLabel(label_id="l2", label_name="Code-Review", score=0.7),
)
COMPLETE = {
    "queryType": "exploratory",
    "aspects": [],
    "temporal": {"type": "all", "days": None, "startDate": None, "endDate": None},
    "entityHints": [],
    "selectedLabels": [],
    "lookupMode": "broad",
    "attributeHint": None,
    "facets": [],
    "shouldSearch": True,
    "confidence": 0.9,
}


def repaired(**changes):
    return repair(json.dumps({**COMPLETE, **changes}), MATCHED)


def test_a_complete_answer_is_taken_as_it_is():
    extraction, notes = repaired()
    assert extraction == Extraction(query_type=QueryType.EXPLORATORY, confidence=0.9)
    assert notes == ()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Aspect Query", QueryType.ASPECT_QUERY),
        ("aspectQuery", QueryType.ASPECT_QUERY),
        ("ENTITY-LOOKUP", QueryType.ENTITY_LOOKUP),
        ("lookup", QueryType.ENTITY_LOOKUP),
        ("facets", QueryType.TEMPORAL_FACETS),
        ("relationships", QueryType.RELATIONSHIP),
        (["temporal"], QueryType.TEMPORAL),
    ],
)
def test_query_types_in_other_words(written, read):
    extraction, notes = repaired(queryType=written)
    assert extraction.query_type is read
    assert len(notes) == 1


@pytest.mark.parametrize("written", ["poem", "", None, 7, [], {}, True])
def test_an_unknown_query_type_is_unusable(written):
    with pytest.raises(UnusableAnswer, match="known are aspect_query"):
        repaired(queryType=written)


@pytest.mark.parametrize("text", ["", "   ", "no", '{"queryType": "temp', "[]", '{"other": 1}'])
def test_unusable_texts(text):
    with pytest.raises(UnusableAnswer):
        repair(text, MATCHED)


@pytest.mark.parametrize(
    ("written", "read", "changes"),
    [
        (["Belief"], (Aspect.BELIEF,), 0),
        (["belief"], (Aspect.BELIEF,), 1),
        (["preferences", "opinions"], (Aspect.PREFERENCE, Aspect.BELIEF), 2),
        (["activities"], (Aspect.HABIT, Aspect.EVENT), 1),
        (["plans"], (Aspect.GOAL, Aspect.TASK), 1),
        (["rules"], (Aspect.DIRECTIVE,), 1),
        (["facts"], (Aspect.KNOWLEDGE,), 1),
        (["Action Items"], (Aspect.TASK,), 1),
        (["Preference", "preferences"], (Aspect.PREFERENCE,), 1),
        (["Mood", "Goal"], (Aspect.GOAL,), 1),
        ("Goal, Task", (Aspect.GOAL, Aspect.TASK), 1),
        ([{"name": "Goal"}], (Aspect.GOAL,), 1),
        (None, (), 0),
        ("null", (), 0),
        ([None, "", "Goal"], (Aspect.GOAL,), 0),
        (7, (), 3),
        ({"Goal": 1}, (), 1),
    ],
)
def test_aspects(written, read, changes):
    extraction, notes = repaired(aspects=written)
    assert extraction.aspects == read
    assert len(notes) == changes


@pytest.mark.parametrize(
    ("written", "read", "changes"),
    [
        (0.5, 0.5, 0),
        (1, 1.0, 0),
        (0, 0.0, 0),
        ("0.82", 0.82, 1),
        ("82%", 0.82, 1),
        (" 82 % ", 0.82, 1),
        (82, 0.82, 1),
        ("82", 0.82, 1),
        (1.7, 1.0, 1),
        (7, 1.0, 1),
        (-3, 0.0, 1),
        (10**400, 0.5, 1),
        (math.nan, 0.5, 1),
        (math.inf, 0.5, 1),
        ("very", 0.5, 1),
        (None, 0.5, 1),
        (True, 0.5, 1),
        ([], 0.5, 1),
    ],
)
def test_confidence(written, read, changes):
    extraction, notes = repaired(confidence=written)
    assert extraction.confidence == pytest.approx(read)
    assert len(notes) == changes


@pytest.mark.parametrize(
    ("written", "read", "changes"),
    [
        (False, False, 0),
        ("false", False, 1),
        ("Yes", True, 1),
        (0, False, 1),
        (None, True, 1),
        ("maybe", True, 1),
        ([], True, 1),
    ],
)
def test_should_search(written, read, changes):
    extraction, notes = repaired(shouldSearch=written)
    assert extraction.should_search is read
    assert len(notes) == changes


def test_labels_that_did_not_match_are_dropped():
    extraction, notes = repaired(selectedLabels=["code-review", "Invented", "ENGINEERING", "Code-Review"])
    assert extraction.selected_labels == ("Code-Review", "Engineering")
    assert notes == ("the label 'Invented' did not match and was dropped",)


def test_without_matched_labels_to_compare_all_are_kept():
    extraction, _ = extraction_from_mapping({**COMPLETE, "selectedLabels": ["Invented"]}, None, "file")
    assert extraction.selected_labels == ("Invented",)


@pytest.mark.parametrize(
    ("written", "read", "changes"),
    [
        (["wife", " wife ", "Bob"], ("wife", "Bob"), 0),
        ("wife", ("wife",), 1),
        ("Alice, Bob", ("Alice", "Bob"), 1),
        ([{"name": "Alice", "type": "Person"}], ("Alice",), 1),
        ({"name": "Alice"}, ("Alice",), 2),
        ([2024], ("2024",), 1),
        ([["Alice"]], ("Alice",), 1),
        ([True, {}], (), 2),
        (["x" * 5000], ("x" * 300,), 1),
        (["a\ud800\0b"], ("a\ufffdb",), 0),
    ],
)
def test_entity_hints(written, read, changes):
    extraction, notes = repaired(entityHints=written)
    assert extraction.entity_hints == read
    assert len(notes) == changes


@pytest.mark.parametrize(
    ("changes", "mode", "attribute"),
    [
        ({"lookupMode": "attribute", "attributeHint": "birthday"}, LookupMode.ATTRIBUTE, "birthday"),
        ({"lookupMode": "Specific", "attributeHint": "birthday"}, LookupMode.ATTRIBUTE, "birthday"),
        ({"lookupMode": "sideways", "attributeHint": "none"}, LookupMode.BROAD, None),
        ({"lookupMode": None, "attributeHint": ["birthday"]}, LookupMode.BROAD, "birthday"),
    ],
)
def test_lookup(changes, mode, attribute):
    extraction, _ = repaired(**changes)
    assert (extraction.lookup_mode, extraction.attribute_hint) == (mode, attribute)


def test_facets():
    extraction, notes = repaired(facets=["Topics", "people", "colours", "entities"])
    assert extraction.facets == (Facet.TOPICS, Facet.ENTITIES)
    assert len(notes) == 3


def test_keys_in_another_spelling_and_keys_that_nobody_knows():
    data = {"query_type": "temporal", "Entity Hints": ["Bob"], "mood": 1, "matchedLabels": [], "routingTimeMs": 3}
    extraction, notes = repair(json.dumps(data), MATCHED)
    assert (extraction.query_type, extraction.entity_hints) == (QueryType.TEMPORAL, ("Bob",))
    assert "the key 'query_type' was read as queryType" in notes
    assert "the unknown key 'mood' was ignored" in notes
    assert not any("matchedLabels" in note or "routingTimeMs" in note for note in notes)


def test_missing_keys_get_their_defaults_each_with_a_sentence():
    extraction, notes = repair('{"queryType": "temporal"}', MATCHED)
    assert extraction == Extraction(query_type=QueryType.TEMPORAL, confidence=0.5)
    assert len(notes) == len(COMPLETE) - 1


SEED_EXAMPLES = [
    {
        "queryType": "aspect_query",
        "aspects": ["preferences", "opinions"],
        "selectedLabels": ["engineering", "code-review"],
        "entityHints": [],
        "shouldSearch": True,
        "confidence": 0.82,
    },
    {
        "queryType": "entity_lookup",
        "entityHints": ["wife"],
        "lookupMode": "attribute",
        "attributeHint": "birthday",
        "aspects": [],
        "shouldSearch": True,
        "confidence": 0.91,
    },
    {
        "queryType": "temporal",
        "temporal": {"type": "relative", "days": 7, "startDate": None, "endDate": None},
        "selectedLabels": ["work"],
        "entityHints": [],
        "aspects": ["activities"],
        "shouldSearch": True,
        "confidence": 0.78,
    },
]


def test_the_compact_examples_of_the_documentation():
    view, wife, week = (extraction_from_mapping(example, None, "file")[0] for example in SEED_EXAMPLES)
    assert view.aspects == (Aspect.PREFERENCE, Aspect.BELIEF)
    assert view.selected_labels == ("engineering", "code-review")
    assert (wife.lookup_mode, wife.attribute_hint, wife.entity_hints) == (LookupMode.ATTRIBUTE, "birthday", ("wife",))
    assert (week.temporal.type, week.temporal.days) == (TemporalType.RECENT, 7)
    assert week.aspects == (Aspect.HABIT, Aspect.EVENT)
    assert (view.confidence, wife.confidence, week.confidence) == (0.82, 0.91, 0.78)


def test_what_a_person_wrote_is_searched():
    extraction, notes = extraction_from_mapping({"queryType": "exploratory", "attributeHint": "age"}, None, "file")
    assert (extraction.confidence, extraction.should_search) == (1.0, True)
    assert extraction.lookup_mode is LookupMode.ATTRIBUTE
    assert "confidence is missing; 1.0 was used" in notes
    assert "shouldSearch is missing; true was used" in notes


def test_the_source_is_named_when_it_is_unusable():
    with pytest.raises(UnusableAnswer, match=r"route\.json has the queryType None"):
        extraction_from_mapping({}, None, "route.json")


TEXTS = st.text("aZ19%-_,. \0\ud800漢", max_size=8) | st.sampled_from(["goal", "true", "2026-02-01", "7 days", "80%"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=5,
)


@settings(database=None, deadline=None, max_examples=200)
@given(
    st.fixed_dictionaries(
        {"queryType": st.sampled_from(list(QueryType))},
        optional={key: VALUES for key in COMPLETE if key not in ("queryType", "temporal")}
        | {"temporal": VALUES | st.dictionaries(st.sampled_from(["type", "days", "startDate", "endDate"]), VALUES)},
    )
)
def test_anything_can_be_repaired(data):
    extraction, notes = repair(json.dumps(data), MATCHED)
    assert Extraction.model_validate(extraction.wire()) == extraction
    assert all(isinstance(note, str) and note for note in notes)
    again, changes = repair(extraction.model_dump_json(by_alias=True), MATCHED)
    assert (again, changes) == (extraction, ())  # what was repaired needs no repair
