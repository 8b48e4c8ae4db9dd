"""Typing errors are put right, right words are left alone."""

from __future__ import annotations

import pytest

from core_search.router.rules.spelling import correct_cues, correct_dates


@pytest.mark.parametrize(
    ("written", "meant"),
    [("on teusday", "on tuesday"), ("yesteday", "yesterday"), ("last wek", "last week"), ("in febuary", "in february")],
)
def test_dates(written: str, meant: str) -> None:
    assert correct_dates(written).text == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [("waht are my prefernces", "what are my preferences"), ("sumarise evrything", "summarise everything")],
)
def test_cues(written: str, meant: str) -> None:
    assert correct_cues(written) == meant


@pytest.mark.parametrize("text", ["a booking reference", "on Fridays", "the content of talks", "what connects them"])
def test_right_words_stay(text: str) -> None:
    assert correct_cues(text) == text
    assert correct_dates(text).text == text


def test_positions_lead_back_to_the_text_as_written() -> None:
    corrected = correct_dates("what on teusday and yesteday, please")
    begin = corrected.text.index("yesterday")
    assert corrected.original(begin, is_end=False) == "what on teusday and yesteday, please".index("yesteday")
    assert corrected.original(begin + len("yesterday"), is_end=True) == len("what on teusday and yesteday")
