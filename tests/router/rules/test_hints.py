"""Names in a query: of the memory, new ones, roles."""

from __future__ import annotations

import pytest

from core_search.providers.base import KnownNames
from core_search.router.rules.hints import MASK, distinct, find_hints, masked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what does Alice think", ("Alice",)),
        ("alice moreno email", ("alice moreno",)),
        ("Alice's phone", ("Alice",)),
        ("alices phone", ("alice",)),
        ("what did my wife say to my manager", ("wife", "manager")),
        ("ask the contractor", ("contractor",)),
        ("my running coach", ("running coach",)),
        ("Marta Figueiredo email address", ("Marta Figueiredo",)),
        ("what worries us about the March Capital deal", ("March Capital",)),
        ("Dr. Lobato office hours", ("Dr. Lobato",)),
        ("how did Rui B. get here", ("Rui B.",)),
        ("田中健's github", ("田中健",)),
        ("Bob Alice connection", ("Bob", "Alice")),
        ('notes on "Project Blue"', ("Project Blue",)),
        ("wann hat meine Frau Geburtstag", ("Frau",)),
        ("birthday of zelda", ("zelda",)),
        ("where do we go from here", ()),
        ("Summarize the PR", ()),
        ("What did I do", ()),
        ("Alice and alice", ("Alice",)),
    ],
)
def test_find_hints(names: KnownNames, text: str, expected: tuple[str, ...]) -> None:
    assert distinct(find_hints(text, names)) == expected


def test_hints_stand_where_they_say(names: KnownNames) -> None:
    text = "How do my wife and Dr. Lobato know Alice Moreno?"
    hints = find_hints(text, names)
    assert [text[hint.start : hint.end] for hint in hints] == ["wife", "Dr. Lobato", "Alice Moreno"]
    assert masked(text, hints) == f"How do my {MASK} and {MASK} know {MASK}?"


def test_without_a_memory_capitals_still_name() -> None:
    assert distinct(find_hints("what does Alice think", None)) == ("Alice",)
