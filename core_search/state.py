"""What is known between two stages of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core_search.context import Routed, Row
from core_search.errors import UsageError
from core_search.handlers.answer import Handled
from core_search.models import Document, Episode, ItemKind
from core_search.results import BudgetResult, GateDecision


@dataclass(frozen=True)
class State:
    """`rows` are the items that are still in the race, best first; `handled` has what stands beside them."""

    routed: Routed | None = None
    gate: GateDecision | None = None
    handled: Handled = field(default_factory=Handled)
    rows: tuple[Row, ...] = ()
    texts: Mapping[tuple[ItemKind, str], Episode | Document] = field(default_factory=dict)
    budget: BudgetResult | None = None
    degraded: tuple[str, ...] = ()

    @property
    def route(self) -> Routed:
        if self.routed is None:
            raise UsageError("this search has no route yet; start it from the stage 'route'")
        return self.routed
