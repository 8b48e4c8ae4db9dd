"""Ranges of instants from temporal filters and from callers' borders."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_search.errors import UsageError
from core_search.models import Temporal, TemporalType, TimeRange
from core_search.timeline import in_words, moment_range, resolve

LISBON = ZoneInfo("Europe/Lisbon")
NEW_YORK = ZoneInfo("America/New_York")
KOLKATA = ZoneInfo("Asia/Kolkata")
NOW = datetime(2026, 3, 1, 18, tzinfo=LISBON)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def hours(time_range: TimeRange) -> float:
    assert time_range.start is not None
    assert time_range.end is not None
    return (time_range.end.astimezone(UTC) - time_range.start.astimezone(UTC)) / timedelta(hours=1)


def test_all_excludes_nothing() -> None:
    assert resolve(Temporal(), NOW, LISBON).is_open


def test_recent_rolls_back_from_now() -> None:
    found = resolve(Temporal(type=TemporalType.RECENT, days=7), NOW, LISBON)
    assert found == TimeRange(start=NOW - timedelta(days=7), end=NOW)


def test_recent_without_days_is_a_week() -> None:
    assert hours(resolve(Temporal(type=TemporalType.RECENT), NOW, LISBON)) == 7 * 24


def test_recent_counts_elapsed_hours_across_a_clock_change() -> None:
    monday = datetime(2025, 10, 27, 9, tzinfo=LISBON)  # the clocks went back on 26 October
    found = resolve(Temporal(type=TemporalType.RECENT, days=7), monday, LISBON)
    assert hours(found) == 7 * 24
    assert found.start == utc("2025-10-20T09:00")


def test_recent_beyond_the_calendar_is_no_error() -> None:
    found = resolve(Temporal(type=TemporalType.RECENT, days=10**9), NOW, NEW_YORK)
    assert utc("1900-01-01T00:00") in found


def test_an_end_date_includes_its_day() -> None:
    found = resolve(Temporal(type=TemporalType.RANGE, start_date="2026-07-25", end_date="2026-07-26"), NOW, LISBON)
    assert found == TimeRange(start=utc("2026-07-24T23:00"), end=utc("2026-07-26T23:00"))


@pytest.mark.parametrize(
    ("day", "zone", "length"),
    [
        ("2025-03-09", NEW_YORK, 23),
        ("2025-11-02", NEW_YORK, 25),
        ("2025-11-03", NEW_YORK, 24),
        ("2024-02-29", NEW_YORK, 24),
        ("2025-12-31", KOLKATA, 24),
        ("2018-11-04", ZoneInfo("America/Sao_Paulo"), 23),  # midnight did not exist
    ],
)
def test_a_day_is_as_long_as_its_clock_says(day: str, zone: ZoneInfo, length: int) -> None:
    assert hours(moment_range(day, day, zone)) == length


def test_kolkata_begins_its_day_at_half_past() -> None:
    assert moment_range("2026-01-01", None, KOLKATA).start == utc("2025-12-31T18:30")


def test_before_and_after_are_open_on_one_side() -> None:
    before = resolve(Temporal(type=TemporalType.BEFORE, end_date="2026-01-31", start_date="2020-01-01"), NOW, LISBON)
    after = resolve(Temporal(type=TemporalType.AFTER, start_date="2026-02-01", end_date="2020-01-01"), NOW, LISBON)
    assert before == TimeRange(end=utc("2026-02-01T00:00"))
    assert after == TimeRange(start=utc("2026-02-01T00:00"))


def test_an_instant_keeps_its_offset_and_a_naive_one_is_local() -> None:
    assert moment_range("2026-07-01T10:00:00+02:00", None, LISBON).start == utc("2026-07-01T08:00")
    assert moment_range("2026-07-01T10:00", None, LISBON).start == utc("2026-07-01T09:00")
    assert moment_range(datetime(2026, 7, 1, 10, tzinfo=UTC), None, LISBON).start == utc("2026-07-01T10:00")


@pytest.mark.parametrize("text", ["yesterday", "2026-02-30", "", "2026/02/03", "9999-12-31"])
def test_what_is_no_date_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="end"):
        moment_range(None, text, LISBON)


def test_the_start_lies_before_the_end() -> None:
    with pytest.raises(UsageError, match="does not lie before"):
        moment_range("2026-02-02", "2026-02-01", LISBON)
    # The hour that comes twice: by the wall clock the second border is earlier.
    second = "2025-11-02T01:10:00-05:00"
    assert hours(moment_range("2025-11-02T01:50:00-04:00", second, NEW_YORK)) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (None, None, "all time"),
        ("2026-02-01", "2026-02-01", "2026-02-01"),
        ("2026-02-01", "2026-02-28", "2026-02-01 to 2026-02-28"),
        ("2026-02-01", None, "from 2026-02-01 on"),
        (None, "2026-02-28", "up to and including 2026-02-28"),
        (None, "2026-02-28T12:00", "before 2026-02-28 12:00"),
        ("2026-02-01T09:30", "2026-02-01T18:00", "2026-02-01 09:30 to 2026-02-01 18:00"),
    ],
)
def test_in_words(start: str | None, end: str | None, words: str) -> None:
    assert in_words(moment_range(start, end, LISBON), LISBON) == words


@given(st.dates(), st.dates(), st.sampled_from([LISBON, NEW_YORK, KOLKATA]))
def test_two_dates_give_a_range_or_a_clear_error(first: object, last: object, zone: ZoneInfo) -> None:
    try:
        found = moment_range(str(first), str(last), zone)
    except UsageError:
        return
    assert hours(found) >= 23
