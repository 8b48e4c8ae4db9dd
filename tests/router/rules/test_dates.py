"""Which time a query speaks of, as instants."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core_search.models import TemporalType
from core_search.router.rules.dates import read_dates
from core_search.timeline import resolve

LISBON = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 3, 1, 18, tzinfo=LISBON)  # a Sunday


def spoken(query: str, now: datetime = NOW) -> str:
    """`start..end` in local time, days without their midnight, nothing for an open side."""
    zone = now.tzinfo
    assert isinstance(zone, ZoneInfo)
    found = resolve(read_dates(query, now).temporal, now, zone)

    def side(moment: datetime | None) -> str:
        text = moment.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if moment else ""
        return text.removesuffix("T00:00")

    return f"{side(found.start)}..{side(found.end)}"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what did I do today", "2026-03-01..2026-03-02"),
        ("what did I do yesterday", "2026-02-28..2026-03-01"),
        ("the day before yesterday", "2026-02-27..2026-02-28"),
        ("what did I work on last week", "2026-02-22T18:00..2026-03-01T18:00"),
        ("the past 3 days", "2026-02-26T18:00..2026-03-01T18:00"),
        ("in the last couple of weeks", "2026-02-15T18:00..2026-03-01T18:00"),
        ("the last 24 hours", "2026-02-28T18:00..2026-03-01T18:00"),
        ("last 3 months", "2025-12-01T18:00..2026-03-01T18:00"),
        ("what did we ship last month", "2026-02-01..2026-03-01"),
        ("last quarter", "2025-10-01..2026-01-01"),
        ("last year", "2025-01-01..2026-01-01"),
        ("this week", "2026-02-23..2026-03-01T18:00"),
        ("so far this year", "2026-01-01..2026-03-01T18:00"),
        ("three days ago", "2026-02-26..2026-02-27"),
        ("two weeks ago", "2026-02-09..2026-02-16"),
        ("two months ago", "2026-01-01..2026-02-01"),
        ("last weekend", "2026-02-21..2026-02-23"),
        ("the week before last", "2026-02-09..2026-02-16"),
    ],
)
def test_distances_from_now(query: str, expected: str) -> None:
    assert spoken(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what happened in January", "2026-01-01..2026-02-01"),
        ("what happened in March", "2026-03-01..2026-04-01"),
        ("what happened in April", "2025-04-01..2025-05-01"),
        ("auth decisions jan", "2026-01-01..2026-02-01"),
        ("opinions of September 2025", "2025-09-01..2025-10-01"),
        ("on the 5th", "2026-02-05..2026-02-06"),
        ("on the 30th", "2026-01-30..2026-01-31"),
        ("on March 3rd", "2025-03-03..2025-03-04"),
        ("on the 3rd of March 2024", "2024-03-03..2024-03-04"),
        ("on 29 February", "2024-02-29..2024-03-01"),
        ("on Friday", "2026-02-27..2026-02-28"),
        ("last Sunday", "2026-02-22..2026-02-23"),
        ("in Q4 2023", "2023-10-01..2024-01-01"),
        ("H1 2025", "2025-01-01..2025-07-01"),
        ("the summer of 2023", "2023-06-01..2023-09-01"),
        ("last summer", "2025-06-01..2025-09-01"),
        ("topic counts 2025", "2025-01-01..2026-01-01"),
        ("in 2023", "2023-01-01..2024-01-01"),
        ("the first week of February", "2026-02-01..2026-02-08"),
        ("second half of 2025", "2025-07-01..2026-01-01"),
        ("in late January", "2026-01-21..2026-02-01"),
        ("the week of 10 November 2025", "2025-11-10..2025-11-17"),
        ("the weekend of 7 February", "2026-02-07..2026-02-09"),
        ("the week before August 3, 2025", "2025-07-27..2025-08-03"),
        ("the day after 9 November 2025", "2025-11-10..2025-11-11"),
    ],
)
def test_names_of_the_calendar(query: str, expected: str) -> None:
    assert spoken(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("log of 2026-01-25", "2026-01-25..2026-01-26"),
        ("what happened 2026-01-25/26", "2026-01-25..2026-01-27"),
        ("2025-12-30/2026-01-02", "2025-12-30..2026-01-03"),
        ("at 2026-02-14T10:00:00Z", "2026-02-14..2026-02-15"),
        ("in 2025-12", "2025-12-01..2026-01-01"),
        ("on 25.12.2025", "2025-12-25..2025-12-26"),
    ],
)
def test_digits(query: str, expected: str) -> None:
    assert spoken(query) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("since Monday", "2026-02-23.."),
        ("since October", "2025-10-01.."),
        ("from October onwards", "2025-10-01.."),
        ("after January 10", "2026-01-11.."),
        ("before February", "..2026-02-01"),
        ("until 15 June 2025", "..2025-06-16"),
        ("between 9 and 12 November 2025", "2025-11-09..2025-11-13"),
        ("between July and November 2025", "2025-07-01..2025-12-01"),
        ("between July 1 and August 15, 2025", "2025-07-01..2025-08-16"),
        ("from December to January", "2025-12-01..2026-02-01"),
        ("between November 10 and yesterday", "2025-11-10..2026-03-01"),
    ],
)
def test_borders(query: str, expected: str) -> None:
    assert spoken(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "may I deploy",
        "what did March Capital say",
        "march capital deal",
        "what do we want",
        "I sat in port 9077",
        "Python 3.11",
        "a second opinion",
        "rules for friday deploys",
        "can we deploy on Friday?",
        "what do I do every monday",
        "spring boot upgrade",
        "goals for 2026",
        "tasks to finish before Friday",
        "What have I been up to?",
        "when did Melanie paint a sunrise?",
        "what is on next week",
        "tomorrow",
        "100000 years ago",
        "on 31 february",
        "in November 2026",
        "room 2023",
        "hier ist nichts, was haben wir hier",
    ],
)
def test_no_time_rather_than_a_wrong_one(query: str) -> None:
    assert spoken(query) == ".."


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("¿qué pasó ayer?", "2026-02-28..2026-03-01"),
        ("qué pasó la semana pasada", "2026-02-22T18:00..2026-03-01T18:00"),
        ("qué hice hace tres días", "2026-02-26..2026-02-27"),
        ("qué pasó entre el 3 y el 7 de noviembre", "2025-11-03..2025-11-08"),
        ("was haben wir letzten Monat gemacht", "2026-02-01..2026-03-01"),
        ("was habe ich vor zwei Wochen gemacht", "2026-02-09..2026-02-16"),
        ("was ist seit Montag passiert", "2026-02-23.."),
        ("qu'est-ce que j'ai fait avant-hier", "2026-02-27..2026-02-28"),
        ("qu'avons-nous fait en janvier", "2026-01-01..2026-02-01"),
        ("ce que j'ai fait il y a 3 jours", "2026-02-26..2026-02-27"),
        ("cosa ho fatto il mese scorso", "2026-02-01..2026-03-01"),
        ("cosa è successo a gennaio", "2026-01-01..2026-02-01"),
        ("quali argomenti negli ultimi dieci giorni", "2026-02-19T18:00..2026-03-01T18:00"),
    ],
)
def test_other_languages(query: str, expected: str) -> None:
    assert spoken(query) == expected


@pytest.mark.parametrize(
    ("query", "rest"),
    [
        ("auth decisions jan", "auth decisions"),
        ("Since Monday, which problems came up?", "which problems came up?"),
        ("what did I do between 9 and 12 November 2025 in Porto", "what did I do in Porto"),
        ("what is planned for next week", "what is planned"),
        ("waht did I do on teusday", "waht did I do"),
        ("yesterday", ""),
        ("no date here", "no date here"),
    ],
)
def test_date_words_leave_the_text(query: str, rest: str) -> None:
    assert read_dates(query, NOW).text_without_dates == rest


def test_today_is_the_local_day() -> None:
    late = datetime(2025, 7, 14, 23, 30, tzinfo=UTC).astimezone(LISBON)  # 00:30 of the 15th in Lisbon
    assert spoken("today", late) == "2025-07-15..2025-07-16"


def test_hours_are_elapsed_time_across_a_clock_change() -> None:
    evening = datetime(2025, 10, 26, 20, tzinfo=LISBON)
    found = resolve(read_dates("the last 24 hours", evening).temporal, evening, LISBON)
    assert found.start == datetime(2025, 10, 25, 20, tzinfo=UTC)


def test_since_monday_on_a_monday_is_today() -> None:
    monday = datetime(2026, 3, 2, 9, tzinfo=LISBON)
    assert spoken("since Monday", monday) == "2026-03-02.."
    assert spoken("on Monday", monday) == "2026-02-23..2026-02-24"


def test_year_end_and_leap_day() -> None:
    assert spoken("last month", datetime(2026, 1, 1, 9, tzinfo=LISBON)) == "2025-12-01..2026-01-01"
    assert spoken("yesterday", datetime(2024, 3, 1, 9, tzinfo=LISBON)) == "2024-02-29..2024-03-01"
    assert spoken("last 3 months", datetime(2024, 2, 29, 12, tzinfo=LISBON)) == "2023-11-29T12:00..2024-02-29T12:00"


def test_a_name_is_no_date_whatever_it_looks_like() -> None:
    query = "the launch of August 2025"
    assert read_dates(query, NOW, names=("launch of August 2025",)).temporal.type is TemporalType.ALL


def test_the_middle_of_a_long_prompt_is_material() -> None:
    material = "It was merged on 3 March 2024. " * 100
    found = read_dates(f"What did I do yesterday?\n{'x ' * 300}{material}{'y ' * 300}", NOW)
    assert found.spans == ((14, 23),)
