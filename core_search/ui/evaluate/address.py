"""What is looked at on the Evaluate page. It stands in the address as ids, and in the session for the way back.

`eval` is the evaluation, `set` its query set, `tab` the view, `q` a query, `k` the cutoff, `since` the evaluation that
it is compared with. Everything but `tab` and `k` belongs to one memory.
"""

from __future__ import annotations

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.evaluation.at_k import CUTOFFS, DEFAULT_K
from core_search.evaluation.history import History
from core_search.ui import session

EVALUATION, SET, TAB, QUERY, K, SINCE = "eval", "set", "tab", "q", "k", "since"
OF_ONE_MEMORY = (EVALUATION, SET, QUERY, SINCE)
_KEPT = "evaluate_at_{}"
_SEEN = "evaluate_seen_workspace"


def follow_link() -> None:
    """Go to the memory that a link's evaluation is about. Before the page opens: the sidebar shows it then."""
    evaluation = session.parameter(EVALUATION)
    if not evaluation or evaluation == st.session_state.get(_KEPT.format(EVALUATION)):
        return
    try:
        workspace = History(session.records().database).load(evaluation).setup.workspace
    except CoreSearchError:
        return  # the page says what is wrong with the link
    session.set_workspace(workspace)
    st.session_state[_SEEN] = workspace


def forget_another_memory(workspace: str) -> None:
    """When the sidebar switched: nothing of the memory before is in this one."""
    if st.session_state.get(_SEEN) not in (None, workspace):
        for name in OF_ONE_MEMORY:
            choose(name, "")
    st.session_state[_SEEN] = workspace


def chosen(name: str) -> str:
    """The choice, or an empty text. Once it is known it stands in the address."""
    value = session.parameter(name) or str(st.session_state.get(_KEPT.format(name), ""))
    if value:
        choose(name, value)
    return value


def choose(name: str, value: str) -> None:
    st.session_state[_KEPT.format(name)] = value
    if session.parameter(name) != value:
        session.set_parameter(name, value)


def cutoff() -> int:
    """The k of the measures."""
    text = chosen(K)
    return int(text) if text.isdecimal() and int(text) in CUTOFFS else DEFAULT_K
