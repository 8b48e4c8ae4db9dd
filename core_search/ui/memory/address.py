"""Where one browser session stands on the Memory page. The address holds ids only: `workspace`, `tab` and `item`.

`item` is `kind:id`, as on the Inspect page, so that a chosen thing stays chosen from page to page; a session of a
memory is an item here too. A link may also write `entity=ID`, `episode=ID` and so on.
"""

from __future__ import annotations

import streamlit as st

from core_search.engine import SAMPLE
from core_search.errors import CoreSearchError
from core_search.models import ItemKind
from core_search.ui import session
from core_search.ui.frame import Page

SESSION = "session"  # the kind of a session, beside those of `ItemKind`
KINDS = (*(kind.value for kind in ItemKind), SESSION)
FIRST_TAB = "episodes"
FILTER = "browse_"  # every filter of a list stands in the session state under a name that begins so
_FOLLOWED = "memory_followed"

Chosen = tuple[str, str]  # kind and id


def follow_link() -> None:
    """Go where the address leads. Before the page opens: the sidebar shows the memory that is chosen then."""
    named = session.parameter("workspace")
    if named and named != st.session_state.get(_FOLLOWED) and _is_here(named):
        session.set_workspace(named)
    for kind in KINDS:
        if item_id := session.parameter(kind):
            session.choose_item(kind, item_id)
            session.set_parameter(kind, "")


def _is_here(name: str) -> bool:
    try:
        return name == SAMPLE or session.engine().folder(name).exists()
    except CoreSearchError:  # no name of a workspace; or the page says in a moment what is wrong with the settings
        return False


def keep_link(page: Page) -> str:
    """Write the memory on the page into the address; the name that a link asked for in vain, else nothing."""
    named, before = session.parameter("workspace"), st.session_state.get(_FOLLOWED)
    if before is not None and before != page.workspace:
        forget_filters()
    st.session_state[_FOLLOWED] = page.workspace
    session.set_parameter("workspace", page.workspace)
    return named if named not in (page.workspace, before, "") else ""


def chosen() -> Chosen | None:
    kind, _, item_id = session.parameter("item").partition(":")
    return (kind, item_id) if kind in KINDS and item_id else None


def choose(kind: str, item_id: str) -> None:
    session.choose_item(kind, item_id)


def close() -> None:
    session.set_parameter("item", "")


def open_list(tab: str, **filters: object) -> None:
    """Go to a list with these filters and no other."""
    forget_filters()
    for name, value in filters.items():
        st.session_state[FILTER + name] = value
    session.set_parameter("tab", tab)
    close()


def forget_filters() -> None:
    for name in [str(name) for name in st.session_state if str(name).startswith(FILTER)]:
        del st.session_state[name]


def switch(name: str) -> None:
    """Look at another memory. What was chosen in the one before is not in this one."""
    session.set_workspace(name)
    session.set_changes({k: v for k, v in session.changes().items() if k not in ("label_ids", "end_user_ids")})
    for parameter in ("run", "item", "stage"):
        session.set_parameter(parameter, "")


def gone(name: str, successor: str = SAMPLE) -> None:
    """The memory of that name is no more."""
    if session.workspace() == name:
        switch(successor)
