"""Whatever the text, the extractor answers."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.models import Extraction, QueryType

Extract = Callable[..., Extraction]
WORDS = st.sampled_from(
    [
        "how",
        "do",
        "does",
        "what",
        "who",
        "is",
        "my",
        "the",
        "Alice",
        "Bob",
        "wife",
        "know",
        "each",
        "other",
        "decide",
        "rules",
        "last",
        "week",
        "most",
        "topics",
        "many",
        "of",
        "about",
        "summary",
        "birthday",
        "'",
        '"',
        "’",
        "?",
        "!",
        "2+2",
        "thanks",
        "port",
        "§",
        "ʘ",
        "Dr.",
        "A.",
        "田中健",
        "March",
        "May",
        "on",
        "Friday",
    ]
)


@settings(deadline=None, max_examples=200)
@given(query=st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=14).map(" ".join)))
def test_any_text(extract: Extract, query: str) -> None:
    found = extract(query)
    assert 0 < found.confidence <= 1
    assert all(hint.strip() for hint in found.entity_hints)
    if found.query_type is QueryType.RELATIONSHIP:
        assert len(found.entity_hints) >= 2


@pytest.mark.parametrize(
    "part", ["a ", "how does ", "what topics ", "!", "Ab ", '"A ', "ok ", "1 ", "March 3rd 2025 ", "\n"]
)
def test_long_texts_take_no_long_time(extract: Extract, part: str) -> None:
    text = (part * 20_000)[:20_000]
    extract("warm up yesterday")
    start = time.perf_counter()
    extract(text)
    assert time.perf_counter() - start < 5  # measured below 0.3 s; a regular expression that explodes takes minutes
