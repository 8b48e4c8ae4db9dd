"""The card before, after it was judged: where it stood, what others said, what a model proposed.

Nothing of this is read from the database before the reviewer has judged the card.
"""

from __future__ import annotations

import streamlit as st

from core_search.judgments.pooling import Place
from core_search.judgments.values import Grade, ItemKey, Verdict
from core_search.trace import DropCode
from core_search.ui import markup, safe_text
from core_search.ui.review.desk import Desk
from core_search.ui.review.review import Review
from core_search.ui.theme import CODE_WORDS, STAGE_TITLES

EXCERPT = 160


def card_before(review: Review, desk: Desk) -> None:
    key = desk.last
    if key is None or not (mine := desk.mine.get(key)) or not mine.judged:
        return
    with st.container(key="card_before"):
        st.html(markup.caption("the card before"))
        text = desk.text(key)
        st.html(f'<div class="rv-excerpt">{safe_text.span(text.title or text.text, length=EXCERPT)}</div>')
        st.html(markup.facts(_rows(review, desk, key, mine)))


def _rows(review: Review, desk: Desk, key: ItemKey, mine: Grade) -> list[tuple[str, str]]:
    rows = [("you", said(review, mine))]
    known = {place.configuration: place for place in desk.item(key).places}
    for configuration in desk.pool.spec.configurations:
        rows.append((configuration.name, place_words(known.get(configuration.name), desk.pool.spec.depth)))
    for other in review.store.grades.of_card(desk.query_set.id, key):
        if other.reviewer != desk.reviewer and other.judged:
            rows.append((other.reviewer, said(review, other)))
    for proposal in review.store.proposals.of_card(desk.query_set.id, key):
        rows.append((f"proposed by {proposal.model}", f"{review.label(proposal.grade)}: {proposal.reason}"))
    return rows


def said(review: Review, grade: Grade) -> str:
    """A judgment in words."""
    note = f" · note: {grade.note}" if grade.note else ""
    if grade.verdict is Verdict.GRADED and grade.grade is not None:
        return review.label(grade.grade) + note
    return f"cannot judge: {grade.reason}{note}"


def place_words(place: Place | None, depth: int) -> str:
    """Where a configuration had an item."""
    if place is None:
        return f"not among the first {depth}"
    score = f" · {place.score_name} {place.score:.3f}" if place.score is not None and place.score_name else ""
    if place.rank is not None:
        return f"rank {place.rank}{score}"
    stage = STAGE_TITLES.get(place.stage or "", place.stage or "")
    return f"dropped in {stage}: {CODE_WORDS[DropCode(place.code)] if place.code else ''}{score}"
