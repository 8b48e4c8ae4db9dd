"""One condition of one path, checked on one item: its two numbers, and the changes that would make it hold."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core_search.fate.report import Condition, ConditionName, Margin, Quantity
from core_search.fate.scene import Scene
from core_search.models import Aspect, Statement, is_current
from core_search.stores.base import Hit
from core_search.timeline import in_words
from core_search.trace import DropCode

Change = Mapping[str, Any]
RANKS_LOOKED_AT = 2_000  # how far down a path an item is looked for; no limit that people set is near it
_STEPS = 10_000  # in 1 of a threshold that is offered: short to read, rounded down so that the item reaches it

# The ledger's word for a condition that does not hold.
CODES: Mapping[ConditionName, DropCode] = {
    ConditionName.LABEL: DropCode.OUT_OF_SCOPE,
    ConditionName.ASPECT: DropCode.OUT_OF_SCOPE,
    ConditionName.END_USER: DropCode.OUT_OF_SCOPE,
    ConditionName.ENTITY: DropCode.OUT_OF_SCOPE,
    ConditionName.KIND: DropCode.OUT_OF_SCOPE,
    ConditionName.TIME: DropCode.OUTSIDE_TIME,
    ConditionName.VALIDITY: DropCode.INVALIDATED,
    ConditionName.SIMILARITY: DropCode.BELOW_THRESHOLD,
    ConditionName.RANK: DropCode.HANDLER_LIMIT,
}


@dataclass(frozen=True, slots=True)
class Check:
    """A checked condition. `names` are those of value and threshold; `fixes` are changes that make it hold alone."""

    path: str
    stage: str
    name: ConditionName
    holds: bool
    text: str
    value: Quantity = None
    threshold: Quantity = None
    names: tuple[str, str] = ("", "")
    fixes: tuple[Change, ...] = ()

    @property
    def condition(self) -> Condition:
        return Condition(
            path=self.path,
            condition=self.name,
            holds=self.holds,
            value=self.value,
            threshold=self.threshold,
            text=self.text,
        )

    @property
    def margin(self) -> Margin | None:
        if self.value is None and self.threshold is None:
            return None
        return Margin(name=" vs ".join(self.names), value=self.value, threshold=self.threshold)

    @property
    def gap(self) -> float:
        """How far the item is from holding, as a share of the threshold; 1 where there are no numbers to compare."""
        if isinstance(self.value, float | int) and isinstance(self.threshold, float | int):
            return min(1.0, abs(self.value - self.threshold) / max(abs(self.threshold), 0.01))
        return 1.0


@dataclass(frozen=True)
class PathChecks:
    """Checks of one path for one item: the conditions that paths share, each in one place."""

    scene: Scene
    path: str
    stage: str = "handle"

    def check(self, name: ConditionName, holds: bool, text: str, **rest: Any) -> Check:
        return Check(self.path, self.stage, name, holds, text, **rest)

    def did_not_run(self, reason: str, *fixes: Change) -> Check:
        """The path looks for no such items, or was skipped in this search."""
        return self.check(ConditionName.KIND, False, reason, fixes=fixes)

    def label(self, own: tuple[str, ...]) -> list[Check]:
        """One of the item's labels is one of those that scope the search; nothing to check without a scope."""
        scope = self.scene.routed.label_ids
        if not scope:
            return []
        holds = bool(set(own) & set(scope))
        has, wanted = self.scene.label_names(own), self.scene.label_names(scope)
        text = f"its labels are {has}, the search is scoped to {wanted}"
        fixes = () if holds else (*self._lower_label_threshold(own), *({"label_ids": (*scope, id_)} for id_ in own))
        names = ("labels", "label_ids")
        return [self.check(ConditionName.LABEL, holds, text, value=has, threshold=wanted, names=names, fixes=fixes)]

    def _lower_label_threshold(self, own: tuple[str, ...]) -> list[Change]:
        """The threshold that the best of the labels reaches, where it was the threshold that kept them out."""
        ledger = self.scene.result.trace.stage("route").ledger
        cosines = [e.scores["cosine"] for e in ledger if e.id in own and e.code is DropCode.BELOW_THRESHOLD]
        return [{"label_threshold": rounded_down(max(cosines))}] if cosines else []

    def time(self, *instants: datetime, what: str = "it happened") -> list[Check]:
        """One of the instants lies in the range of the search; nothing to check when that is open."""
        scope = self.scene.routed.time
        if scope.is_open:
            return []
        zone = self.scene.context.stores.zone
        holds = any(instant in scope for instant in instants)
        first = instants[0].astimezone(zone) if instants else None
        shown = first.isoformat() if first else None
        border = scope.start if first and scope.start and first < scope.start else scope.end or scope.start
        text = f"{what} on {first:%Y-%m-%d}" if first else "it has no instant of its own"
        return [
            self.check(
                ConditionName.TIME,
                holds,
                f"{text}; the search asks for {in_words(scope, zone)}",
                value=shown,
                threshold=border.isoformat() if border else None,
                names=("validAt", "start" if border is scope.start else "end"),
                fixes=(self._widened(first),) if first and not holds else (),
            )
        ]

    def _widened(self, instant: datetime) -> Change:
        """The range of the search, widened to the whole local day of the instant; the other border stays."""
        scope, day = self.scene.routed.time, instant.date().isoformat()
        start = scope.start.isoformat() if scope.start else None
        end = scope.end.isoformat() if scope.end else None
        if scope.start and instant < scope.start:
            start = day
        else:
            end = day
        return {key: value for key, value in (("start", start), ("end", end)) if value}

    def end_user(self, users: Iterable[str]) -> list[Check]:
        """The item belongs to one of the end users that were asked for."""
        wanted, own = self.scene.routed.end_user_ids, sorted(set(users))
        if not wanted:
            return []
        holds = bool(set(own) & set(wanted))
        shown = ", ".join(user or "nobody" for user in own) or "nobody"
        text = f"it belongs to {shown}, the search asks for {', '.join(wanted)}"
        fixes = tuple({"end_user_ids": (*wanted, user)} for user in own if user) or ({"end_user_ids": ()},)
        names = ("end user", "end_user_ids")
        return [
            self.check(
                ConditionName.END_USER,
                holds,
                text,
                value=shown,
                threshold=", ".join(wanted),
                names=names,
                fixes=() if holds else fixes,
            )
        ]

    def aspect(self, own: Iterable[Aspect], wanted: Sequence[Aspect], whose: str = "its statements are") -> Check:
        own = sorted(set(own))
        holds = bool(set(own) & set(wanted)) if wanted else bool(own)
        has, asked = ", ".join(own) or "none", ", ".join(sorted(wanted)) or "any"
        text = f"{whose} {has}, the search asks for {asked}"
        names = ("aspects", "wanted aspects")
        return self.check(ConditionName.ASPECT, holds, text, value=has, threshold=asked, names=names)

    def validity(self, statements: Sequence[Statement]) -> Check:
        """One of the statements still holds at the instant of the search."""
        at = self.scene.routed.at
        holds = any(is_current(statement.invalid_at, at) for statement in statements)
        ends = [statement.invalid_at for statement in statements if statement.invalid_at]
        last = max(ends, default=None)
        text = "it holds" if holds else f"it holds no more since {last:%Y-%m-%d}" if last else "no statement bears it"
        return self.check(
            ConditionName.VALIDITY,
            holds,
            text,
            value=last.isoformat() if last else None,
            threshold=at.isoformat(),
            names=("invalidAt", "now"),
        )

    def similarity(self, cosine: float | None, setting: str) -> Check:
        """The cosine of the item to the query reaches the threshold of that name."""
        threshold = float(getattr(self.scene.options, setting))
        if cosine is None:
            return self.check(ConditionName.SIMILARITY, False, "it has no vector", threshold=threshold)
        holds = cosine >= threshold
        return self.check(
            ConditionName.SIMILARITY,
            holds,
            f"its similarity {cosine:.3f} {'reaches' if holds else 'is under'} {setting} {threshold:g}",
            value=cosine,
            threshold=threshold,
            names=("cosine", setting),
            fixes=() if holds else ({setting: rounded_down(cosine)},),
        )

    def rank(self, rank: int | None, setting: str) -> Check:
        """The rank that the item has, or would have, on this path against the number of items that it keeps."""
        limit = int(getattr(self.scene.options, setting))
        if rank is None or rank > RANKS_LOOKED_AT:
            text = f"it is not among the first {RANKS_LOOKED_AT:,}; {setting} keeps {limit}"
            return self.check(ConditionName.RANK, False, text, threshold=limit, names=("rank", setting))
        holds = rank <= limit
        return self.check(
            ConditionName.RANK,
            holds,
            f"it would be number {rank}; {setting} keeps {limit}",
            value=rank,
            threshold=limit,
            names=("rank", setting),
            fixes=() if holds else ({setting: rank},),
        )


def place_by_time(hits: Sequence[Hit], id_: str, instant: datetime) -> int:
    """The rank from 1 of an item among hits that stand newest first; where it is none, the one it would have."""
    at = next((place for place, hit in enumerate(hits, 1) if hit.id == id_), None)
    return at if at is not None else 1 + sum(hit.valid_at > instant for hit in hits)


def rounded_down(value: float) -> float:
    """A threshold that the value reaches, in few digits."""
    return math.floor(value * _STEPS) / _STEPS
