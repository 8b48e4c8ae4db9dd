"""Spans that are counted from now: three days ago, the last two weeks, this month so far."""

from __future__ import annotations

import re
from datetime import date, timedelta

from core_search.router.rules import spans
from core_search.router.rules.date_words import count_of, unit_of
from core_search.router.rules.frames import Builder, Clock, group, in_the_past
from core_search.router.rules.spans import Span


def named_day(offset: int) -> Builder:
    return lambda match, clock: spans.days(clock.today + timedelta(days=offset))


def future(match: re.Match[str], clock: Clock) -> None:
    return None


def last_count(match: re.Match[str], clock: Clock) -> Span | None:
    """Rolling: the last three days, the past 24 hours, the last two months."""
    count = count_of(match["count"])
    unit, factor = unit_of(match["unit"])
    if not count:
        return None
    count *= factor
    try:
        if unit in ("minute", "hour"):
            return _rolling_time(unit, count, clock)
        if unit == "weekend":
            first = _last_weekend(clock.today).start.date() - timedelta(weeks=count - 1)
            return spans.between(first, _last_weekend(clock.today).end.date())
        if unit in ("day", "week"):
            length = count * (7 if unit == "week" else 1)
            return in_the_past(Span(clock.wall - timedelta(days=length), clock.wall, days=length), clock)
        return in_the_past(Span(clock.wall - spans.step(unit, count), clock.wall, instant=True), clock)
    except (OverflowError, ValueError):
        return None


def _rolling_time(unit: str, count: int, clock: Clock) -> Span | None:
    elapsed = timedelta(minutes=count) if unit == "minute" else timedelta(hours=count)
    return in_the_past(Span(clock.wall - elapsed, clock.wall, instant=True), clock)


def ago(match: re.Match[str], clock: Clock) -> Span | None:
    """The calendar unit that lies so far back: three days ago is that day, two weeks ago that week."""
    count = count_of(match["count"])
    unit, factor = unit_of(match["unit"])
    if count is None:
        return None
    count *= factor
    try:
        if unit in ("minute", "hour"):
            return _rolling_time(unit, count, clock)
        return in_the_past(spans.unit_span(unit, clock.today - spans.step(unit, count)), clock)
    except (OverflowError, ValueError):
        return None


def last_unit(match: re.Match[str], clock: Clock) -> Span | None:
    """Last week is the rolling seven days; other units are the calendar unit before this one.

    With "past" the unit rolls: the past month is the month that ends now.
    """
    unit, factor = unit_of(group(match, "unit"))
    rolling = group(match, "which").startswith("past")
    if unit in ("minute", "hour"):
        return _rolling_time(unit, 1, clock)
    if unit == "weekend":
        return _last_weekend(clock.today)
    if unit == "week":
        return Span(clock.wall - timedelta(days=7 * factor), clock.wall, days=7 * factor)
    if unit == "day" and rolling:
        return Span(clock.wall - timedelta(days=1), clock.wall, days=1)
    if rolling:
        return Span(clock.wall - spans.step(unit, 1), clock.wall, instant=True)
    return spans.unit_span(unit, clock.today - spans.step(unit, 1))


def last_weekend(match: re.Match[str], clock: Clock) -> Span | None:
    return _last_weekend(clock.today)


def before_last(match: re.Match[str], clock: Clock) -> Span | None:
    """The week before last: the calendar unit two back."""
    unit, _ = unit_of(re.sub(r"^the\s+", "", match[0].lower()))
    if unit == "weekend":
        return spans.days(_last_weekend(clock.today).start.date() - timedelta(weeks=1), 2)
    return spans.unit_span(unit, clock.today - spans.step(unit, 2))


def this_unit(match: re.Match[str], clock: Clock) -> Span | None:
    """From the local start of the current unit until now."""
    unit, _ = unit_of(match["unit"])
    if unit in ("minute", "hour"):
        return _rolling_time("hour", 1, clock)
    span = spans.unit_span(unit, clock.today)
    if unit == "weekend":
        return span if span.start <= clock.wall else None
    if unit == "day":
        return span
    return Span(span.start, clock.wall) if span.start < clock.wall else None


_SHORT_UNITS = {"w": "week", "m": "month", "q": "quarter", "y": "year"}


def to_date(match: re.Match[str], clock: Clock) -> Span | None:
    unit = _SHORT_UNITS.get(match["unit"].lower(), match["unit"].lower())
    span = spans.unit_span(unit, clock.today)
    return Span(span.start, clock.wall) if span.start < clock.wall else None


def _last_weekend(today: date) -> Span:
    """The latest one that is over."""
    this = spans.weekend(today)
    return this if this.end.date() <= today else spans.weekend(today - timedelta(weeks=1))
