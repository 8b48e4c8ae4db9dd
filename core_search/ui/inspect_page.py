"""The Inspect page: query bar, stages, the chosen stage and the chosen item."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.ui import session, welcome
from core_search.ui.fork.panel import fork_panel
from core_search.ui.frame import Page, show_error
from core_search.ui.item_pane import pane
from core_search.ui.query_bar import nothing_yet, query_bar
from core_search.ui.run_head import run_head
from core_search.ui.stages import STAGE_VIEWS
from core_search.ui.strip import strip
from core_search.ui.view import View

_FOLLOWED = "inspect_followed"  # the run whose memory was chosen because a link named it


def follow_link() -> None:
    """Choose the memory of the run that the address names, else the memory that it names. Before the page opens."""
    run_id, named = session.parameter("run"), session.parameter("workspace")
    if run_id and run_id != st.session_state.get(_FOLLOWED):
        st.session_state[_FOLLOWED] = run_id
        # The page says in a moment what is wrong with the link.
        with suppress(CoreSearchError):
            named = session.open_run(run_id).run.head.workspace
    elif run_id or _FOLLOWED in st.session_state:
        return
    with suppress(CoreSearchError):
        if named and session.engine().folder(named).exists():
            session.set_workspace(named)
    st.session_state.setdefault(_FOLLOWED, "")


def inspect_page(page: Page) -> None:
    welcome.load_sample(page)
    problem = _search_if_asked()
    view, missing = _opened(page)
    query_bar(page, view)
    for error in filter(None, (problem, missing)):
        show_error(error)
    if view is None:
        if not (problem or missing):
            nothing_yet(page)
        return
    run_head(view)
    fork_panel(view)
    with st.container(key="inspect_body"):
        stage = strip(view)
        if stage == "result" and session.chosen_item() is None:
            with st.container(key="stage_result"):
                STAGE_VIEWS[stage](view)  # the pane would only repeat it
            return
        left, right = st.columns([2.4, 1], gap="large")
        with left, st.container(key=f"stage_{stage}"):
            STAGE_VIEWS[stage](view)
        with right, st.container(key="detail"):
            pane(view)


def _search_if_asked() -> CoreSearchError | None:
    """Run what was asked in the pass before; the address then names the new run."""
    request = session.pending()
    if request is None:
        return None
    try:
        with st.spinner("Searching", show_time=True):
            run_id = session.search(request)
    except CoreSearchError as error:
        return error
    session.set_parameter("run", run_id)
    session.set_parameter("workspace", "")
    # A fork that brings an item back keeps it chosen.
    session.set_parameter("item", str(st.session_state.pop("keep_item", "")))
    return None


def _opened(page: Page) -> tuple[View | None, CoreSearchError | None]:
    """The run that the address names; on a first visit, the answer to a first question."""
    run_id = session.parameter("run")
    try:
        if not run_id:
            run_id = welcome.first_question(page) or ""
            session.set_parameter("run", run_id)
        if not run_id:
            session.set_parameter("workspace", page.workspace)  # a refresh keeps the memory that was chosen
            return None, None
        return session.open_run(run_id), None
    except CoreSearchError as error:
        return None, error
