"""When the event happened that an observation of LoCoMo tells: the data set does not say, its turns do.

"Last night we had dinner" in a turn of 4 May dates the event to 3 May, read with the rules that read the queries. It is
what makes a question such as "who did she have dinner with on May 3" find the turn of the day after.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from core_search.models import TemporalType
from core_search.router.rules.dates import read_dates
from core_search.timeline import resolve

_SPANS = frozenset({TemporalType.RANGE, TemporalType.RECENT})  # "since May" says how long, not when


def event_date(texts: Iterable[str], at: datetime, zone: ZoneInfo) -> datetime | None:
    """The first instant of the first past time that one of the texts, said at `at`, speaks of; None without any."""
    for text in texts:
        temporal = read_dates(text, at.astimezone(zone)).temporal
        if temporal.type in _SPANS:
            start = resolve(temporal, at, zone).start
            if start is not None and start < at:
                return start
    return None
