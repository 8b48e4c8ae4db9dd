import pytest

from core_search.models import Temporal, TemporalType
from core_search.router.repair_temporal import repair_temporal


def temporal(type_, days=None, start=None, end=None):
    return Temporal(type=TemporalType(type_), days=days, start_date=start, end_date=end)


def given(type_, days=None, start=None, end=None):
    return {"type": type_, "days": days, "startDate": start, "endDate": end}


@pytest.mark.parametrize(
    ("written", "read", "changes"),
    [
        # nothing to repair
        (given("all"), temporal("all"), 0),
        (given("all", 0), temporal("all"), 0),
        (given("recent", 7), temporal("recent", 7), 0),
        (given("range", None, "2026-02-01", "2026-02-28"), temporal("range", None, "2026-02-01", "2026-02-28"), 0),
        (
            given("before", None, None, "2026-02-01T08:00:00Z"),
            temporal("before", None, None, "2026-02-01T08:00:00Z"),
            0,
        ),
        (given("after", None, "2026-02-01"), temporal("after", None, "2026-02-01"), 0),
        (None, temporal("all"), 0),
        # other words
        (given("relative", 7), temporal("recent", 7), 1),
        (given("since", None, "2026-02-01"), temporal("after", None, "2026-02-01"), 1),
        (given("none"), temporal("all"), 0),
        ({"type": "recent", "days": 3, "start_date": None}, temporal("recent", 3), 0),
        ("all", temporal("all"), 1),
        # days
        (given("recent", "14"), temporal("recent", 14), 1),
        (given("recent", "30 days"), temporal("recent", 30), 1),
        (given("recent", 7.0), temporal("recent", 7), 1),
        (given("recent", -3), temporal("recent", 7), 2),
        (given("recent", 10**9), temporal("recent", 7), 2),
        (given("recent", 10**400), temporal("recent", 7), 2),
        (given("recent", True), temporal("recent", 7), 2),
        (given("recent", "a week"), temporal("recent", 7), 2),
        (given("recent"), temporal("recent", 7), 1),
        # dates
        (given("after", None, "last Tuesday"), temporal("all"), 2),
        (given("after", None, "2026-02-30"), temporal("all"), 2),
        (given("after", None, "0001-01-01"), temporal("all"), 2),
        (given("before", None, None, "9999-12-31"), temporal("all"), 2),
        (given("range", None, "2026-02-28", "2026-02-01"), temporal("range", None, "2026-02-01", "2026-02-28"), 1),
        (
            given("range", None, "2026-02-02T00:00:00+01:00", "2026-02-01"),
            temporal("range", None, "2026-02-01", "2026-02-02T00:00:00+01:00"),
            1,
        ),
        # a type without what it needs
        (given("range", None, "2026-02-01"), temporal("after", None, "2026-02-01"), 1),
        (given("range", None, None, "2026-02-01"), temporal("before", None, None, "2026-02-01"), 1),
        (given("range", 5), temporal("recent", 5), 1),
        (given("range"), temporal("all"), 1),
        (given("before", None, "2026-02-01"), temporal("before", None, None, "2026-02-01"), 1),
        (given("after", None, None, "2026-02-01"), temporal("after", None, "2026-02-01"), 1),
        (given("recent", None, "2026-02-01"), temporal("after", None, "2026-02-01"), 1),
        # no type, or none that is known
        ({"days": 5}, temporal("recent", 5), 1),
        ({"startDate": "2026-02-01", "endDate": "2026-02-03"}, temporal("range", None, "2026-02-01", "2026-02-03"), 1),
        (given("soon"), temporal("all"), 1),
        ({}, temporal("all"), 0),
        # no object
        ([], temporal("all"), 1),
        (7, temporal("all"), 1),
    ],
)
def test_repairs(written, read, changes):
    notes: list[str] = []
    assert repair_temporal(written, notes) == read
    assert len(notes) == changes
