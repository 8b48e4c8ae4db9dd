"""The Review page: which query set, and one of four views on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from core_search.errors import UnknownItem
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import QuerySet
from core_search.ui import safe_text, session, welcome
from core_search.ui.frame import Page, show_error
from core_search.ui.review.choices import POOL, SET, VIEW, choose, chosen
from core_search.ui.review.files import files
from core_search.ui.review.judge import judge
from core_search.ui.review.people import people
from core_search.ui.review.review import Review
from core_search.ui.review.sets import new_set, sets

VIEWS: Mapping[str, tuple[str, Callable[[Review], None]]] = MappingProxyType(
    {
        "judge": ("Judge", judge),
        "reviewers": ("Reviewers", people),
        "set": ("Query set", sets),
        "files": ("In and out", files),
    }
)
SEEN_WORKSPACE = "review_seen_workspace"


def review_page(page: Page) -> None:
    st.html(Path(__file__).parent.parent / "review.css")
    welcome.load_sample(page)
    store = JudgmentStore.of(session.records().database)
    query_set = _chosen_set(page, store)
    if page.read_only:
        st.info("This installation is read-only: judgments can be looked at, not given.", icon=":material/lock:")
    if query_set is None:
        st.html('<div class="rv-lead">No query set about this memory yet. Make one, then judge what it finds.</div>')
        new_set(page, store)
        return
    view = _bar(store, page, query_set)
    VIEWS[view][1](Review(page, store, query_set))


def _chosen_set(page: Page, store: JudgmentStore) -> QuerySet | None:
    """The set that the address names, else the first one about the memory in the sidebar."""
    switched = st.session_state.get(SEEN_WORKSPACE) not in (None, page.workspace)
    st.session_state[SEEN_WORKSPACE] = page.workspace
    set_id = "" if switched else chosen(SET)
    if set_id:
        try:
            query_set = store.sets.load(set_id)
        except UnknownItem as error:
            show_error(error)
        else:
            if query_set.workspace != page.workspace:  # a link to a set about another memory
                session.set_workspace(query_set.workspace)
                st.session_state[SEEN_WORKSPACE] = query_set.workspace
                st.rerun()
            return query_set
    choose(POOL, "")
    here = store.sets.all(page.workspace)
    choose(SET, here[0].id if here else "")
    return store.sets.load(here[0].id) if here else None


def _bar(store: JudgmentStore, page: Page, query_set: QuerySet) -> str:
    """Set and view."""
    names = {one.id: one.name for one in store.sets.all(page.workspace)}
    view = chosen(VIEW)
    view = view if view in VIEWS else "judge"
    st.session_state["set_choice"], st.session_state["view_choice"] = query_set.id, view
    with st.container(key="review_bar"):
        left, right = st.columns([2, 3], vertical_alignment="bottom")
    left.selectbox(
        "Query set",
        list(names),
        key="set_choice",
        format_func=lambda set_id: safe_text.one_line(names[set_id], 60),
        on_change=_switch_set,
    )
    right.segmented_control(
        "View",
        list(VIEWS),
        key="view_choice",
        format_func=lambda name: VIEWS[name][0],
        label_visibility="collapsed",
        on_change=lambda: choose(VIEW, st.session_state["view_choice"] or "judge"),
    )
    return view


def _switch_set() -> None:
    choose(SET, st.session_state["set_choice"])
    choose(POOL, "")
