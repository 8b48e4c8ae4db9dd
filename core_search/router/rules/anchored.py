"""Spans that are counted from another date: "the week before 3 August", "two days after March 1st" (English)."""

from __future__ import annotations

import re
from datetime import timedelta

from core_search.router.rules import spans
from core_search.router.rules.date_words import count_of, unit_of
from core_search.router.rules.english_dates import COUNT, UNITS
from core_search.router.rules.spans import Span

_ANCHOR = re.compile(
    rf"(?<!\w)(?:(?P<count>{COUNT})|the|last|first|that)\s+(?P<unit>{UNITS})\s+"
    r"(?P<side>before|prior\s+to|preceding|after|following)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def anchored(before: str, anchor: Span) -> tuple[int, Span] | None:
    """The span that the words right before a date count from it, and where they begin; None without such words.

    "The week before" is the seven days up to the anchor; with a count it is the calendar unit that lies so far away.
    """
    match = _ANCHOR.search(before[-60:])
    if match is None:
        return None
    begin = max(len(before) - 60, 0) + match.start()
    unit, factor = unit_of(match["unit"])
    if unit in ("minute", "hour"):
        return None
    back = match["side"].lower() in ("before", "prior to", "preceding")
    count = count_of(match["count"]) if match["count"] else None
    edge = anchor.start if back else anchor.end
    if unit == "weekend":
        weekend = spans.weekend(edge.date())
        return begin, spans.weekend(edge.date() - timedelta(weeks=1)) if back and weekend.end > edge else weekend
    if count is None or (count == 1 and unit != "day"):
        length = spans.step(unit, factor)
        return begin, Span(edge - length, edge) if back else Span(edge, edge + length)
    distance = spans.step(unit, count * factor)
    day = anchor.start.date() - distance if back else anchor.end.date() - timedelta(days=1) + distance
    return begin, spans.unit_span(unit, day)
