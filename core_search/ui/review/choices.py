"""What a reviewer has chosen: the set, the pool, their name, the view. It stands in the address and in the session.

The address survives a refresh and can be sent to a colleague; the session survives a visit to another page.
"""

from __future__ import annotations

import streamlit as st

from core_search.ui import session
from core_search.ui.sign_in import person

KEPT = "review_{}"
SET, POOL, REVIEWER, VIEW, SEED = "set", "pool", "reviewer", "view", "seed"


def chosen(name: str) -> str:
    """The choice, or an empty text. Once it is known it stands in the address."""
    if name == REVIEWER and (signed_in := person()):
        choose(name, "")  # whatever a link says, one speaks for oneself alone; and no name travels with a link
        return signed_in
    value = session.parameter(name) or str(st.session_state.get(KEPT.format(name), ""))
    if value:
        choose(name, value)
    return value


def choose(name: str, value: str) -> None:
    st.session_state[KEPT.format(name)] = value
    if session.parameter(name) != value:
        session.set_parameter(name, value)
