"""Temporal filters to half-open ranges of instants, `[start, end)` (SPEC 2, "Time").

A date without a time means that whole local day in the workspace's zone; an end date therefore includes its
day. Day borders are built with zoneinfo, so a day in which the clocks change has 23 or 25 hours.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from core_search.errors import UsageError
from core_search.models import Temporal, TemporalType, TimeRange

# SPEC 2: a temporal query without a range means the last 7 days.
DEFAULT_DAYS = 7
# A filter that reaches further back than the calendar does excludes nothing: 1,000 years is far enough.
_MAX_DAYS = 365_000


def start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """The first instant of a local day. Where midnight does not exist, the first instant after the gap."""
    midnight = datetime.combine(day, time.min, tzinfo=zone)
    # A wall time inside a gap names no instant; the round trip through UTC lands just behind the gap.
    return midnight.astimezone(UTC).astimezone(zone)


def resolve(temporal: Temporal, now: datetime, zone: ZoneInfo) -> TimeRange:
    """The range that a temporal filter means at `now`, with both borders in `zone`.

    `recent` is rolling: `days` times 24 hours that end at `now` (without days: 7). `range` takes the dates that
    it has, `before` only the end, `after` only the start; `all` is open on both sides.
    A date that is not ISO 8601, or a start that does not lie before its end, raises `UsageError`.
    """
    if temporal.type is TemporalType.ALL:
        return TimeRange()
    if temporal.type is TemporalType.RECENT:
        days = temporal.days if temporal.days and temporal.days > 0 else DEFAULT_DAYS
        end = now.astimezone(UTC)
        try:
            start = end - timedelta(days=min(days, _MAX_DAYS))
        except OverflowError:
            start = datetime(1, 1, 2, tzinfo=UTC)  # zones west of UTC still have this instant in year 1
        return TimeRange(start=start.astimezone(zone), end=end.astimezone(zone))
    start_date = None if temporal.type is TemporalType.BEFORE else temporal.start_date
    end_date = None if temporal.type is TemporalType.AFTER else temporal.end_date
    return moment_range(start_date, end_date, zone)


def moment_range(start: str | datetime | None, end: str | datetime | None, zone: ZoneInfo) -> TimeRange:
    """The range between two borders given by a caller: instants, ISO 8601 texts, or None for open.

    A date without a time is a whole local day: as a start from its first instant, as an end to its last.
    A time without an offset is local. Raises `UsageError` for what cannot be read and for a start that does
    not lie before its end.
    """
    first = _border(start, zone, "start", include_day=False)
    last = _border(end, zone, "end", include_day=True)
    # Compared as UTC: two values of one zone compare by wall time, which runs backwards in a clock change.
    if first is not None and last is not None and first.astimezone(UTC) >= last.astimezone(UTC):
        raise UsageError(f"start {_shown(start)!r} does not lie before end {_shown(end)!r}; swap or widen them")
    return TimeRange(start=first, end=last)


def in_words(time_range: TimeRange, zone: ZoneInfo) -> str:
    """A range for people, in local time: whole days as dates (the last day included), otherwise minutes."""
    start = time_range.start.astimezone(zone) if time_range.start else None
    end = time_range.end.astimezone(zone) if time_range.end else None
    if start is None and end is None:
        return "all time"
    last_day = _last_whole_day(end, zone)
    end_text = str(last_day) if last_day else _minute(end)
    if start is None:
        return f"up to and including {end_text}" if last_day else f"before {end_text}"
    start_text = str(start.date()) if _is_start_of_day(start, zone) else _minute(start)
    if end is None:
        return f"from {start_text} on"
    if last_day and start_text == end_text:
        return end_text
    return f"{start_text} to {end_text}"


def _border(value: str | datetime | None, zone: ZoneInfo, side: str, include_day: bool) -> datetime | None:
    if value is None:
        return None
    moment: datetime | date | None = value if isinstance(value, datetime) else _read(value)
    if moment is None:
        raise UsageError(
            f"{side} {value!r} is not a date; write ISO 8601 such as '2026-03-01' or '2026-03-01T09:30:00+00:00'"
        )
    try:
        if isinstance(moment, datetime):
            return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(zone)
        return start_of_day(moment + timedelta(days=1) if include_day else moment, zone)
    except OverflowError:
        raise UsageError(f"{side} {value!r} lies outside the calendar; give a year between 1 and 9998") from None


def _read(text: str) -> datetime | date | None:
    text = text.strip()
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _shown(value: str | datetime | None) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _is_start_of_day(moment: datetime, zone: ZoneInfo) -> bool:
    return moment.astimezone(UTC) == start_of_day(moment.date(), zone).astimezone(UTC)


def _last_whole_day(end: datetime | None, zone: ZoneInfo) -> date | None:
    if end is None or not _is_start_of_day(end, zone):
        return None
    return end.date() - timedelta(days=1)


def _minute(moment: datetime | None) -> str:
    return "" if moment is None else moment.strftime("%Y-%m-%d %H:%M")
