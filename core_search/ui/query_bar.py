"""The query bar: what to ask, as of when, and examples one click away."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.results import SearchRequest
from core_search.ui import examples, markup, safe_text, session
from core_search.ui.frame import Page
from core_search.ui.view import View

QUERY, AS_OF, SHOWN_RUN = "query_text", "as_of", "run_in_bar"


def query_bar(page: Page, view: View | None) -> None:
    """Draw it. Enter asks; the search itself runs in the next pass of the page."""
    clock = _clock(page)
    _follow(view, clock)
    with st.form("ask", border=False, enter_to_submit=True):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.text_input(
            "Ask the memory",
            key=QUERY,
            placeholder=f"Ask {page.workspace} anything",
            icon=":material/search:",
            label_visibility="collapsed",
        )
        row.datetime_input(
            "as of",
            value=None,
            key=AS_OF,
            step=60,
            format="YYYY-MM-DD",
            label_visibility="collapsed",
            help=_clock_words(clock),
            width=215,
        )
        row.form_submit_button("Search", type="primary", width=110, on_click=_submit, args=(page, clock))
    tried = examples.examples(page.engine, page.workspace)
    if tried:
        with st.container(horizontal=True, key="try", gap="small", vertical_alignment="center"):
            st.html('<span class="cs-dim">try</span>', width="content")
            for place, text in enumerate(tried):
                st.button(
                    safe_text.markdown(text, 44),
                    key=f"try_{place}",
                    type="tertiary",
                    on_click=_try,
                    args=(page, text),
                )


def _follow(view: View | None, clock: datetime | None) -> None:
    """Show the query and the clock of the run that is on the page, when it is another one than before."""
    shown = view.run.id if view else ""
    if st.session_state.get(SHOWN_RUN) == (shown, str(clock)):
        st.session_state.setdefault(AS_OF, _naive(clock))
        return
    st.session_state[SHOWN_RUN] = (shown, str(clock))
    st.session_state[QUERY] = view.run.head.query if view else st.session_state.get(QUERY, "")
    st.session_state[AS_OF] = _naive(view.now if view and view.run.now else clock)


def _naive(moment: datetime | None) -> datetime | None:
    # The widget knows no zones: it shows the wall clock of the memory.
    return moment.replace(tzinfo=None, second=0, microsecond=0) if moment else None


def _clock(page: Page) -> datetime | None:
    """The memory's own now; None when it goes by the wall clock or is not there yet."""
    try:
        header = page.engine.folder(page.workspace).meta().header
    except CoreSearchError:
        return None
    return header.clock.astimezone(ZoneInfo(header.timezone)) if header.clock else None


def _clock_words(clock: datetime | None) -> str:
    if clock is None:
        return "The instant to search as of; empty means now."
    return f"The instant to search as of, in the memory's time zone. Its own clock says {clock:%Y-%m-%d %H:%M}."


def _submit(page: Page, clock: datetime | None) -> None:
    query = str(st.session_state.get(QUERY) or "").strip()
    if not query:
        return
    chosen: datetime | None = st.session_state.get(AS_OF)
    now = None
    if chosen is not None and chosen != _naive(clock):
        now = chosen.replace(tzinfo=_zone(page))
    session.ask(SearchRequest(query=query, workspace=page.workspace, now=now, set=session.changes()))


def _zone(page: Page) -> ZoneInfo:
    try:
        return ZoneInfo(page.engine.folder(page.workspace).meta().header.timezone)
    except CoreSearchError:
        return ZoneInfo("UTC")


def _try(page: Page, query: str) -> None:
    st.session_state[QUERY] = query
    session.ask(SearchRequest(query=query, workspace=page.workspace, set=session.changes()))


def nothing_yet(page: Page) -> None:
    """The page before the first question."""
    st.html(markup.dim(f"Ask {page.workspace} something, or try one of the examples."))
