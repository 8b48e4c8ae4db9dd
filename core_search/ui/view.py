"""A run as the stage views see it: what was kept, what its ids stand for, and what both say together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cached_property
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from core_search.errors import CoreSearchError, UsageError
from core_search.models import ItemKind, QueryType, RouterOutput, TemporalType, TimeRange
from core_search.options import SearchOptions
from core_search.records import RunRecord
from core_search.results import GateDecision, SearchResult
from core_search.timeline import DEFAULT_DAYS, moment_range, resolve
from core_search.trace import Entry, Stage, Status, Trace
from core_search.ui.charts.network import Edge, Node
from core_search.ui.items import Items
from core_search.ui.touched import neighbourhood


@dataclass(frozen=True)
class View:
    run: RunRecord
    items: Items

    @property
    def trace(self) -> Trace:
        return self.run.trace

    @property
    def result(self) -> SearchResult | None:
        return self.run.result

    @property
    def options(self) -> SearchOptions:
        return self.run.options

    def stage(self, name: str) -> Stage:
        return self.trace.stage(name)

    @cached_property
    def failed_stage(self) -> Stage | None:
        """The stage that ended the search; a reranker that failed only degrades it."""
        if self.result is not None:
            return None
        return next((stage for stage in self.trace.stages if stage.status is Status.FAILED), None)

    @cached_property
    def router(self) -> RouterOutput | None:
        """What the query was understood as; None when routing failed."""
        if self.result is not None:
            return self.result.router
        step = self.stage("route").step("extract")
        try:
            return RouterOutput.model_validate(step.detail["output"]) if step else None
        except (KeyError, ValidationError):
            return None

    @cached_property
    def gate(self) -> GateDecision | None:
        if self.result is not None:
            return self.result.gate
        step = self.stage("gate").step("decide")
        try:
            return GateDecision.model_validate({k: v for k, v in step.detail.items() if k in _GATE}) if step else None
        except ValidationError:
            return None

    @cached_property
    def now(self) -> datetime:
        return (self.run.now or self.trace.started_at).astimezone(self.zone)

    @cached_property
    def zone(self) -> tzinfo:
        """The memory's time zone when it is here, else the offset that the run was made with."""
        try:
            return ZoneInfo(self.items.engine.folder(self.run.head.workspace).meta().header.timezone)
        except CoreSearchError:
            return (self.run.now or self.trace.started_at).tzinfo or UTC

    @cached_property
    def time(self) -> TimeRange:
        """The range that was searched in."""
        if self.router is None:
            return TimeRange()
        zone = self.zone if isinstance(self.zone, ZoneInfo) else ZoneInfo("UTC")
        try:
            if self.options.start is not None or self.options.end is not None:
                return moment_range(self.options.start, self.options.end, zone)
            found = resolve(self.router.temporal, self.now, zone)
            if self.router.query_type is QueryType.TEMPORAL and found.is_open:
                last_days = self.router.temporal.model_copy(update={"type": TemporalType.RECENT, "days": DEFAULT_DAYS})
                found = resolve(last_days, self.now, zone)
        except UsageError:
            return TimeRange()
        return found

    @cached_property
    def returned(self) -> tuple[tuple[ItemKind, str], ...]:
        """What the answer ranks, best first."""
        if self.result is None:
            return ()
        episodes = [(ItemKind(episode.kind), episode.uuid) for episode in self.result.episodes]
        return (*episodes, *((ItemKind.STATEMENT, statement.uuid) for statement in self.result.statements))

    @cached_property
    def touched(self) -> tuple[list[Node], list[Edge], int]:
        """The part of the graph around this search; made once, it asks the memory a few hundred small questions."""
        return neighbourhood(self)

    def path(self, kind: ItemKind, item_id: str) -> list[tuple[Stage, Entry]]:
        """Every ledger line of one item, in the order of the stages."""
        return self._paths.get((kind, item_id), [])

    @cached_property
    def _paths(self) -> dict[tuple[ItemKind, str], list[tuple[Stage, Entry]]]:
        paths: dict[tuple[ItemKind, str], list[tuple[Stage, Entry]]] = {}
        for stage in self.trace.stages:
            for entry in stage.ledger:
                paths.setdefault((entry.kind, entry.id), []).append((stage, entry))
        return paths


_GATE = frozenset(field.alias or name for name, field in GateDecision.model_fields.items())
