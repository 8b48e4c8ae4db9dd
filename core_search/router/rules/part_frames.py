"""Parts of a named span: the first week of February, the second half of 2025, late January, the week of 3 March."""

from __future__ import annotations

import re
from datetime import timedelta

from dateutil.relativedelta import relativedelta

from core_search.router.rules import spans
from core_search.router.rules.calendar_frames import calendar_date
from core_search.router.rules.date_words import ORDINALS, count_of, month_number
from core_search.router.rules.frames import Clock, group, in_the_past, latest_begun
from core_search.router.rules.spans import Span


def week_of(match: re.Match[str], clock: Clock) -> Span | None:
    """The week, or the weekend of the week, that a day lies in."""
    day = calendar_date(match, clock)
    return spans.unit_span(group(match, "unit"), day.start.date()) if day else None


# Thirds of a month and of a year: early, mid, late.
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}


def part_of(match: re.Match[str], clock: Clock) -> Span | None:
    """First week of February, second half of 2025, late January."""
    whole = _whole(group(match, "whole"), clock)
    if whole is None:
        return None
    span = _part(group(match, "part"), whole)
    if span is None or (span.start > clock.wall and not whole.free_year):
        return None
    if span.start > clock.wall:
        span = span.shifted(-1)
    return in_the_past(span, clock)


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
    return latest_begun(lambda candidate: spans.month(candidate, number), clock)


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
