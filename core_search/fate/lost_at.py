"""At which stage an item was lost: decided here alone, for one item's fate and for the losses of a query set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core_search.fate.checks import CODES, Check
from core_search.fate.ledger import Way, last_of
from core_search.fate.remedy import nearest_miss
from core_search.fate.report import ConditionName
from core_search.results import SearchResult
from core_search.trace import DropCode, Entry, Fate

# What the route decided and the handler only kept to.
_SCOPE = (ConditionName.LABEL, ConditionName.TIME, ConditionName.END_USER)


@dataclass(frozen=True, slots=True)
class LostAt:
    """The stage that the item did not leave. `entry` is its ledger's; an item that no stage saw has a `check` instead.

    Without a code every condition holds, and the vector search, which is approximate, passed the item by.
    """

    stage: str
    code: DropCode | None
    entry: Entry | None = None
    check: Check | None = None

    @property
    def decided_by(self) -> str:
        """The stage to mend: what lies outside of its scope, the handler left out, but the route shut out."""
        by_scope = self.check.name in _SCOPE if self.check else self.code is DropCode.OUTSIDE_TIME
        return "route" if by_scope else self.stage


def lost_at(result: SearchResult, way: Way, checks: Callable[[], Sequence[Check]]) -> LostAt:
    """Where an item that is not in the result was lost. `checks`, at least the handler's, are for what no stage saw."""
    if not result.gate.open:
        return LostAt("gate", DropCode.GATE_CLOSED)
    stage, entry = last_of(way)
    if entry is not None and entry.fate is Fate.DROPPED:
        return LostAt(stage, entry.code, entry=entry)
    of_paths = checks()
    # The backstop and the fallback come after the handler: they mend its losses and have none of their own.
    of_handler = [check for check in of_paths if check.stage == "handle"]
    missed = scope_miss(of_handler) or nearest_miss(of_handler) or nearest_miss(of_paths)
    return LostAt(missed.stage, CODES[missed.name], check=missed) if missed else LostAt("handle", None)


def scope_miss(checks: Iterable[Check]) -> Check | None:
    """The first condition of the route's scope that does not hold."""
    return next((check for check in checks if check.name in _SCOPE and not check.holds), None)
