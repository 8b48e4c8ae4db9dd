"""Frames of date expressions: what a found expression spans on the wall clock of the workspace.

A frame is a pattern and a builder. The builder returns the span that the expression means, or None for words that
speak of time and name no past one: the future, days that do not exist, distances beyond any memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from core_search.router.rules import spans
from core_search.router.rules.date_words import (
    ORDINALS,
    count_of,
    month_number,
    read_date,
    unit_of,
    weekday_number,
)
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


def _group(match: re.Match[str], name: str) -> str:
    """The text of a group, lower case; a frame with two orders of words has it twice, the second as `name2`."""
    groups = match.groupdict()
    return (groups.get(name) or groups.get(f"{name}2") or "").lower()


def _year(match: re.Match[str], clock: Clock) -> int | None:
    """The year that the expression says, in digits or as this or last year."""
    if written := _group(match, "year"):
        return int(written)
    if short := _group(match, "short"):
        return 2000 + int(short)
    that = _group(match, "that") or _group(match, "which")
    return clock.today.year - (that != "this") if that else None


def _begun(span_of: Callable[[int], Span | None], clock: Clock) -> Span | None:
    """The latest span of a yearly kind that has begun; looks back far enough for a leap day."""
    for year in range(clock.today.year, clock.today.year - 9, -1):
        span = span_of(year)
        if span and span.start <= clock.wall:
            return Span(span.start, span.end, free_year=True)
    return None


def _past(span: Span | None, clock: Clock) -> Span | None:
    """None for a span that has not begun or lies beyond any memory."""
    if span is None or span.start > clock.wall or span.start.year < spans.OLDEST_YEAR:
        return None
    return span


def _day_span(year: int, month: int, day: int) -> Span | None:
    try:
        return spans.days(date(year, month, day))
    except ValueError:
        return None


# ---------------------------------------------------------------- distances from now


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
            return _past(Span(clock.wall - timedelta(days=length), clock.wall, days=length), clock)
        return _past(Span(clock.wall - spans.step(unit, count), clock.wall, instant=True), clock)
    except (OverflowError, ValueError):
        return None


def _rolling_time(unit: str, count: int, clock: Clock) -> Span | None:
    elapsed = timedelta(minutes=count) if unit == "minute" else timedelta(hours=count)
    return _past(Span(clock.wall - elapsed, clock.wall, instant=True), clock)


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
        return _past(spans.unit_span(unit, clock.today - spans.step(unit, count)), clock)
    except (OverflowError, ValueError):
        return None


def last_unit(match: re.Match[str], clock: Clock) -> Span | None:
    """Last week is the rolling seven days; other units are the calendar unit before this one.

    With "past" the unit rolls: the past month is the month that ends now.
    """
    unit, factor = unit_of(_group(match, "unit"))
    rolling = _group(match, "which").startswith("past")
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


# ---------------------------------------------------------------- names of the calendar


def weekday(match: re.Match[str], clock: Clock) -> Span | None:
    """The latest such day before today."""
    number = weekday_number(_group(match, "weekday"), clock.language)
    if number is None:
        return None
    back = (clock.today.weekday() - number) % 7
    which = _group(match, "which") or _group(match, "last")
    if which == "this":
        return _past(spans.days(spans.week(clock.today).start.date() + timedelta(days=number)), clock)
    span = spans.days(clock.today - timedelta(days=back or 7))
    return Span(span.start, span.end, weekly=not which)


def month_name(match: re.Match[str], clock: Clock) -> Span | None:
    """The latest such month that has begun; a last one is over."""
    number = month_number(match["month"], clock.language)
    if number is None:
        return None
    span = _begun(lambda year: spans.month(year, number), clock)
    which = _group(match, "which")
    if span and which and which != "this" and span.end > clock.wall:
        return span.shifted(-1)
    return span


def month_year(match: re.Match[str], clock: Clock) -> Span | None:
    number, year = month_number(match["month"], clock.language), _year(match, clock)
    return _past(spans.month(year, number), clock) if number and year else None


def calendar_date(match: re.Match[str], clock: Clock) -> Span | None:
    """A day of a month; without a year the latest that has come."""
    number, year, day = month_number(match["month"], clock.language), _year(match, clock), int(match["day"])
    if not number:
        return None
    if year:
        return _past(_day_span(year, number, day), clock)
    return _begun(lambda candidate: _day_span(candidate, number, day), clock)


def day_range(match: re.Match[str], clock: Clock) -> Span | None:
    number, year = month_number(match["month"], clock.language), _year(match, clock)
    first, last = int(match["first"]), int(match["last"])
    if not number or first >= last:
        return None

    def in_year(candidate: int) -> Span | None:
        start, end = _day_span(candidate, number, first), _day_span(candidate, number, last)
        return Span(start.start, end.end) if start and end else None

    return _past(in_year(year), clock) if year else _begun(in_year, clock)


def ordinal_day(match: re.Match[str], clock: Clock) -> Span | None:
    """The 5th: of the latest month in which it has come."""
    day, which = int(match["day"]), _group(match, "which")
    first = clock.today.replace(day=1)
    if which:
        month = first - relativedelta(months=which == "last")
        return _past(_day_span(month.year, month.month, day), clock)
    for back in range(3):
        month = first - relativedelta(months=back)
        span = _past(_day_span(month.year, month.month, day), clock)
        if span:
            return span
    return None


def quarter_of(match: re.Match[str], clock: Clock) -> Span | None:
    written = _group(match, "number")
    number = int(written) if written.isdecimal() else ORDINALS[written] % 5  # the last quarter is the fourth
    year = _year(match, clock)
    if year:
        return _past(spans.quarter(year, number), clock)
    return _begun(lambda candidate: spans.quarter(candidate, number), clock)


def half_year(match: re.Match[str], clock: Clock) -> Span | None:
    return _past(spans.month(int(match["year"]), 6 * int(match["number"]) - 5, 6), clock)


def season_of(match: re.Match[str], clock: Clock) -> Span | None:
    """A season: of a year, the current one, the last that is over, or the latest that has begun."""
    name, which = _group(match, "season"), _group(match, "which")
    that = _group(match, "that")
    if written := _group(match, "year"):
        return _past(spans.season(name, int(written)), clock)
    if that:
        return _past(spans.season(name, clock.today.year - (that == "last")), clock)
    span = _begun(lambda year: spans.season(name, year), clock)
    if span and which == "this":
        return Span(span.start, clock.wall) if span.end > clock.wall else span
    if span and which and span.end > clock.wall:
        return span.shifted(-1)
    return span


def bare_year(match: re.Match[str], clock: Clock) -> Span | None:
    return _past(spans.year(int(match[0])), clock)


# ---------------------------------------------------------------- digits


def numeric_date(match: re.Match[str], clock: Clock) -> Span | None:
    """2026-03-01, 01.03.2026, 3/1/2026: read by the library, month first only in English with slashes."""
    text = match[0].replace(".", "-") if match[0][:4].isdecimal() else match[0]
    return _past(_as_day(read_date(text, clock.language if "/" in text or text[:4].isdecimal() else "de")), clock)


def _as_day(day: date | None) -> Span | None:
    return spans.days(day) if day else None


def iso_instant(match: re.Match[str], clock: Clock) -> Span | None:
    """A time stamp stands for its local day."""
    try:
        moment = datetime.fromisoformat(match[0].upper())
        local = moment.astimezone(clock.now.tzinfo) if moment.tzinfo else moment
        return _past(spans.days(local.date()), clock)
    except (ValueError, OverflowError):
        return None


def iso_month(match: re.Match[str], clock: Clock) -> Span | None:
    return _past(spans.month(int(match[1]), int(match[2])), clock)


def iso_range(match: re.Match[str], clock: Clock) -> Span | None:
    """ISO 8601 interval of days; its second part may leave out what it shares with the first."""
    first, last = match[1], match[2]
    last = first[: len(first) - len(last)] + last
    try:
        start, end = date.fromisoformat(first), date.fromisoformat(last)
    except ValueError:
        return None
    if start > end:
        return None
    return _past(spans.between(start, end + timedelta(days=1)), clock)


# ---------------------------------------------------------------- parts of a whole


def week_of(match: re.Match[str], clock: Clock) -> Span | None:
    day = calendar_date(match, clock)
    return spans.week(day.start.date()) if day else None


# Thirds of a month and of a year: early, mid, late.
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}


def part_of(match: re.Match[str], clock: Clock) -> Span | None:
    """First week of February, second half of 2025, late January."""
    whole = _whole(_group(match, "whole"), clock)
    if whole is None:
        return None
    span = _part(_group(match, "part"), whole)
    if span is None or (span.start > clock.wall and not whole.free_year):
        return None
    if span.start > clock.wall:
        span = span.shifted(-1)
    return _past(span, clock)


def _whole(words: str, clock: Clock) -> Span | None:
    found = re.fullmatch(r"(?:(this|last|past|previous)\s+)?(month|quarter|year)", words)
    if found:
        day = clock.today
        if found[1] and found[1] != "this":
            day -= spans.step(found[2], 1)
        return spans.unit_span(found[2], day)
    year = re.search(r"\d{4}", words)
    name = re.search(r"[^\W\d]{3,}\.?", re.sub(r"\b(?:this|last|past|previous|of)\b", "", words))
    if not name:
        return spans.year(int(year[0])) if year else None
    number = month_number(name[0], clock.language)
    if not number:
        return None
    if year:
        return spans.month(int(year[0]), number)
    return _begun(lambda candidate: spans.month(candidate, number), clock)


def _part(words: str, whole: Span) -> Span | None:
    start, end = whole.start, whole.end
    length = (end - start).days
    third = _THIRDS.get(words)
    if third is not None:
        if length > 31:
            edges = [start + relativedelta(months=length // 90 * step) for step in range(3)] + [end]
        else:
            edges = [start, start + timedelta(days=10), start + timedelta(days=20), end]
        return Span(edges[third], edges[third + 1])
    ordinal, *rest = words.split()
    number, unit = ORDINALS[ordinal], rest[-1].rstrip("s")
    count = (count_of(rest[0]) or 1) if len(rest) > 1 else 1
    if unit == "half":
        middle = start + (relativedelta(months=length // 60) if length > 31 else timedelta(days=15))
        return Span(start, middle) if number == 1 else Span(middle, end)
    if unit == "weekend":
        first = start + timedelta(days=(5 - start.weekday()) % 7)
        weekends = [first + timedelta(weeks=k) for k in range(54) if first + timedelta(weeks=k) < end]
        index = number - 1 if number > 0 else -1
        return Span(weekends[index], weekends[index] + timedelta(days=2)) if index < len(weekends) else None
    size = spans.step(unit, count)
    if number < 0:
        return Span(end - size, end)
    first = start + spans.step(unit, count * (number - 1))
    return Span(first, min(first + size, end)) if first < end else None
