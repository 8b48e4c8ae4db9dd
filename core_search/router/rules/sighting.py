"""What the rules see in a query, before anything is decided: dates, names, words, and the kind by the first rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from core_search.models import TemporalType
from core_search.providers.base import KnownNames
from core_search.router.rules.ask import ask_of
from core_search.router.rules.aspects import find_aspects
from core_search.router.rules.dates import DateReading, read_dates
from core_search.router.rules.gate_words import closed_reason
from core_search.router.rules.hints import Hint, distinct, find_hints, masked
from core_search.router.rules.kinds import Facts, Kind, asks_for_owner, asks_when, asks_where, decide
from core_search.router.rules.languages import languages_of
from core_search.router.rules.plain_words import PLAIN_WORDS
from core_search.router.rules.property_questions import asks_property
from core_search.router.rules.spelling import correct_cues

_YEARS_BACK = re.compile(r"\byears?\s+(?:ago|back)\b|\blast\s+year\b", re.IGNORECASE)
_HESITATION = re.compile(r"(?<!\w)(?:u+h+|u+m+|e+rm+|h+m+)(?:,|\b)\s*", re.IGNORECASE)
_PLEASE = re.compile(r"\b(?:please|pls|plz|thanks?|thx)\b", re.IGNORECASE)
# Headings of an agent's prompt name its parts, not what is asked for.
_HEADING = re.compile(
    r"^[ \t]*#*[ \t]*(?:task|goal|objective|instructions?|context|background|role|system|user|input|output)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """`text` is what is asked, without date words. `closed` says by which rule no memory is needed, None when none
    says so; `is_scope` whether the time bounds what is searched."""

    dates: DateReading
    text: str
    hints: tuple[Hint, ...]
    facts: Facts
    kind: Kind
    closed: str | None
    is_scope: bool


def see(query: str, now: datetime, names: KnownNames | None) -> Sighting:
    """Read `query` by rules alone; never raises for any text."""
    in_text = names.find_in(ask_of(query)) if names else []
    dates = read_dates(query, now, in_text)
    text = ask_of(dates.text_without_dates).replace("’", "'")
    things = [name for name in in_text if name not in PLAIN_WORDS]
    closed = closed_reason(query, things) or (closed_reason(text, things) if _says_more(text) else None)
    text = _HESITATION.sub("", text)
    hints = find_hints(text, names)
    plain = _HEADING.sub(" ", masked(text, hints)).replace("_", " ")  # names of functions are words
    if len(languages_of(text)) == 1:
        plain = correct_cues(plain)  # an English list: it would "correct" the words of other languages
    is_scope = _is_scope(query, plain, dates)
    # A month to come or that never was bounds nothing; what else is asked of something named says more.
    bounded = dates.temporal.type is not TemporalType.ALL or not hints
    facts = Facts(
        masked=plain,
        hints=distinct(hints),
        owner_is_asked=asks_for_owner(plain),
        aspects=find_aspects(plain),
        attribute=asks_property(plain, text, distinct(hints), names),
        has_date_words=bool(dates.spans) and is_scope and bounded,
    )
    return Sighting(dates, text, hints, facts, decide(facts), closed, is_scope)


def _says_more(text: str) -> bool:
    """Whether anything but "please" stands beside a date."""
    return bool(re.search(r"\w", _PLEASE.sub("", text)))


def _is_scope(query: str, masked_query: str, dates: DateReading) -> bool:
    """Whether the time bounds what is searched. In "when did she paint the sunrise last year" and "where did she live
    four years ago" it is the time of the event, which may have been told at any time."""
    years = any(_YEARS_BACK.search(query[begin:end]) for begin, end in dates.spans)
    return not (asks_when(masked_query) or (years and asks_where(masked_query)))
