"""The queue of disagreements: what reviewers see differently, widest apart first, and the grade that shall count."""

from __future__ import annotations

import html

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.agreement import Disagreement, disagreements
from core_search.judgments.texts import texts_of
from core_search.judgments.values import GRADES, ItemKey, Settled, reviewer_name
from core_search.ui import markup, safe_text
from core_search.ui.review.before import said
from core_search.ui.review.choices import REVIEWER, chosen
from core_search.ui.review.review import Review

PROBLEM, PLACE = "settle_problem", "settle_place"


def _queue(review: Review) -> None:
    set_id = review.query_set.id
    grades = review.store.grades.all(set_id)
    decided = review.store.settled.all(set_id)
    found = disagreements(grades, decided)
    if not found and not decided:
        return
    st.html(markup.caption("disagreements to settle"))
    shown, hidden, everything = _to_show(review, found)
    if hidden:
        st.html(markup.dim(f"{hidden} more are about cards that you have not judged; judge them first."))
    if problem := st.session_state.pop(PROBLEM, ""):
        st.error(safe_text.markdown(problem, 400), icon=":material/error:")
    if shown:
        place = int(st.session_state.get(PLACE, 0)) % len(shown)
        _one(review, shown[place], place, len(shown))
    elif not hidden:
        st.html(markup.dim("None is open."))
    if decided:
        with st.expander(f"Settled · {len(decided)}", key="settled_list"):
            mine = {grade.key for grade in grades if grade.reviewer == chosen(REVIEWER) and grade.judged}
            _settled(review, [one for one in decided.values() if everything or one.key in mine])


settle = st.fragment(_queue)


def _to_show(review: Review, found: list[Disagreement]) -> tuple[list[Disagreement], int, bool]:
    """Those that the reviewer of this session may see: other people's grades stay hidden until theirs is given."""
    me = chosen(REVIEWER)
    only_settles = st.toggle(
        "I only settle and do not judge",
        key="only_settles",
        help="Shows every disagreement, also about cards that you have not judged.",
    )
    if only_settles:
        return found, 0, True
    shown = [one for one in found if any(grade.reviewer == me for grade in one.grades)]
    return shown, len(found) - len(shown), False


def _one(review: Review, one: Disagreement, place: int, total: int) -> None:
    query = review.query_set.query(one.key.query_id)
    text = texts_of(review.page.engine, review.query_set.workspace, [one.key[1:]]).get(one.key[1:])
    words = html.escape(query.query if query else one.key.query_id)
    need = f'<div class="rv-need" dir="auto">{html.escape(query.need)}</div>' if query and query.need else ""
    body = safe_text.block(text.text if text else "Its text is not in the memory any more.", "rv-text")
    with st.container(key="settle_card", border=True):
        st.html(
            f'<span class="cs-dim">{place + 1} of {total}</span>'
            f'<h3 class="rv-asked" dir="auto">{words}</h3>{need}{body}'
        )
        st.html(markup.facts((grade.reviewer, said(review, grade)) for grade in one.grades))
        proposed = review.store.proposals.of_card(review.query_set.id, one.key)
        if proposed:
            rows = ((f"proposed by {p.model}", f"{review.label(p.grade)}: {p.reason}") for p in proposed)
            st.html(markup.facts(rows))
        st.text_input("Why", key="settle_note", placeholder="a note on the decision, if there is something to say")
        with st.container(horizontal=True, key="settle_grades", gap="small"):
            for grade in GRADES:
                st.button(
                    safe_text.markdown(f"Settle {review.label(grade)}", 60),
                    key=f"settle_{grade}",
                    on_click=_settle,
                    args=(review, one.key, grade),
                    disabled=review.page.read_only,
                )
            st.button("Later", key="settle_later", type="tertiary", on_click=_later)


def _settle(review: Review, key: ItemKey, grade: int) -> None:
    note = str(st.session_state.get("settle_note") or "")
    try:
        who = reviewer_name(chosen(REVIEWER) or "settler")
        review.store.settled.settle(review.query_set.id, key, grade, who, note)
    except CoreSearchError as error:
        st.session_state[PROBLEM] = str(error)
    else:
        st.session_state["settle_note"] = ""


def _later() -> None:
    st.session_state[PLACE] = int(st.session_state.get(PLACE, 0)) + 1


def _settled(review: Review, shown: list[Settled]) -> None:
    """Settled grades, those of cards that the reviewer has judged."""
    rows = []
    for one in shown:
        note = f" · {one.note}" if one.note else ""
        rows.append(
            (one.key.query_id, one.key.item_id, review.label(one.grade), f"{one.settler}, {one.at:%Y-%m-%d}{note}")
        )
    st.html(markup.table(("query", "item", "grade", "settled by"), rows))
    st.button("Reopen the last one", key="reopen", on_click=_reopen, args=(review,), disabled=review.page.read_only)


def _reopen(review: Review) -> None:
    decided = list(review.store.settled.all(review.query_set.id))
    if decided:
        review.store.settled.reopen(review.query_set.id, decided[-1])
