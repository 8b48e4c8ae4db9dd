"""The memory on the page: its stores for this pass, and the long lists that are read once a generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

import streamlit as st

from core_search import browse
from core_search.browse import EntityRow, TimeLine, Unit
from core_search.context import MemoryStores
from core_search.engine import OpenMemory
from core_search.models import Aspect, Statement, is_current
from core_search.stores.base import GraphStore, SessionSummary
from core_search.ui import session

Value = TypeVar("Value")
KEPT = 24  # lists that all sessions share; the largest has a row an entity


@dataclass(frozen=True)
class MemoryView:
    """One opened memory, as of its own clock."""

    memory: OpenMemory

    @property
    def stores(self) -> MemoryStores:
        return self.memory.stores

    @property
    def graph(self) -> GraphStore:
        return self.memory.stores.graph

    @cached_property
    def now(self) -> datetime:
        return session.clock(self.memory)

    @cached_property
    def label_names(self) -> dict[str, str]:
        return {label.id: label.name for label in self.stores.labels}

    def names_of_labels(self, label_ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.label_names.get(label_id, label_id) for label_id in label_ids)

    def holds(self, statement: Statement) -> bool:
        return is_current(statement.invalid_at, self.now)

    def when(self, instant: datetime | None, form: str = "%Y-%m-%d %H:%M") -> str:
        """The instant in the memory's local time; nothing for none."""
        return browse.local(instant, self.stores.zone).strftime(form) if instant else ""

    # A generation never changes: what was read of it once holds.

    def counts(self) -> dict[str, int]:
        return self._once("counts", lambda: self.graph.counts())

    def entities(self) -> tuple[EntityRow, ...]:
        return self._once("entities", lambda: browse.entity_rows(self.stores))

    def sessions(self) -> tuple[SessionSummary, ...]:
        return self._once("sessions", lambda: tuple(self.graph.sessions()))

    def label_sizes(self) -> dict[str, tuple[int, int]]:
        return self._once("label sizes", lambda: self.graph.label_sizes())

    def aspects(self) -> dict[Aspect, tuple[int, int]]:
        return self._once(f"aspects at {self.now.isoformat()}", lambda: self.graph.statement_counts(self.now))

    def time_line(self, unit: Unit) -> TimeLine:
        days = self._once("time line", lambda: browse.time_line(self.stores))
        return days if unit is Unit.DAY else self._once(f"time line by {unit}", lambda: days.by(unit))

    def _once(self, what: str, read: Callable[[], Value]) -> Value:
        value: Value = _kept(str(self.memory.generation), what, read)
        return value


def _read(generation: str, what: str, _read: Callable[[], Value]) -> Value:
    return _read()


_kept = st.cache_resource(show_spinner=False, max_entries=KEPT)(_read)
