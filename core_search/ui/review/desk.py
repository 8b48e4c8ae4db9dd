"""The desk of one reviewer: the cards in their order, what was said of them, and which one lies on top.

It lives in the session and is rebuilt from the database at any time: every press is kept there first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from core_search.engine import SearchEngine
from core_search.judgments.pooling import Pool, PoolItem, shuffled
from core_search.judgments.store import JudgmentStore
from core_search.judgments.texts import CardText, texts_of
from core_search.judgments.values import Grade, ItemKey, QuerySet, Verdict
from core_search.models import ItemKind

DESK = "review_desk"
POOLS_IN_MEMORY = 8  # texts that all sessions share; a pool of 1,000 items takes about a megabyte


@dataclass
class Desk:
    """`asking` is what the card waits for: a reason, a note, or nothing. `last` was judged before this card."""

    pool: Pool
    query_set: QuerySet
    reviewer: str
    order: list[PoolItem]
    texts: dict[tuple[ItemKind, str], CardText]
    mine: dict[ItemKey, Grade]
    current: ItemKey | None = None
    last: ItemKey | None = None
    asking: str = ""
    problem: str = ""
    turn: int = 0  # how often it was drawn
    places: dict[ItemKey, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = {item.key: place for place, item in enumerate(self.order)}
        self.current = self.next()

    def item(self, key: ItemKey) -> PoolItem:
        return self.order[self.places[key]]

    def text(self, key: ItemKey) -> CardText:
        return self.texts[key.kind, key.item_id]

    def verdict(self, key: ItemKey) -> Verdict:
        said = self.mine.get(key)
        return said.verdict if said else Verdict.OPEN

    @property
    def judged(self) -> int:
        return sum(1 for item in self.order if (said := self.mine.get(item.key)) and said.judged)

    @property
    def skipped(self) -> int:
        return sum(1 for item in self.order if self.verdict(item.key) is Verdict.SKIPPED)

    def next(self) -> ItemKey | None:
        """The first card that nothing was said of; then those that were skipped, the longest ago first."""
        for item in self.order:
            if self.verdict(item.key) is Verdict.OPEN:
                return item.key
        skipped = [said for item in self.order if (said := self.mine.get(item.key)) and not said.judged]
        return min(skipped, key=lambda said: said.at).key if skipped else None

    def said(self, grade: Grade) -> None:
        """Take over what was kept, and lay the next card on top."""
        self.mine[grade.key] = grade
        self.asking = ""
        if grade.judged:
            self.last = grade.key
        self.current = self.next()

    def undone(self, key: ItemKey, before: Grade | None) -> None:
        """Lay the card of an undone press on top again, as it was before."""
        if before is None:
            self.mine.pop(key, None)
        else:
            self.mine[key] = before
        self.asking, self.last = "", None
        if key in self.places:
            self.current = key


def desk_of(engine: SearchEngine, store: JudgmentStore, query_set: QuerySet, pool: Pool, who: str, seed: int) -> Desk:
    """The desk of this session, laid anew when something else was chosen."""
    name = (pool.id, who, seed, query_set)
    known: tuple[object, Desk] | None = st.session_state.get(DESK)
    if known is not None and known[0] == name:
        return known[1]
    texts = _texts(pool.id, engine.folder(query_set.workspace).meta().fingerprint, query_set.workspace, engine, pool)
    items = [item for item in pool.items if (item.kind, item.item_id) in texts]
    order = shuffled(items, query_set.queries, seed)
    desk = Desk(pool, query_set, who, order, texts, store.grades.of_reviewer(query_set.id, who))
    st.session_state[DESK] = (name, desk)
    return desk


def forget_desk() -> None:
    st.session_state.pop(DESK, None)


def _fetch(
    pool_id: str, fingerprint: str, workspace: str, _engine: SearchEngine, _pool: Pool
) -> dict[tuple[ItemKind, str], CardText]:
    return texts_of(_engine, workspace, {(item.kind, item.item_id) for item in _pool.items})


_texts = st.cache_resource(show_spinner=False, max_entries=POOLS_IN_MEMORY)(_fetch)
