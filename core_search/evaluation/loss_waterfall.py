"""The loss waterfall: how far each relevant item came, for one query or for a set.

Levels, in the order of the pipeline:

- `relevant`: judged relevant; `in_memory`: the memory has it
- `reachable`: the gate is open, and labels and time of the route do not shut it out
- `candidates`: a path of the handler or the backstop came upon it
- `merged`: it reached the reranker; `ranked`: relevance floor and limit kept it
- `returned`: compaction and the token budget kept it

An item that only the backstop brought counts at every level that it passed, and is counted apart as `rescued`: a
wrong label that the backstop made good is no loss, but it is not the route's merit either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pydantic import Field

from core_search.evaluation.evaluated_query import EvaluatedQuery
from core_search.evaluation.losses import LEVELS
from core_search.models import Value


class RelevantItem(Value):
    """One relevant item of one query. `stage` and `code` say what lost it; both are empty when it was returned."""

    key: str  # of the query
    item: str
    grade: int
    reached: str  # the last level
    rescued: bool = False
    stage: str = ""
    code: str = ""
    rank: int | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    text: str = ""


class Level(Value):
    """How many items are left, how many of them only the backstop brought, and what was lost since the level before."""

    name: str
    left: int
    rescued: int
    lost: dict[str, int]  # by code, most first


class LossWaterfall(Value):
    levels: tuple[Level, ...]
    items: tuple[RelevantItem, ...]

    def left_at(self, level: str) -> tuple[RelevantItem, ...]:
        """The items that came at least that far."""
        place = LEVELS.index(level)
        return tuple(item for item in self.items if LEVELS.index(item.reached) >= place)

    def lost_before(self, level: str, code: str = "") -> tuple[RelevantItem, ...]:
        """The items that the step to that level lost, by `code` alone when it is given."""
        before = LEVELS[LEVELS.index(level) - 1] if level != LEVELS[0] else ""
        return tuple(item for item in self.items if item.reached == before and code in ("", item.code))

    @property
    def lost(self) -> tuple[RelevantItem, ...]:
        return tuple(item for item in self.items if item.reached != LEVELS[-1])


def loss_waterfall(queries: Iterable[EvaluatedQuery]) -> LossWaterfall:
    """The waterfall of some queries, every relevant item counting the same. Levels never rise."""
    items = tuple(item for query in queries for item in items_of(query))
    levels = []
    for place, name in enumerate(LEVELS):
        left = [item for item in items if LEVELS.index(item.reached) >= place]
        lost = Counter(item.code for item in items if place and item.reached == LEVELS[place - 1])
        rescued = sum(item.rescued for item in left) if place >= LEVELS.index("candidates") else 0
        levels.append(Level(name=name, left=len(left), rescued=rescued, lost=dict(lost.most_common())))
    return LossWaterfall(levels=tuple(levels), items=items)


def items_of(query: EvaluatedQuery) -> list[RelevantItem]:
    """The relevant items of one query, best grade first; none when nothing is relevant."""
    losses = query.losses
    if losses is None:
        return []
    grades, rescued = query.outcome.grades, set(losses.rescued)
    found = [
        RelevantItem(key=query.key, item=item, grade=grades.get(item, 0), reached=LEVELS[-1], rescued=item in rescued)
        for item in losses.returned
    ]
    for loss in losses.lost:
        found.append(
            RelevantItem(
                key=query.key,
                item=loss.item,
                grade=loss.grade,
                reached=loss.reached,
                rescued=loss.item in rescued,
                stage=loss.stage,
                code=loss.code,
                rank=loss.rank,
                scores=loss.scores,
                text=loss.text,
            )
        )
    return sorted(found, key=lambda item: (-item.grade, item.item))
