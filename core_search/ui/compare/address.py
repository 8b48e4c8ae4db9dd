"""What the address of the Compare page says before anything is drawn: the memory that its runs or its set are about."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from core_search.comparison.set_runs import KeptSets
from core_search.errors import CoreSearchError
from core_search.ui import session

FOLLOWED = "compare_followed"


def follow_link() -> None:
    """Choose the memory of a link once; after that the sidebar decides."""
    link = session.parameter("runs"), session.parameter("set"), session.parameter("run")
    if not any(link) or st.session_state.get(FOLLOWED) == link:
        return
    st.session_state[FOLLOWED] = link
    runs, kept_set, run = link
    # The page says in a moment what is wrong with the link.
    with suppress(CoreSearchError):
        if kept_set:
            named = KeptSets(session.records().database).load(kept_set).workspace
        else:
            named = session.open_run(runs.split(",")[0] or run).run.head.workspace
        if session.engine().folder(named).exists():
            session.set_workspace(named)
