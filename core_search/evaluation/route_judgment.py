"""Whether a route is right, part by part: gate, type, time range, hints, attribute, aspects, facets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from core_search.entities import normalise
from core_search.errors import CoreSearchError
from core_search.evaluation.labelled_queries import ExpectedRoute, LabelledQuery
from core_search.models import Extraction, Facet, LookupMode, QueryType, TimeRange, Value
from core_search.timeline import resolve

CLOSED = "closed"  # stands for a type where the gate is closed
_TITLE = re.compile(r"^(?:dra?|prof|professor|doctor|mr|mrs|ms|sr|sra)\.?\s+", re.IGNORECASE)


class JudgedRoute(Value):
    """One query with its route. A part that was not to be judged is None. `right`: gate, type and range are."""

    id: str
    query: str
    part: str
    tags: tuple[str, ...]
    expected_type: QueryType | None
    query_type: QueryType | None  # None: the gate is closed
    confidence: float
    rule: str = ""  # what decided, for extractors that say so
    right: bool
    gate: bool
    type: bool | None = None
    range: bool | None = None
    attribute: bool | None = None
    aspects: bool | None = None
    facets: bool | None = None
    hints_expected: int = 0
    hints_found: int = 0
    hints_given: int = 0
    hints_fitting: int = 0
    wrong: tuple[str, ...] = ()  # what was expected and what came, in words


def judge(
    query: LabelledQuery, extraction: Extraction, zone: ZoneInfo, confidence_gate: float = 0.2, rule: str = ""
) -> JudgedRoute:
    """Compare one extraction with what was expected of it."""
    expected = query.expected
    is_open = extraction.should_search and extraction.confidence >= confidence_gate
    gate = is_open == expected.should_search
    judged: dict[str, object] = {}
    wrong = [] if gate else [f"gate {'open' if is_open else 'closed'}, expected the other"]
    if expected.query_type is not None:
        judged, more = _judge_open(query, expected, extraction, zone)
        wrong += more
    route_right = gate and judged.get("type", True) is not False and judged.get("range", True) is not False
    return JudgedRoute.model_validate(
        {
            "id": query.id,
            "query": query.query,
            "part": query.part,
            "tags": query.tags,
            "expected_type": expected.query_type,
            "query_type": extraction.query_type if is_open else None,
            "confidence": extraction.confidence,
            "rule": rule,
            "right": route_right,
            "gate": gate,
            "wrong": tuple(wrong),
            **judged,
        }
    )


def _judge_open(
    query: LabelledQuery, expected: ExpectedRoute, extraction: Extraction, zone: ZoneInfo
) -> tuple[dict[str, object], list[str]]:
    wrong: list[str] = []

    def check(part: str, is_right: bool, came: object, wanted: object) -> bool:
        if not is_right:
            wrong.append(f"{part} {came}, expected {wanted}")
        return is_right

    came = _range(query, extraction, zone)
    wanted = TimeRange(start=expected.start, end=expected.end)
    given = [_name(hint) for hint in extraction.entity_hints]
    names = [_name(hint) for hint in expected.entity_hints]
    found = [name for name in names if name in given]
    check("hints", len(found) == len(names), list(extraction.entity_hints), list(expected.entity_hints))
    judged: dict[str, object] = {
        "type": check("type", extraction.query_type is expected.query_type, extraction.query_type, expected.query_type),
        "range": check("range", _same(came, wanted), came and _shown(came), _shown(wanted)),
        "hints_expected": len(names),
        "hints_found": len(found),
        "hints_given": len(given),
        "hints_fitting": sum(name in names for name in given),
    }
    if expected.lookup_mode is not None:
        is_right = extraction.lookup_mode is expected.lookup_mode and (
            expected.lookup_mode is LookupMode.BROAD or _same_key(extraction.attribute_hint, expected.attribute_hint)
        )
        shown = (extraction.lookup_mode, extraction.attribute_hint)
        judged["attribute"] = check("attribute", is_right, shown, (expected.lookup_mode, expected.attribute_hint))
    if expected.aspects:
        is_right = bool(set(extraction.aspects) & set(expected.aspects))
        judged["aspects"] = check("aspects", is_right, _names(extraction.aspects), _names(expected.aspects))
    if expected.facets:
        every = set(Facet)
        is_right = set(extraction.facets or every) == set(expected.facets or every)
        judged["facets"] = check("facets", is_right, _names(extraction.facets), _names(expected.facets))
    return judged, wrong


def _range(query: LabelledQuery, extraction: Extraction, zone: ZoneInfo) -> TimeRange | None:
    try:
        return resolve(extraction.temporal, query.now.astimezone(zone), zone)
    except CoreSearchError:
        return None


def _same(came: TimeRange | None, wanted: TimeRange) -> bool:
    return came is not None and came.start == wanted.start and came.end == wanted.end


def _shown(time_range: TimeRange) -> str:
    return f"{time_range.start or '…'} to {time_range.end or '…'}"


def _names(values: Iterable[str]) -> str:
    return ", ".join(map(str, values)) or "none"


def _name(hint: str) -> str:
    """A hint as hints are compared: normalised, without its title."""
    return _TITLE.sub("", normalise(hint))


def _same_key(came: str | None, wanted: str | None) -> bool:
    """The same key, or one whose words hold all words of the other, as the look-up of attributes accepts it."""
    left, right = (set(re.findall(r"[^\W_]+", (key or "").casefold())) for key in (came, wanted))
    return bool(left and right) and (left <= right or right <= left)
