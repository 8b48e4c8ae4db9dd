"""The time scope of an extraction, repaired: a type has the fields that it needs, or the fields decide the type."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core_search.models import Temporal, TemporalType
from core_search.router.reading import read_date, read_days, read_member, read_text, shown
from core_search.router.vocabulary import TEMPORAL_WORDS, plain
from core_search.timeline import DEFAULT_DAYS


def repair_temporal(value: Any, notes: list[str]) -> Temporal:
    """The `temporal` that `value` means; a sentence for every change goes to `notes`."""
    if isinstance(value, str):  # "all" instead of an object with that type
        notes.append(f"temporal was the text {shown(value)} and was read as its type")
        value = {"type": value}
    if not isinstance(value, Mapping):
        if value is not None:
            notes.append(f"temporal {shown(value)} is no object and was dropped")
        return Temporal()
    fields = {plain(str(key)): item for key, item in value.items()}
    days = read_days(fields.get("days"), notes)
    start = read_date("temporal.startDate", fields.get("start_date"), notes)
    end = read_date("temporal.endDate", fields.get("end_date"), notes)
    asked = read_member("temporal.type", TemporalType, TEMPORAL_WORDS, fields.get("type"), notes)
    written = read_text("temporal.type", fields.get("type"), [])
    if asked is None and written is not None:
        notes.append(f"the unknown temporal.type {shown(written)} was dropped")
    return _consistent(asked, days, start, end, notes)


def _consistent(
    asked: TemporalType | None, days: int | None, start: str | None, end: str | None, notes: list[str]
) -> Temporal:
    """A temporal whose type has the fields that it needs: where it has not, the fields decide."""
    if start and end and _day(start) > _day(end):
        notes.append("temporal.startDate was after endDate; they were exchanged")
        start, end = end, start
    if asked is TemporalType.BEFORE and start and not end:
        notes.append("temporal.startDate of a before was read as its endDate")
        start, end = None, start
    elif asked is TemporalType.AFTER and end and not start:
        notes.append("temporal.endDate of an after was read as its startDate")
        start, end = end, None
    by_fields = _type_of(days, start, end)
    complete = {
        TemporalType.RECENT: days is not None,
        TemporalType.RANGE: bool(start and end),
        TemporalType.BEFORE: end is not None,
        TemporalType.AFTER: start is not None,
        TemporalType.ALL: True,
    }
    if asked is TemporalType.RECENT and by_fields is TemporalType.ALL:
        notes.append(f"temporal.days is missing for recent; {DEFAULT_DAYS} was used")
        return Temporal(type=asked, days=DEFAULT_DAYS)
    kind = asked if asked is not None and complete[asked] else by_fields
    if kind is not (asked or TemporalType.ALL):
        notes.append(
            f"temporal.type {asked.value if asked else 'is missing and'} was read as {kind.value} by its fields"
        )
    return Temporal(type=kind, days=days, start_date=start, end_date=end)


def _type_of(days: int | None, start: str | None, end: str | None) -> TemporalType:
    if start and end:
        return TemporalType.RANGE
    if start:
        return TemporalType.AFTER
    if end:
        return TemporalType.BEFORE
    return TemporalType.RECENT if days is not None else TemporalType.ALL


def _day(text: str) -> datetime:
    """The local day: a date with a zone and one without cannot be compared as instants."""
    return datetime.fromisoformat(text).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
