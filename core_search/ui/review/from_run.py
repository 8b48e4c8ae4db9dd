"""One click from a run to judging it: the query set that asks the same, or a new one with this query alone."""

from __future__ import annotations

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.query_sets import NAME_LENGTH, query_of_run
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import QuerySet
from core_search.records import RunRecord
from core_search.ui import safe_text, session
from core_search.ui.frame import show_error
from core_search.ui.review.choices import POOL, SET, choose


def judge_run(run: RunRecord) -> None:
    """Draw the button."""
    if session.engine().settings.read_only:
        return
    pressed = st.button(
        "Judge",
        key="judge_run",
        icon=":material/rate_review:",
        type="tertiary",
        help="Opens a query set with this query on the Review page.",
    )
    if not pressed:
        return
    try:
        query_set = set_of_run(JudgmentStore.of(session.records().database), run)
    except CoreSearchError as error:
        show_error(error)
        return
    choose(SET, query_set.id)
    choose(POOL, "")
    st.switch_page("pages/2_Review.py", query_params={"set": query_set.id})


def set_of_run(store: JudgmentStore, run: RunRecord) -> QuerySet:
    """The set; its name is the query, with a number where that is taken."""
    query = query_of_run(run)
    if found := store.sets.find_query(run.head.workspace, query.query, query.now):
        return found[0]
    taken = {one.name for one in store.sets.all()}
    name = plain = safe_text.one_line(query.query, NAME_LENGTH - 6) or "a query"
    number = 1
    while name in taken:
        number += 1
        name = f"{plain} {number}"
    return store.sets.create(name, run.head.workspace, [query])
