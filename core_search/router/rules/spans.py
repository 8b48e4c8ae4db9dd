"""Calendar spans in local civil time: days, weeks from Monday, months, quarters, seasons, weekends.

All borders are naive datetimes of the workspace's wall clock, half open; `dates.py` writes them out for the
route. Arithmetic on months is dateutil's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dateutil.relativedelta import MO, relativedelta

# People ask about their own memory: what lies further back than this is not a time in it ("100000 years ago").
OLDEST_YEAR = 1900


@dataclass(frozen=True, slots=True)
class Span:
    """`[start, end)` of wall time. `days` marks a rolling span that ends now; `free_year`: the year was not said."""

    start: datetime
    end: datetime
    days: int | None = None
    free_year: bool = False
    weekly: bool = False  # named by its weekday alone
    instant: bool = False  # the borders are instants, counted back from now by elapsed time

    def shifted(self, years: int) -> Span:
        delta = relativedelta(years=years)
        return Span(self.start + delta, self.end + delta)


def days(first: date, count: int = 1, free_year: bool = False) -> Span:
    """`count` whole days from `first`."""
    start = datetime.combine(first, time.min)
    return Span(start, start + timedelta(days=count), free_year=free_year)


def between(first: date, after_last: date, free_year: bool = False) -> Span:
    return Span(datetime.combine(first, time.min), datetime.combine(after_last, time.min), free_year=free_year)


def week(day: date) -> Span:
    """Monday to Monday."""
    return days(day + relativedelta(weekday=MO(-1)), 7)


def month(year: int, number: int, count: int = 1, free_year: bool = False) -> Span:
    """`count` whole months."""
    first = date(year, number, 1)
    return between(first, first + relativedelta(months=count), free_year)


def quarter(year: int, number: int, free_year: bool = False) -> Span:
    return month(year, 3 * number - 2, 3, free_year)


def year(number: int) -> Span:
    return month(number, 1, 12)


# Meteorological seasons of the northern half; a winter is named for the year in which it begins.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
SEASONS |= {"primavera": 3, "verano": 6, "otoño": 9, "otono": 9, "invierno": 12}
SEASONS |= {"frühling": 3, "frühjahr": 3, "sommer": 6, "herbst": 9}
SEASONS |= {"printemps": 3, "été": 6, "automne": 9, "hiver": 12}
SEASONS |= {"estate": 6, "autunno": 9, "inverno": 12}


def season(name: str, year: int, free_year: bool = False) -> Span:
    return month(year, SEASONS[name], 3, free_year)


def weekend(day: date) -> Span:
    """The Saturday and Sunday of the week that `day` lies in."""
    return days(day + relativedelta(weekday=MO(-1)) + timedelta(days=5), 2)


def unit_span(unit: str, day: date) -> Span:
    """The calendar unit that `day` lies in."""
    if unit == "week":
        return week(day)
    if unit == "month":
        return month(day.year, day.month)
    if unit == "quarter":
        return quarter(day.year, (day.month + 2) // 3)
    if unit == "year":
        return year(day.year)
    if unit == "weekend":
        return weekend(day)
    return days(day)


def step(unit: str, count: int) -> relativedelta:
    """`count` units as a calendar distance."""
    if unit == "quarter":
        return relativedelta(months=3 * count)
    if unit in ("weekend", "week"):
        return relativedelta(weeks=count)
    if unit == "month":
        return relativedelta(months=count)
    if unit == "year":
        return relativedelta(years=count)
    return relativedelta(days=count)
