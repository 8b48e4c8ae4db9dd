"""What is said of one item and one search: the JSON of SPEC 4, "Fate"."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import Field

from core_search.models import ItemKind, Value
from core_search.trace import DropCode, Fate


class Verdict(StrEnum):
    """Every stored item has exactly one; `not_stored` and `lookup_failed` are for ids that are not found."""

    RETURNED = "returned"
    DROPPED = "dropped"
    NEVER_CANDIDATE = "never_candidate"
    GATE_CLOSED = "gate_closed"
    NOT_STORED = "not_stored"
    LOOKUP_FAILED = "lookup_failed"


class ConditionName(StrEnum):
    """What a path asks of an item. `kind`: whether the path searches items of that kind at all, or ran."""

    LABEL = "label"
    ASPECT = "aspect"
    TIME = "time"
    VALIDITY = "validity"
    SIMILARITY = "similarity"
    RANK = "rank"
    END_USER = "end_user"
    ENTITY = "entity"
    KIND = "kind"


Quantity = int | float | str | None  # a number, or an instant as ISO 8601 text


class Condition(Value):
    """One condition of one path, checked on the item. `value` is the item's, `threshold` what was asked for."""

    path: str
    condition: ConditionName
    holds: bool
    value: Quantity = None
    threshold: Quantity = None
    text: str


class Margin(Value):
    """The two numbers that decided; `name` names both, as in `rerank vs rerank_floor`."""

    name: str
    value: Quantity
    threshold: Quantity


class PathStage(Value):
    """One stage on the item's way. `rank` is the one it left with, or came in with when it was dropped."""

    stage: str
    fate: Fate
    rank: int | None
    scores: dict[str, float]


class Remedy(Value):
    """A change that was run and brings the item back, as `forks.fork` takes it.

    `set` has settings by name, or `query_type` (another handler for the same extraction) or `force_gate`. It has more
    than one change only when none is enough alone; a time range is one change of two settings. `also_changes` counts
    the other items of the answer that come or go with it.
    """

    set: dict[str, Any]
    returned_at: int
    also_changes: int


class Item(Value):
    """`kind` is None for an id that no kind of item has."""

    id: str
    kind: ItemKind | None


class ItemFate(Value):
    """Why an item is, or is not, in a result. `stage` and `code` say where it left and why.

    `rank` counts from 1 in its list of the answer. `conditions` are checked for items that no path came upon.
    """

    item: Item
    verdict: Verdict
    stage: str | None = None
    code: DropCode | None = None
    rank: int | None = None
    margin: Margin | None = None
    path: tuple[PathStage, ...] = ()
    conditions: tuple[Condition, ...] = Field(default=())
    remedy: Remedy | None = None
    text: str
