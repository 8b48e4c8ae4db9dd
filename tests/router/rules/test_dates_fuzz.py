"""Whatever the text: no error, spans inside it, a range that can be resolved."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.models import TemporalType
from core_search.router.rules.dates import read_dates
from core_search.timeline import resolve

ZONES = [ZoneInfo(name) for name in ("Europe/Lisbon", "America/New_York", "Asia/Kolkata", "Pacific/Apia")]
WORDS = st.sampled_from(
    [
        *(
            "last",
            "the",
            "past",
            "this",
            "week",
            "weeks",
            "month",
            "year",
            "3",
            "999999",
            "between",
            "and",
            "since",
            "before",
        ),
        *(
            "after",
            "January",
            "february",
            "March",
            "29",
            "31st",
            "2024",
            "1900",
            "2100",
            "0000",
            "Q4",
            "summer",
            "of",
            "ago",
        ),
        *(
            "Monday",
            "weekend",
            "first",
            "half",
            "until",
            "to",
            "-",
            "2026-02-30",
            "2026-01-25/26",
            "hours",
            "days",
            "ayer",
        ),
        *(
            "vor",
            "zwei",
            "Tagen",
            "hier",
            "la",
            "semaine",
            "dernière",
            "scorso",
            "mese",
            "tomorrow",
            "İ",
            "today's",
            "early",
        ),
    ]
)
QUERIES = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=12).map(" ".join))
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2100, 1, 1))


@settings(deadline=None, max_examples=300)
@given(QUERIES, MOMENTS, st.sampled_from(ZONES))
def test_any_text(query: str, moment: datetime, zone: ZoneInfo) -> None:
    now = moment.replace(tzinfo=UTC).astimezone(zone)
    reading = read_dates(query, now)
    position = 0
    for start, end in reading.spans:
        assert position <= start < end <= len(query)
        position = end
    if not reading.spans:
        assert reading.text_without_dates == query
        assert reading.temporal.type is TemporalType.ALL
    found = resolve(reading.temporal, now, zone)  # raises for a start that does not lie before its end
    if found.start is not None:
        assert found.start.astimezone(UTC) <= now.astimezone(UTC)
