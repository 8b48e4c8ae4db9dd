"""One card: the query and its need, the text, and the keys. Only this part is drawn again after a press."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Literal

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.values import GRADES, Grade, ItemKey
from core_search.ui import markup, safe_text
from core_search.ui.review.before import card_before
from core_search.ui.review.desk import Desk
from core_search.ui.review.keys import KEYS
from core_search.ui.review.review import Review

REASONS = (
    "I cannot read the text",
    "I do not understand the query",
    "It needs knowledge that I lack",
    "Another reason",
)
NOTE_LENGTH = 1_000
SHOW_KEYS = "review_show_keys"


def _card(review: Review, desk: Desk) -> None:
    """Draw the card on top, or the end."""
    _progress(desk)
    if desk.problem:
        st.error(safe_text.markdown(desk.problem, 600), icon=":material/error:")
    if desk.current is None:
        _end(review, desk)
    else:
        with st.container(key="card"):
            _contents(desk, desk.current)
            _panel(review, desk, desk.current)
    if st.session_state.get(SHOW_KEYS):
        st.html(markup.table(("key", "does"), KEYS))
    card_before(review, desk)
    # The last thing on the page: when it changes, everything above is there and the next press may come.
    desk.turn += 1
    st.html(f'<i class="rv-turn" data-turn="{desk.turn}"></i>')


# Only this part of the page runs again after a press.
card = st.fragment(_card)


def _progress(desk: Desk) -> None:
    total, judged = len(desk.order), desk.judged
    words = [f"{judged} of {total} judged", f"{total - judged} remaining"]
    if desk.skipped:
        words.append(f"{desk.skipped} of them skipped")
    st.progress(judged / total if total else 1.0, text=safe_text.markdown(f"{desk.reviewer} · {' · '.join(words)}"))


def _contents(desk: Desk, key: ItemKey) -> None:
    query = desk.query_set.query(key.query_id)
    text = desk.text(key)
    need = f'<div class="rv-need" dir="auto">{html.escape(query.need)}</div>' if query and query.need else ""
    asked = f" · asked as of {query.now:%Y-%m-%d}" if query and query.now else ""
    words = html.escape(query.query if query else key.query_id)
    when = f" · {text.when:%A, %Y-%m-%d %H:%M}" if text.when else ""
    until = f" · held until {text.until:%Y-%m-%d}" if text.until else ""
    title = f'<div class="rv-title">{safe_text.span(text.title)}</div>' if text.title else ""
    st.html(
        f'<div class="rv-query"><span class="cs-dim">query{asked}</span><h2 dir="auto">{words}</h2>{need}</div>'
        f'<div class="rv-item"><span class="cs-dim">{key.kind.value}{when}{until}</span>{title}'
        f"{safe_text.block(text.text, 'rv-text')}</div>"
    )


def _panel(review: Review, desk: Desk, key: ItemKey) -> None:
    """The buttons. They stay the same from card to card: new ones would answer to a key beside the old ones."""
    place, asks = desk.places[key], desk.asking

    def give(grade: int) -> None:
        _press(desk, lambda: review.store.grades.give(desk.query_set.id, key, desk.reviewer, grade))

    def cannot(reason: str) -> None:
        _press(desk, lambda: review.store.grades.cannot_judge(desk.query_set.id, key, desk.reviewer, reason))

    def skip() -> None:
        _press(desk, lambda: review.store.grades.skip(desk.query_set.id, key, desk.reviewer))

    def keep_note() -> None:
        _note(review, desk, key, str(st.session_state.get(f"note_{place}") or ""))

    with st.container(key="card_ask"):  # always there, so that nothing under it moves
        if asks == "reason":
            st.html(markup.caption("why can it not be judged"))
        elif asks == "note":
            with st.container(key="card_note"):
                st.text_input(
                    "Note",
                    value=(said.note if (said := desk.mine.get(key)) else ""),
                    key=f"note_{place}",
                    max_chars=NOTE_LENGTH,
                    placeholder="what others should know about this card; Enter keeps it",
                    on_change=keep_note,
                )
        elif (said := desk.mine.get(key)) and said.note:
            st.html(markup.dim(f"Your note: {said.note}"))
    with st.container(horizontal=True, key="card_reasons" if asks == "reason" else "card_grades", gap="small"):
        if asks == "reason":
            for number, reason in enumerate(REASONS, 1):
                judge_button(reason, f"reason_{number}", str(number), cannot, reason)
        else:
            for grade in GRADES:
                label = safe_text.markdown(desk.query_set.labels[grade], 40)
                judge_button(label, f"grade_{grade}", str(grade), give, grade)
    with st.container(horizontal=True, key="card_more", gap="small"):
        judge_button("Skip", "skip", "s", skip, small=True)
        _undo_button(review, desk)
        judge_button("Close the note" if asks == "note" else "Note", "note", "n", _toggle(desk, "note"), small=True)
        # Streamlit does not listen to these two keys; their hints are written into the labels.
        words = "Back to the grades" if asks == "reason" else "Cannot judge"
        judge_button(f"{words} `c`", "cannot", None, _toggle(desk, "reason"), small=True)
        judge_button("Keys `?`", "keys", None, _toggle_keys, small=True)


def judge_button(
    label: str,
    name: str,
    shortcut: str | None,
    press: Callable[..., None],
    *said: object,
    small: bool = False,
    locked: bool = False,
) -> None:
    """A button that has a key. Its name is what the script of the keys knows it by."""
    look: Literal["tertiary", "secondary"] = "tertiary" if small else "secondary"
    st.button(label, key=f"judge_{name}", type=look, shortcut=shortcut, on_click=press, args=said, disabled=locked)


def _undo_button(review: Review, desk: Desk) -> None:
    judge_button("Undo", "undo", "u", lambda: _undo(review, desk), small=True)


def _end(review: Review, desk: Desk) -> None:
    with st.container(key="card"):
        st.html('<div class="rv-query"><h2>Every card is judged.</h2></div>')
        st.html(markup.dim("The view Reviewers shows who agrees with whom; In and out writes the judgments to a file."))
        _undo_button(review, desk)


# ---------------------------------------------------------------- presses


def _press(desk: Desk, keep: Callable[[], Grade]) -> None:
    """Keep a press; the next card comes only when it is kept."""
    try:
        desk.said(keep())
    except CoreSearchError as error:
        desk.problem = str(error)
    else:
        desk.problem = ""


def _undo(review: Review, desk: Desk) -> None:
    try:
        undone = review.store.grades.undo(desk.query_set.id, desk.reviewer)
        if undone is None:
            desk.problem = "There is nothing of yours to undo in this set."
            return
        card_now = review.store.grades.of_card(desk.query_set.id, undone.key)
    except CoreSearchError as error:
        desk.problem = str(error)
        return
    desk.problem = ""
    desk.undone(undone.key, next((grade for grade in card_now if grade.reviewer == desk.reviewer), None))


def _note(review: Review, desk: Desk, key: ItemKey, note: str) -> None:
    try:
        desk.mine[key] = review.store.grades.note(desk.query_set.id, key, desk.reviewer, note)
    except CoreSearchError as error:
        desk.problem = str(error)
    else:
        desk.asking = desk.problem = ""


def _toggle(desk: Desk, what: str) -> Callable[[], None]:
    def toggle() -> None:
        desk.asking = "" if desk.asking == what else what

    return toggle


def _toggle_keys() -> None:
    st.session_state[SHOW_KEYS] = not st.session_state.get(SHOW_KEYS, False)
