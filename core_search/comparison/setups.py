"""What was asked otherwise: differences in question, configuration, model and data, before any result is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from core_search.comparison.side import Side, value_in_words
from core_search.models import Value
from core_search.options import SearchOptions


class Area(StrEnum):
    QUESTION = "question"
    CONFIGURATION = "configuration"
    MODEL = "model"
    DATA = "data"


class SetupDifference(Value):
    """One thing that is not the same on all sides, with its value on each."""

    area: Area
    name: str
    values: tuple[str, ...]


def setup_differences(sides: Sequence[Side]) -> tuple[SetupDifference, ...]:
    """Everything that differs, in the order question, configuration, model, data."""
    options: list[tuple[str, Callable[[Side], object]]] = [
        (name, lambda side, name=name: getattr(side.options, name))  # type: ignore[misc]
        for name in SearchOptions.model_fields
    ]
    parts = list(dict.fromkeys(part for side in sides for part in side.providers))
    wanted: list[tuple[Area, str, Callable[[Side], object]]] = [
        (Area.QUESTION, "query", lambda side: side.query),
        (Area.QUESTION, "as of", lambda side: side.now),
        *((Area.CONFIGURATION, name, read) for name, read in options),
        (Area.CONFIGURATION, "extraction", _extraction),
        (Area.CONFIGURATION, "gate", _gate),
        *((Area.MODEL, part, lambda side, part=part: side.providers.get(part, "unknown")) for part in parts),
        (Area.DATA, "workspace", lambda side: side.workspace),
        (Area.DATA, "data", lambda side: side.fingerprint[:12] or "unknown"),
    ]
    found = []
    for area, name, read in wanted:
        values = [read(side) for side in sides]
        if any(value != values[0] for value in values[1:]):
            found.append(SetupDifference(area=area, name=name, values=tuple(map(value_in_words, values))))
    return tuple(found)


def _extraction(side: Side) -> str:
    """Whether somebody gave the extraction by hand."""
    step = side.trace.stage("route").step("extract")
    return "given by hand" if step and step.detail.get("extractor") == "caller" else "made from the query"


def _gate(side: Side) -> str:
    """Whether the gate was forced: it decided otherwise than the route says."""
    if side.result is None:
        return "as the route says"
    gate = side.result.gate
    unforced = side.result.router.should_search and gate.confidence >= gate.threshold
    if gate.open == unforced:
        return "as the route says"
    return "forced open" if gate.open else "forced shut"
