"""The Compare page: one query in several configurations, or a whole set of judged queries."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core_search.ui import session, welcome
from core_search.ui.compare.one_query import one_query
from core_search.ui.compare.query_set import query_set
from core_search.ui.frame import Page

MODES = {"query": "One query", "set": "A set of judged queries"}
KEY = "compare_mode"


STYLE = Path(__file__).parent.with_name("compare.css")


def compare_page(page: Page) -> None:
    st.html(STYLE)
    welcome.load_sample(page)
    mode = session.parameter("mode")
    mode = mode if mode in MODES else "query"
    # The address decides, also after the back button.
    st.session_state[KEY] = mode
    st.segmented_control(
        "What to compare",
        list(MODES),
        format_func=lambda name: MODES[name],
        key=KEY,
        required=True,
        on_change=lambda: session.set_parameter("mode", str(st.session_state[KEY])),
        label_visibility="collapsed",
    )
    if mode == "set":
        query_set(page)
    else:
        one_query(page)
