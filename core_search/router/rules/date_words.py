"""Reading the words of a date: month and weekday names by `dateparser`, counts and units by small tables.

What a word means never depends on the query, so every reading is cached; the first of a language loads its
locale (tens of milliseconds), later ones cost nothing.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache

import dateparser

# Abbreviations and spellings that people write and the library does not know.
_SPELLINGS = {"thurs": "thu", "weds": "wed", "maerz": "märz", "janurary": "january", "febuary": "february"}
_SETTINGS = {"PREFER_DATES_FROM": "past", "PREFER_DAY_OF_MONTH": "first", "RETURN_AS_TIMEZONE_AWARE": False}
# Any fixed day will do: only the month or the weekday of the answer is used.
_BASE = datetime(2024, 1, 1)


@lru_cache(maxsize=1024)
def read_date(text: str, language: str) -> date | None:
    """The day that `text` names, None when it names none (31 February)."""
    text = _SPELLINGS.get(text, text)
    found = dateparser.parse(text, languages=[language], settings={**_SETTINGS, "RELATIVE_BASE": _BASE})
    return found.date() if found else None


@lru_cache(maxsize=256)
def month_number(word: str, language: str) -> int | None:
    """1 to 12."""
    found = read_date(word.lower().rstrip("."), language)
    return found.month if found else None


@lru_cache(maxsize=256)
def weekday_number(word: str, language: str) -> int | None:
    """0 for Monday to 6."""
    found = read_date(word.lower().rstrip("."), language)
    return found.weekday() if found else None


_COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
)
NUMBERS: dict[str, int] = {word: value for value, word in enumerate(_COUNTS.split())}
NUMBERS |= {"a": 1, "an": 1, "couple": 2, "a couple": 2, "few": 3, "a few": 3, "thirty": 30, "sixty": 60, "ninety": 90}
NUMBERS |= {"un": 1, "una": 1, "une": 1, "uno": 1, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1}
NUMBERS |= {"dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10}
NUMBERS |= {"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10}
NUMBERS |= {"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10}
NUMBERS |= {"due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9, "dieci": 10}
NUMBERS |= {"uma": 1, "um": 1, "dois": 2, "duas": 2, "três": 3, "quatro": 4, "dez": 10, "trinta": 30}
NUMBERS |= {"quince": 15, "treinta": 30, "dreißig": 30, "quinze": 15, "trente": 30, "trenta": 30, "quindici": 15}

ORDINALS: dict[str, int] = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2, "3rd": 3}
ORDINALS |= {"4th": 4, "5th": 5, "last": -1, "final": -1}

# The stem of a unit word, in any of the languages, to the unit.
_UNIT_STEMS = (
    ("min", "minute"),
    ("weekend", "weekend"),
    ("week-end", "weekend"),
    ("fin de semana", "weekend"),
    ("fine settimana", "weekend"),
    ("wochenende", "weekend"),
    ("fortnight", "fortnight"),
    *((stem, "hour") for stem in ("hour", "hr", "h", "hora", "stunde", "heure", "or")),
    *((stem, "week") for stem in ("week", "wk", "w", "semana", "woche", "semaine", "settiman")),
    *((stem, "quarter") for stem in ("quarter", "quartal", "trimestr")),
    *((stem, "month") for stem in ("month", "mo", "mes", "mês", "monat", "mois")),
    *((stem, "year") for stem in ("year", "yr", "y", "año", "ano", "jahr", "an", "année")),
    *((stem, "day") for stem in ("day", "d", "día", "dia", "tag", "jour", "giorn")),
)


def count_of(text: str) -> int | None:
    """A number in digits or words; None for what is not one or is beyond any calendar."""
    text = text.lower().replace(" of", "").strip()
    if text.isdecimal():
        return int(text) if len(text) <= 6 else None
    return NUMBERS.get(text)


@lru_cache(maxsize=256)
def unit_of(word: str) -> tuple[str, int]:
    """The calendar unit of a word and how many of it the word means (a fortnight is two weeks)."""
    word = word.lower()
    for stem, unit in sorted(_UNIT_STEMS, key=lambda pair: -len(pair[0])):
        if word.startswith(stem):
            return ("week", 2) if unit == "fortnight" else (unit, 1)
    return ("day", 1)
