"""Judging where a search is looked at: the chosen item of a run gets the same grades and the same keys.

The grade goes into a query set that asks the same, the chosen one first; where none does, into the set of what was
asked in passing. Rank and scores stand on such a page anyway; other people's grades stay hidden until one's own is
given.
"""

from __future__ import annotations

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.query_sets import query_of_run
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import DEFAULT_LABELS, GRADES, Grade, ItemKey, QuerySet, Verdict
from core_search.models import ItemKind
from core_search.records import RunRecord
from core_search.ui import markup, safe_text, session
from core_search.ui.review.choices import KEPT, REVIEWER, SET
from core_search.ui.review.start import CONFIRMED

JUDGED_KINDS = (ItemKind.EPISODE, ItemKind.DOCUMENT, ItemKind.STATEMENT)
PROBLEM = "in_place_problem"


def _grades(run: RunRecord, kind: ItemKind, item_id: str) -> None:
    """Draw grade buttons for one item of a run, and what was said of it. Nothing for kinds that are not judged."""
    if kind not in JUDGED_KINDS:
        return
    store = JudgmentStore.of(session.records().database)
    workspace, preferred = run.head.workspace, str(st.session_state.get(KEPT.format(SET), ""))
    found = store.sets.find_query(workspace, run.head.query, run.now, preferred)
    st.html(markup.caption("grade"))
    if problem := st.session_state.pop(PROBLEM, ""):
        st.error(safe_text.markdown(problem, 400), icon=":material/error:")
    who = str(st.session_state.get(CONFIRMED, ""))
    labels = found[0].labels if found else DEFAULT_LABELS
    read_only = session.engine().settings.read_only
    if not who and not read_only:
        st.text_input("Your name", key="in_place_name", placeholder="who judges", on_change=_name)
    with st.container(horizontal=True, key="in_place_grades", gap="small"):
        for grade in GRADES:
            st.button(
                safe_text.markdown(labels[grade], 40),
                key=f"in_place_{grade}",
                shortcut=str(grade),
                on_click=_give,
                args=(store, run, ItemKey("", kind, item_id), who, preferred, grade),
                disabled=read_only or not who,
            )
    if found and who:
        _said(store, found[0], ItemKey(found[1].id, kind, item_id), who)


grades_in_place = st.fragment(_grades)


def _name() -> None:
    name = " ".join(str(st.session_state.get("in_place_name") or "").split())
    st.session_state[CONFIRMED] = st.session_state[KEPT.format(REVIEWER)] = name


def _give(store: JudgmentStore, run: RunRecord, key: ItemKey, who: str, preferred: str, grade: int) -> None:
    try:
        query_set, query = store.sets.ensure_query(run.head.workspace, query_of_run(run), preferred)
        store.grades.give(query_set.id, key._replace(query_id=query.id), who, grade)
    except CoreSearchError as error:
        st.session_state[PROBLEM] = str(error)


def _said(store: JudgmentStore, query_set: QuerySet, key: ItemKey, who: str) -> None:
    """What this reviewer said, and once they did, what others said and a model proposes."""
    said = store.grades.of_card(query_set.id, key)
    mine = next((grade for grade in said if grade.reviewer == who and grade.judged), None)
    if mine is None:
        return
    rows = [("you", _words(query_set, mine))]
    rows += [(one.reviewer, _words(query_set, one)) for one in said if one.reviewer != who and one.judged]
    for proposal in store.proposals.of_card(query_set.id, key):
        label = f"{proposal.grade} {query_set.labels[proposal.grade]}"
        rows.append((f"proposed by {proposal.model}", f"{label}: {proposal.reason}"))
    st.html(markup.facts(rows))
    st.html(markup.dim(f"in the query set {query_set.name}"))


def _words(query_set: QuerySet, grade: Grade) -> str:
    if grade.verdict is Verdict.GRADED and grade.grade is not None:
        return f"{grade.grade} {query_set.labels[grade.grade]}"
    return f"cannot judge: {grade.reason}"
