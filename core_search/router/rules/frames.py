"""Frames of date expressions: what a found expression spans on the wall clock of the workspace.

A frame is a pattern and a builder. The builder returns the span that the expression means, or None for words that
speak of time and name no past one: the future, days that do not exist, distances beyond any memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from core_search.router.rules import spans
from core_search.router.rules.spans import Span


@dataclass(frozen=True, slots=True)
class Clock:
    """The moment of asking: `now` has its zone; `language` is that of the frame."""

    now: datetime
    language: str

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def wall(self) -> datetime:
        return self.now.replace(tzinfo=None)


Builder = Callable[[re.Match[str], Clock], Span | None]


@dataclass(frozen=True, slots=True)
class Frame:
    """`pattern` finds whole words, any case. `weak` names a kind of word that is a date only in the right company."""

    pattern: re.Pattern[str]
    build: Builder
    weak: str = ""


def frame(pattern: str, build: Builder, weak: str = "") -> Frame:
    return Frame(re.compile(rf"(?<![\w@#])(?<!\w[-.:])(?:{pattern})(?![\w@])", re.IGNORECASE), build, weak)


def group(match: re.Match[str], name: str) -> str:
    """The text of a group, lower case; a frame with two orders of words has it twice, the second as `name2`."""
    groups = match.groupdict()
    return (groups.get(name) or groups.get(f"{name}2") or "").lower()


def said_year(match: re.Match[str], clock: Clock) -> int | None:
    """The year that the expression says, in digits or as this or last year."""
    if written := group(match, "year"):
        return int(written)
    if short := group(match, "short"):
        return 2000 + int(short)
    that = group(match, "that") or group(match, "which")
    return clock.today.year - (that != "this") if that else None


def latest_begun(span_of: Callable[[int], Span | None], clock: Clock) -> Span | None:
    """The latest span of a yearly kind that has begun; looks back far enough for a leap day."""
    for year in range(clock.today.year, clock.today.year - 9, -1):
        span = span_of(year)
        if span and span.start <= clock.wall:
            return Span(span.start, span.end, free_year=True)
    return None


def in_the_past(span: Span | None, clock: Clock) -> Span | None:
    """None for a span that has not begun or lies beyond any memory."""
    if span is None or span.start > clock.wall or span.start.year < spans.OLDEST_YEAR:
        return None
    return span


def day_span(year: int, month: int, day: int) -> Span | None:
    try:
        return spans.days(date(year, month, day))
    except ValueError:
        return None
