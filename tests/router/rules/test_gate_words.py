"""What closes the gate, and what only looks like it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core_search.models import Extraction

Extract = Callable[..., Extraction]


@pytest.mark.parametrize(
    "query",
    [
        *(
            "hi",
            "good morning :)",
            "thanks a lot!",
            "ok thanks, that's all for today",
            "see you next week",
            "lol",
            "👍",
            "???",
            "",
        ),
        *("2+2", "what's 15% of 16,900", "7 x 8", "what is the square root of 81"),
        *("what is the capital of France", "how many ounces are in a pound", "Who wrote Os Maias?", "weather in Porto"),
        *(
            "write a haiku about the sea",
            "tell me a joke",
            "make your last answer shorter",
            "set a timer for 10 minutes",
        ),
        *("translate 'good night' into Danish", "correct the spelling: 'I prefere smal pull requests'"),
        *("How do I reverse a linked list in Go?", "asdfghjkl"),
    ],
)
def test_closed(extract: Extract, query: str) -> None:
    found = extract(query)
    assert not found.should_search
    assert found.confidence > 0.8


@pytest.mark.parametrize(
    "query",
    [
        "thanks! and Alice’s birthday again?",
        "hello! catch me up",
        "good morning! which of my tasks are still open?",
        "lol ok, so who is bob again",
        "Alice",
        "who wrote the migration script",
        "what is the capital of our company",
        "how do we write the release notes",
        "log of 2026-02-14",
        "what does Lumen mean",
    ],
)
def test_open(extract: Extract, query: str) -> None:
    assert extract(query).should_search
