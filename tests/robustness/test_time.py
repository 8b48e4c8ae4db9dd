"""Point 9: days that are no 24 hours, half-hour zones, ends of years, instants before 1970 and clocks of the future.

Whole searches: an episode a second before and at each border, and only those inside are found.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.ingest.values import Bundle, Header
from core_search.models import Episode, Memory
from tests.small import route

NEW_YORK, KOLKATA, UTC_ZONE = "America/New_York", "Asia/Kolkata", "UTC"
# Zone, first and last day (both included), and the hours that lie between their borders.
DAYS = (
    (NEW_YORK, "2026-03-08", "2026-03-08", 23),  # clocks go forward
    (NEW_YORK, "2026-11-01", "2026-11-01", 25),  # and back
    (NEW_YORK, "2026-03-07", "2026-03-09", 71),
    (KOLKATA, "2026-03-08", "2026-03-08", 24),  # begins at half past in UTC
    (KOLKATA, "1941-10-01", "1941-10-01", 23),  # war time: clocks an hour forward
    (UTC_ZONE, "2024-02-29", "2024-02-29", 24),
    (NEW_YORK, "2024-02-28", "2024-03-01", 72),
    (KOLKATA, "2025-12-31", "2026-01-01", 48),
    (NEW_YORK, "1969-12-31", "1970-01-01", 48),
    (UTC_ZONE, "1901-12-13", "1901-12-14", 48),  # where 32 bits of seconds end
    (UTC_ZONE, "2038-01-19", "2038-01-19", 24),
    (UTC_ZONE, "0003-01-02", "0003-01-03", 48),
    (UTC_ZONE, "9996-12-30", "9996-12-31", 48),
)


def borders(zone: str, first: str, last: str) -> tuple[datetime, datetime]:
    midnight = datetime.fromisoformat(first).replace(tzinfo=ZoneInfo(zone))
    after = datetime.fromisoformat(last).replace(tzinfo=ZoneInfo(zone)) + timedelta(days=1)  # wall time
    return midnight.astimezone(UTC), after.astimezone(UTC)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("time"))) as engine:
        for zone in (NEW_YORK, KOLKATA, UTC_ZONE):
            episodes = []
            for number, (of, first, last, _) in enumerate(DAYS):
                if of == zone:
                    start, end = borders(of, first, last)
                    for where, at in {
                        "before": start - timedelta(microseconds=1),
                        "start": start,
                        "end": end - timedelta(microseconds=1),
                        "after": end,
                    }.items():
                        episodes.append(Episode(uuid=f"{number}-{where}", content="soup", created_at=at, valid_at=at))
            name = zone.replace("/", "-")
            header = Header(name=name, timezone=zone, clock=datetime(2030, 1, 1, tzinfo=UTC))
            engine.load(Bundle(header=header, memory=Memory(episodes=tuple(episodes))))
        yield engine


def found(engine: SearchEngine, zone: str, **fields) -> set[str]:
    request = SearchRequest(query="soup", workspace=zone.replace("/", "-"), **fields)
    return {episode.uuid for episode in engine.search(request).episodes}


@pytest.mark.parametrize(("number", "zone", "first", "last", "hours"), [(i, *day) for i, day in enumerate(DAYS)])
def test_days_have_their_borders_in_every_path(engine, number, zone, first, last, hours):
    start, end = borders(zone, first, last)
    assert end - start == timedelta(hours=hours)
    inside = {f"{number}-start", f"{number}-end"}
    others = lambda ids: {id_ for id_ in ids if id_.partition("-")[0] == str(number)}  # noqa: E731
    everything = {"limit": 100, "episode_limit": 100, "episode_threshold": -1, "rerank": False}
    time = {"type": "range", "startDate": first, "endDate": last}
    for kind in ("temporal", "exploratory", "aspect_query"):
        assert others(found(engine, zone, router_output=route(kind, temporal=time), set=everything)) == inside, kind
    given = {**everything, "start": first, "end": last}
    assert others(found(engine, zone, router_output=route("exploratory"), set=given)) == inside
    before = route("temporal", temporal={"type": "before", "endDate": last})
    assert others(found(engine, zone, router_output=before, set=everything)) == {*inside, f"{number}-before"}
    after = route("temporal", temporal={"type": "after", "startDate": first})
    assert others(found(engine, zone, router_output=after, set=everything)) == {*inside, f"{number}-after"}


def test_a_day_back_from_a_clock_change_is_24_elapsed_hours(engine):
    now = datetime(2026, 3, 9, 0, 0, tzinfo=ZoneInfo(NEW_YORK))  # the day before had 23 hours
    recent = route("temporal", temporal={"type": "recent", "days": 1})
    ids = found(engine, NEW_YORK, now=now, router_output=recent, set={"backstop": False})
    assert {"0-before", "0-start", "0-end"} <= ids
    assert "0-after" not in ids  # at now itself: the range is half open


@pytest.mark.parametrize("year", [1, 1900, 1969, 2038, 9999])
def test_any_clock_gives_an_answer(engine, year):
    now = datetime(year, 1, 1, 12, tzinfo=UTC)
    for query in ("soup", "what did I do last week", "today", "this month", "what topics did I discuss last year"):
        request = SearchRequest(query=query, workspace=UTC_ZONE, now=now)
        assert engine.search(request).now.year == year
