"""How well an extractor routes labelled queries: accuracies, confusion of types, reliability of the confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from core_search.evaluation.labelled_queries import LabelledQuery
from core_search.evaluation.route_judgment import CLOSED, JudgedRoute, judge
from core_search.evaluation.router_tables import report_as_text
from core_search.models import MatchedLabel, Value
from core_search.providers.base import ExtractionAnswer, Extractor, KnownNames, Question
from core_search.router.rules.dates import read_dates
from core_search.stores.base import Progress

# Ten bins of equal width, as in Guo et al., "On Calibration of Modern Neural Networks" (2017).
BINS = 10

MatchLabels = Callable[[str], Sequence[MatchedLabel]]


class Share(Value):
    """How many of how many; `value` is None when there are none."""

    right: int
    of: int

    @property
    def value(self) -> float | None:
        return self.right / self.of if self.of else None


class Accuracy(Value):
    """The accuracies over some queries. Hint recall and precision count hints, everything else queries."""

    queries: int
    gate: Share
    type: Share
    range: Share
    attribute: Share
    hint_recall: Share
    hint_precision: Share
    aspects: Share
    facets: Share
    route: Share  # gate, type and range all right


class ReliabilityBin(Value):
    """The queries whose confidence lies in [low, high), the last bin including 1."""

    low: float
    high: float
    queries: int
    confidence: float  # the mean
    right: float  # the share of right routes


class PartReport(Value):
    """One part of the labelled queries. `confusion` counts by expected type, then by the type that came."""

    part: str
    accuracy: Accuracy
    confusion: dict[str, dict[str, int]]
    reliability: tuple[ReliabilityBin, ...]
    calibration_error: float  # expected calibration error, 0 to 1
    by_rule: dict[str, Share]  # right routes by what decided; empty for extractors that do not say it


class RouterReport(Value):
    extractor: str
    model: str
    parts: tuple[PartReport, ...]
    by_tag: dict[str, Accuracy]
    routes: tuple[JudgedRoute, ...]

    def part(self, name: str) -> PartReport | None:
        """The part of that name; `all` is every query."""
        return next((part for part in self.parts if part.part == name), None)

    def wire(self) -> dict[str, Any]:
        """Plain JSON data; shares carry their value as well."""
        data: dict[str, Any] = _with_values(super().wire())
        return data

    def as_text(self) -> str:
        """The report as tables for a terminal."""
        return report_as_text(self)


def report_router(
    extractor: Extractor,
    queries: Iterable[LabelledQuery],
    *,
    zone: ZoneInfo,
    names: KnownNames | None = None,
    match_labels: MatchLabels | None = None,
    confidence_gate: float = 0.2,
    progress: Progress | None = None,
) -> RouterReport:
    """Route every query with `extractor` and judge what came.

    `match_labels` gives the labels near a text (the query without its date words), as stage 1 does.
    """
    judged = []
    every = tuple(queries)
    for number, query in enumerate(every, 1):
        now = query.now.astimezone(zone)
        text = read_dates(query.query, now).text_without_dates or query.query
        labels = tuple(match_labels(text)) if match_labels else ()
        answer = extractor.extract(Question(query.query, now, zone.key, labels, names))
        judged.append(judge(query, answer.extraction, zone, confidence_gate, _rule(answer)))
        if progress:
            progress("route", number, len(every))
    return summarise(extractor.name, extractor.model, judged)


def summarise(extractor: str, model: str, routes: Sequence[JudgedRoute]) -> RouterReport:
    """The report over judged routes: all of them, then each part and each tag apart."""
    parts = sorted({route.part for route in routes if route.part})
    tags = sorted({tag for route in routes for tag in route.tags})
    return RouterReport(
        extractor=extractor,
        model=model,
        parts=(
            _part("all", routes),
            *(_part(part, [route for route in routes if route.part == part]) for part in parts),
        ),
        by_tag={tag: accuracy_of([route for route in routes if tag in route.tags]) for tag in tags},
        routes=tuple(routes),
    )


def accuracy_of(routes: Sequence[JudgedRoute]) -> Accuracy:
    def share(part: str) -> Share:
        judged = [value for route in routes if (value := getattr(route, part)) is not None]
        return Share(right=sum(judged), of=len(judged))

    def hints(found: str, of: str) -> Share:
        return Share(right=sum(getattr(r, found) for r in routes), of=sum(getattr(r, of) for r in routes))

    return Accuracy(
        queries=len(routes),
        gate=share("gate"),
        type=share("type"),
        range=share("range"),
        attribute=share("attribute"),
        hint_recall=hints("hints_found", "hints_expected"),
        hint_precision=hints("hints_fitting", "hints_given"),
        aspects=share("aspects"),
        facets=share("facets"),
        route=share("right"),
    )


def _part(name: str, routes: Sequence[JudgedRoute]) -> PartReport:
    bins = reliability_of(routes)
    error = sum(bin.queries * abs(bin.confidence - bin.right) for bin in bins) / len(routes) if routes else 0.0
    return PartReport(
        part=name,
        accuracy=accuracy_of(routes),
        confusion=_confusion(routes),
        reliability=bins,
        calibration_error=error,
        by_rule=_by_rule(routes),
    )


def reliability_of(routes: Sequence[JudgedRoute]) -> tuple[ReliabilityBin, ...]:
    """The bins that hold any query, lowest confidence first."""
    members: dict[int, list[JudgedRoute]] = {}
    for route in routes:
        members.setdefault(min(int(route.confidence * BINS), BINS - 1), []).append(route)
    return tuple(
        ReliabilityBin(
            low=number / BINS,
            high=(number + 1) / BINS,
            queries=len(inside),
            confidence=sum(route.confidence for route in inside) / len(inside),
            right=sum(route.right for route in inside) / len(inside),
        )
        for number, inside in sorted(members.items())
    )


def _confusion(routes: Sequence[JudgedRoute]) -> dict[str, dict[str, int]]:
    counts = Counter((route.expected_type or CLOSED, route.query_type or CLOSED) for route in routes)
    table: dict[str, dict[str, int]] = {}
    for (expected, came), count in sorted(counts.items()):
        table.setdefault(str(expected), {})[str(came)] = count
    return table


def _rule(answer: ExtractionAnswer) -> str:
    """The name of the rule, without what is said after a colon."""
    return str(answer.detail.get("rule", "")).partition(":")[0]


def _by_rule(routes: Sequence[JudgedRoute]) -> dict[str, Share]:
    rules = sorted({route.rule for route in routes if route.rule})
    groups = {rule: [route.right for route in routes if route.rule == rule] for rule in rules}
    return {rule: Share(right=sum(rights), of=len(rights)) for rule, rights in groups.items()}


def _with_values(data: Any) -> Any:
    if isinstance(data, dict):
        if set(data) == {"right", "of"}:
            return {**data, "value": data["right"] / data["of"] if data["of"] else None}
        return {key: _with_values(value) for key, value in data.items()}
    return [_with_values(value) for value in data] if isinstance(data, list) else data
