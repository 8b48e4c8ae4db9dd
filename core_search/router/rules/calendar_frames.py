"""Spans that the calendar names: weekdays, months, days of months, quarters, seasons, years, and dates in digits."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from core_search.router.rules import spans
from core_search.router.rules.date_words import ORDINALS, month_number, read_date, weekday_number
from core_search.router.rules.frames import Clock, day_span, group, in_the_past, latest_begun, said_year
from core_search.router.rules.spans import Span


def weekday(match: re.Match[str], clock: Clock) -> Span | None:
    """The latest such day before today."""
    number = weekday_number(group(match, "weekday"), clock.language)
    if number is None:
        return None
    back = (clock.today.weekday() - number) % 7
    which = group(match, "which") or group(match, "last")
    if which == "this":
        return in_the_past(spans.days(spans.week(clock.today).start.date() + timedelta(days=number)), clock)
    span = spans.days(clock.today - timedelta(days=back or 7))
    return Span(span.start, span.end, weekly=not which)


def month_name(match: re.Match[str], clock: Clock) -> Span | None:
    """The latest such month that has begun; a last one is over."""
    number = month_number(match["month"], clock.language)
    if number is None:
        return None
    span = latest_begun(lambda year: spans.month(year, number), clock)
    which = group(match, "which")
    if span and which and which != "this" and span.end > clock.wall:
        return span.shifted(-1)
    return span


def month_year(match: re.Match[str], clock: Clock) -> Span | None:
    number, year = month_number(match["month"], clock.language), said_year(match, clock)
    return in_the_past(spans.month(year, number), clock) if number and year else None


def calendar_date(match: re.Match[str], clock: Clock) -> Span | None:
    """A day of a month; without a year the latest that has come."""
    number, year, day = month_number(match["month"], clock.language), said_year(match, clock), int(match["day"])
    if not number:
        return None
    if year:
        return in_the_past(day_span(year, number, day), clock)
    return latest_begun(lambda candidate: day_span(candidate, number, day), clock)


def day_range(match: re.Match[str], clock: Clock) -> Span | None:
    number, year = month_number(match["month"], clock.language), said_year(match, clock)
    first, last = int(match["first"]), int(match["last"])
    if not number or first >= last:
        return None

    def in_year(candidate: int) -> Span | None:
        start, end = day_span(candidate, number, first), day_span(candidate, number, last)
        return Span(start.start, end.end) if start and end else None

    return in_the_past(in_year(year), clock) if year else latest_begun(in_year, clock)


def ordinal_day(match: re.Match[str], clock: Clock) -> Span | None:
    """The 5th: of the latest month in which it has come."""
    day, which = int(match["day"]), group(match, "which")
    first = clock.today.replace(day=1)
    if which:
        month = first - relativedelta(months=which == "last")
        return in_the_past(day_span(month.year, month.month, day), clock)
    for back in range(3):
        month = first - relativedelta(months=back)
        span = in_the_past(day_span(month.year, month.month, day), clock)
        if span:
            return span
    return None


def quarter_of(match: re.Match[str], clock: Clock) -> Span | None:
    written = group(match, "number")
    number = int(written) if written.isdecimal() else ORDINALS[written] % 5  # the last quarter is the fourth
    year = said_year(match, clock)
    if year:
        return in_the_past(spans.quarter(year, number), clock)
    return latest_begun(lambda candidate: spans.quarter(candidate, number), clock)


def half_year(match: re.Match[str], clock: Clock) -> Span | None:
    return in_the_past(spans.month(int(match["year"]), 6 * int(match["number"]) - 5, 6), clock)


def season_of(match: re.Match[str], clock: Clock) -> Span | None:
    """A season: of a year, the current one, the last that is over, or the latest that has begun."""
    name, which = group(match, "season"), group(match, "which")
    that = group(match, "that")
    if written := group(match, "year"):
        return in_the_past(spans.season(name, int(written)), clock)
    if that:
        return in_the_past(spans.season(name, clock.today.year - (that == "last")), clock)
    if which == "this":
        span = in_the_past(spans.season(name, clock.today.year), clock)
        return Span(span.start, clock.wall) if span and span.end > clock.wall else span
    span = latest_begun(lambda year: spans.season(name, year), clock)
    if span and which and span.end > clock.wall:
        return span.shifted(-1)
    return span


def bare_year(match: re.Match[str], clock: Clock) -> Span | None:
    return in_the_past(spans.year(int(match[0])), clock)


def year_named(match: re.Match[str], clock: Clock) -> Span | None:
    return in_the_past(spans.year(int(match["year"])), clock)


def week_number(match: re.Match[str], clock: Clock) -> Span | None:
    """A week of the ISO calendar; without a year the latest such week that has begun."""
    number = int(match["week"])

    def in_year(year: int) -> Span | None:
        try:
            return spans.week(date.fromisocalendar(year, number, 1))
        except ValueError:  # week 53 of most years
            return None

    year = said_year(match, clock)
    return in_the_past(in_year(year), clock) if year else latest_begun(in_year, clock)


_FEASTS = {"christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "boxing day": (12, 26)}


def feast(match: re.Match[str], clock: Clock) -> Span | None:
    """Christmas and New Year: of a year, or the latest."""
    name = " ".join(group(match, "feast").split())
    month, day = _FEASTS.get(name) or ((12, 31) if name.endswith("eve") else (1, 1))
    year = said_year(match, clock)
    if year:
        return in_the_past(day_span(year, month, day), clock)
    return latest_begun(lambda candidate: day_span(candidate, month, day), clock)


def numeric_date(match: re.Match[str], clock: Clock) -> Span | None:
    """2026-03-01, 01.03.2026, 3/1/2026: read by the library, month first only in English with slashes."""
    text = match[0].replace(".", "-") if match[0][:4].isdecimal() else match[0]
    return in_the_past(_as_day(read_date(text, clock.language if "/" in text or text[:4].isdecimal() else "de")), clock)


def _as_day(day: date | None) -> Span | None:
    return spans.days(day) if day else None


def iso_instant(match: re.Match[str], clock: Clock) -> Span | None:
    """A time stamp stands for its local day."""
    try:
        moment = datetime.fromisoformat(match[0].upper())
        local = moment.astimezone(clock.now.tzinfo) if moment.tzinfo else moment
        return in_the_past(spans.days(local.date()), clock)
    except (ValueError, OverflowError):
        return None


def iso_month(match: re.Match[str], clock: Clock) -> Span | None:
    return in_the_past(spans.month(int(match[1]), int(match[2])), clock)


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
    return in_the_past(spans.between(start, end + timedelta(days=1)), clock)
