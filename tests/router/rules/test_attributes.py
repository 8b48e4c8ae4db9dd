"""Which property is asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core_search.models import Extraction, LookupMode

Extract = Callable[..., Extraction]


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("Alice's phone number", "phone"),
        ("when was Alice born?", "birthday"),
        ("how old is Bob", "birthday"),
        ("what port does Lumen use", "port"),
        ("Alice office hours", "office_hours"),
        ("how much does Bob charge per session", "session_price"),
        ("what time does Lumen close", "closes"),
        ("where is the Harbour trip", "place"),
        ("in which city does Bob live", "city"),
        ("email of Bob", "email"),
        ("Wann hat meine Frau Geburtstag?", "birthday"),
    ],
)
def test_asked_for(extract: Extract, query: str, key: str) -> None:
    found = extract(query)
    assert (found.lookup_mode, found.attribute_hint) == (LookupMode.ATTRIBUTE, key)


@pytest.mark.parametrize(
    "query",
    [
        "who is Alice",
        "Where has Alice camped?",
        "When has Bob lost his job at the bank?",
        "What is the name of the pet that Bob had to say goodbye to?",
        "what did Alice say about the port",
    ],
)
def test_not_asked_for(extract: Extract, query: str) -> None:
    assert extract(query).lookup_mode is LookupMode.BROAD
