"""Reading single values that a stranger wrote: lists, texts, numbers. Every change leaves a sentence in `notes`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from core_search.providers.surrogates import without_surrogates
from core_search.router.vocabulary import member

Name = TypeVar("Name", bound=StrEnum)

NOTHING = frozenset({"", "null", "none", "n/a", "nil", "undefined"})
TEXT_LENGTH = 300  # of a name, a label, an attribute
LONGEST_DAYS = 36_500  # a hundred years; more is a mistake, and overflows dates
YEARS = range(2, 9_998)  # one year from both ends of what datetime holds, so that a time zone cannot overflow it

TRUE = frozenset({"true", "yes", "y", "1"})
FALSE = frozenset({"false", "no", "n", "0"})


def shown(value: Any) -> str:
    """A value in a sentence: short."""
    text = without_surrogates(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."


def read_text(key: str, value: Any, notes: list[str]) -> str | None:
    """A text without edges; None for null and for words that mean it. A list gives its first text."""
    if isinstance(value, list) and value:
        notes.append(f"{key} was a list; its first value was taken")
        value = value[0]
    if value is None or isinstance(value, list):
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        notes.append(f"{key} {shown(value)} was read as text")
        value = str(value)
    if not isinstance(value, str):
        notes.append(f"{key} {shown(value)} is not a text and was dropped")
        return None
    text = without_surrogates(value).replace("\0", "").strip()
    if text.casefold() in NOTHING:
        return None
    if len(text) > TEXT_LENGTH:
        notes.append(f"{key} was cut to {TEXT_LENGTH} characters")
    return text[:TEXT_LENGTH]


def read_texts(key: str, value: Any, notes: list[str]) -> list[str]:
    """A list of texts, each once, in order. One text is split at commas; an object stands for its `name`."""
    if value is None:
        return []
    if isinstance(value, str):
        parts: Sequence[Any] = [part for part in value.split(",") if part.strip().casefold() not in NOTHING]
        if parts:
            notes.append(f"{key} was the text {shown(value)} and was read as a list")
    elif isinstance(value, dict) and "name" not in value:
        notes.append(f"{key} {shown(value)} is not a list and was dropped")
        return []
    elif isinstance(value, (list, tuple)):
        parts = value
    else:
        notes.append(f"{key} {shown(value)} was read as a list of one")
        parts = [value]
    texts: dict[str, None] = {}
    for part in parts:
        if isinstance(part, dict) and isinstance(part.get("name"), str):
            notes.append(f"{key} had an object; its name {shown(part['name'])} was taken")
            part = part["name"]
        text = read_text(f"an item of {key}", part, notes)
        if text is not None:
            texts[text] = None
    return list(texts)


def read_member(key: str, names: type[Name], words: Mapping[str, Name], value: Any, notes: list[str]) -> Name | None:
    """One value of a closed list, None when it cannot be told which."""
    text = read_text(key, value, notes)
    found = member(names, words, text) if text is not None else None
    if found is not None and found.value != text:
        notes.append(f"{key} {shown(text)} was read as {found.value}")
    return found


def read_bool(key: str, value: Any, default: bool, notes: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().casefold()
    if word in TRUE | FALSE:
        notes.append(
            f"{key} {shown(value)} was read as {word in TRUE}".replace("True", "true").replace("False", "false")
        )
        return word in TRUE
    notes.append(f"{key} {shown(value)} is not true or false; {str(default).lower()} was used")
    return default


def read_confidence(value: Any, default: float, notes: list[str]) -> float:
    """A share in 0..1: `"0.8"`, `"80%"` and 80 are 0.8. A bare 1 to 10 is too low for a percentage and counts as 1."""
    number, percent = _number(value)
    if number is None:
        notes.append(f"confidence {shown(value)} is not a number; {default} was used")
        return default
    if percent or 10 < number <= 100:
        number /= 100
    clamped = min(1.0, max(0.0, number))
    if isinstance(value, str) or clamped != value:
        notes.append(f"confidence {shown(value)} was read as {clamped:g}")
    return clamped


def read_days(value: Any, notes: list[str]) -> int | None:
    """Whole days above 0; anything else is dropped."""
    if value is None:
        return None
    words = value.split() if isinstance(value, str) else []
    number, percent = _number(words[0] if words[1:] in (["day"], ["days"]) else value)
    if number is None or percent or not 1 <= number <= LONGEST_DAYS:
        if value not in (0, "", "null"):  # how a model fills a field that it has no use for
            notes.append(f"temporal.days {shown(value)} is no number of days and was dropped")
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        notes.append(f"temporal.days {shown(value)} was read as {int(number)}")
    return int(number)


def read_date(key: str, value: Any, notes: list[str]) -> str | None:
    """An ISO 8601 date, with or without a time of day; anything else is dropped."""
    text = read_text(key, value, notes)
    if text is None:
        return None
    try:
        year = datetime.fromisoformat(text).year
    except ValueError:
        notes.append(f"{key} {shown(text)} is no ISO 8601 date and was dropped")
        return None
    if year not in YEARS:
        notes.append(f"{key} {shown(text)} is out of range and was dropped")
        return None
    return text


def _number(value: Any) -> tuple[float | None, bool]:
    """A finite number, and whether it was written as a percentage."""
    text = value.strip() if isinstance(value, str) else value
    percent = isinstance(text, str) and text.endswith("%")
    if percent:
        text = text[:-1].strip()
    if isinstance(text, bool):
        return None, False
    try:
        number = float(text)
    except (TypeError, ValueError, OverflowError):
        return None, False
    return (number, percent) if math.isfinite(number) else (None, False)
