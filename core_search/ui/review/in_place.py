"""Judging where a search is looked at: the chosen item of a run gets the same grades and the same keys as a card.

The grade goes into a query set that asks the same, the chosen one first; where none does, into the set of what was
asked in passing. Rank and scores stand on such a page anyway; other people's grades stay hidden until one's own is
given, and where the item stood in each run comes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.query_sets import query_of_run
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import DEFAULT_LABELS, GRADES, Grade, ItemKey, QuerySet, Verdict
from core_search.models import ItemKind
from core_search.records import RunRecord
from core_search.ui import markup, safe_text, session
from core_search.ui.review.card import NOTE_LENGTH, REASONS, judge_button
from core_search.ui.review.choices import KEPT, REVIEWER, SET
from core_search.ui.review.keys import listen
from core_search.ui.review.start import CONFIRMED
from core_search.ui.sign_in import person

JUDGED_KINDS = (ItemKind.EPISODE, ItemKind.DOCUMENT, ItemKind.STATEMENT)
PROBLEM, ASKING, TURN, NOTE = "in_place_problem", "in_place_asking", "in_place_turn", "in_place_note"
Stood = Sequence[tuple[str, str]]  # a run, and where it had the item, in words


def grades_in_place(run: RunRecord, kind: ItemKind, item_id: str, stood: Stood = ()) -> None:
    """Draw grades for one item of a run, what was said of it and where it stood. Nothing for kinds nobody judges."""
    if kind not in JUDGED_KINDS:
        return
    listen()
    _judging(run, kind, item_id, tuple(stood))


def _grades(run: RunRecord, kind: ItemKind, item_id: str, stood: Stood) -> None:
    store = JudgmentStore.of(session.records().database)
    workspace, preferred = run.head.workspace, str(st.session_state.get(KEPT.format(SET), ""))
    found = store.sets.find_query(workspace, run.head.query, run.now, preferred)
    read_only = session.engine().settings.read_only
    who = "" if read_only else person() or str(st.session_state.get(CONFIRMED, ""))
    key = ItemKey(found[1].id if found else "", kind, item_id)
    said = store.grades.of_reviewer(found[0].id, who) if found and who else {}
    mine, last = said.get(key), next(reversed(said), None)
    with st.container(key="in_place", gap="small"):
        st.html(markup.caption("grade"))
        if problem := st.session_state.pop(PROBLEM, ""):
            st.error(safe_text.markdown(problem, 400), icon=":material/error:")
        if read_only:
            st.html(markup.dim("This installation is read-only: nothing can be judged."))
            return
        if not who:
            st.text_input("Your name", key="in_place_name", placeholder="who judges", on_change=_name)
        _buttons(store, run, key, who, preferred, found[0].labels if found else DEFAULT_LABELS, mine, last == key)
        if found and mine and mine.judged:
            _said(store, found[0], key, mine, stood)
    # The keys wait until this number has changed: then the press is kept and drawn.
    st.session_state[TURN] = turn = int(st.session_state.get(TURN, 0)) + 1
    st.html(f'<i class="rv-turn" data-turn="{turn}"></i>')


_judging = st.fragment(_grades)


def _buttons(
    store: JudgmentStore,
    run: RunRecord,
    key: ItemKey,
    who: str,
    preferred: str,
    labels: Sequence[str],
    mine: Grade | None,
    is_last: bool,
) -> None:
    """The same buttons as on a card, under the same names: the script of the keys presses them by those.

    `is_last`: this item has the reviewer's last press in the set, so that undoing takes back what is in sight.
    """
    asked = st.session_state.get(ASKING)
    asks = asked[1] if asked and asked[0] == key[1:] else ""

    def said(say: Callable[[str, ItemKey], object]) -> None:
        st.session_state.pop(ASKING, None)
        try:
            query_set, query = store.sets.ensure_query(run.head.workspace, query_of_run(run), preferred)
            say(query_set.id, key._replace(query_id=query.id))
        except CoreSearchError as error:
            st.session_state[PROBLEM] = str(error)

    def give(grade: int) -> None:
        said(lambda set_id, card: store.grades.give(set_id, card, who, grade))

    def cannot(reason: str) -> None:
        said(lambda set_id, card: store.grades.cannot_judge(set_id, card, who, reason))

    def keep_note() -> None:
        note = str(st.session_state.get(NOTE) or "")
        said(lambda set_id, card: store.grades.note(set_id, card, who, note))

    def undo() -> None:
        said(lambda set_id, card: store.grades.undo(set_id, who))

    def ask(what: str) -> None:
        st.session_state[ASKING] = None if asks == what else (key[1:], what)

    if asks == "note":
        with st.container(key="card_note"):
            st.text_input("Note", value=mine.note if mine else "", key=NOTE, max_chars=NOTE_LENGTH, on_change=keep_note,
                          placeholder="Enter keeps it")  # fmt: skip
    elif mine and mine.note:
        st.html(markup.dim(f"Your note: {mine.note}"))
    locked = not who
    with st.container(horizontal=True, key="card_reasons" if asks == "reason" else "in_place_grades", gap="small"):
        if asks == "reason":
            for number, reason in enumerate(REASONS, 1):
                judge_button(reason, f"reason_{number}", str(number), cannot, reason, locked=locked)
        else:
            for grade in GRADES:
                label = safe_text.markdown(labels[grade], 40)
                judge_button(label, f"grade_{grade}", str(grade), give, grade, locked=locked)
    with st.container(horizontal=True, key="in_place_more", gap="small"):
        judge_button("Undo", "undo", "u", undo, small=True, locked=locked or mine is None)
        judge_button(
            "Close the note" if asks == "note" else "Note", "note", "n", ask, "note", small=True, locked=locked
        )
        words = "Back to the grades" if asks == "reason" else "Cannot judge"
        judge_button(f"{words} `c`", "cannot", None, ask, "reason", small=True, locked=locked)


def _name() -> None:
    name = " ".join(str(st.session_state.get("in_place_name") or "").split())
    st.session_state[CONFIRMED] = st.session_state[KEPT.format(REVIEWER)] = name


def _said(store: JudgmentStore, query_set: QuerySet, key: ItemKey, mine: Grade, stood: Stood) -> None:
    """What this reviewer said, where the item stood, what others said, and what a model proposes."""
    rows = [("you", _words(query_set, mine)), *stood]
    others = (one for one in store.grades.of_card(query_set.id, key) if one.reviewer != mine.reviewer and one.judged)
    rows += [(one.reviewer, _words(query_set, one)) for one in others]
    for proposal in store.proposals.of_card(query_set.id, key):
        label = f"{proposal.grade} {query_set.labels[proposal.grade]}"
        rows.append((f"proposed by {proposal.model}", f"{label}: {proposal.reason}"))
    st.html(markup.facts(rows))
    st.html(markup.dim(f"in the query set {query_set.name}"))


def _words(query_set: QuerySet, grade: Grade) -> str:
    if grade.verdict is Verdict.GRADED and grade.grade is not None:
        return f"{grade.grade} {query_set.labels[grade.grade]}"
    return f"cannot judge: {grade.reason}"
