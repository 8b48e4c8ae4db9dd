"""The frame of every page: settings of the page, sign-in, navigation, workspace, settings of the search, providers.

A page calls `open_page` before anything else and draws inside `guarded`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import BundleError, CoreSearchError
from core_search.ui import markup, safe_text, session, sign_in
from core_search.ui.providers_panel import providers_panel
from core_search.ui.runs_panel import runs_panel
from core_search.ui.settings_panel import settings_panel
from core_search.ui.theme import add_style
from core_search.workspace import list_workspaces

ROOT = Path(__file__).resolve().parent.parent.parent
# A file of ours: for its own icons Streamlit sends browsers to an outside server.
ICON = str(Path(__file__).with_name("icon.svg"))
# Path, title, icon. A page that is not there is left out.
PAGES = (
    ("app.py", "Inspect", ":material/troubleshoot:"),
    ("pages/1_Compare.py", "Compare", ":material/compare_arrows:"),
    ("pages/2_Review.py", "Review", ":material/rate_review:"),
    ("pages/3_Evaluate.py", "Evaluate", ":material/query_stats:"),
    ("pages/4_Memory.py", "Memory", ":material/database:"),
)


@dataclass(frozen=True)
class Page:
    """What a page may use: the engine, and the workspace that is chosen in the sidebar."""

    engine: SearchEngine
    workspace: str

    @property
    def read_only(self) -> bool:
        return self.engine.settings.read_only


def open_page(title: str, follow_link: Callable[[], None] = lambda: None) -> Page:
    """Set the page up and draw the sidebar. Stops here when nobody is signed in or nothing can be opened.

    `follow_link` chooses the memory that the address is about: after the sign-in, and before the sidebar shows it.
    """
    st.set_page_config(page_title=f"{title} · core_search", layout="wide", page_icon=ICON)
    add_style()
    sign_in.ask()
    try:
        follow_link()
        engine = session.engine()
        names = _workspace_names(engine)
        page = Page(engine, session.workspace())
        with st.sidebar:
            st.html('<div class="cs-brand">core_search</div>')
            _navigation()
            _workspaces(names)
            runs_panel(page.read_only)
            settings_panel(engine, page.read_only)
            providers_panel(engine)
            sign_in.who_and_out()
    except CoreSearchError as error:
        show_error(error)
        st.stop()
    return page


@contextmanager
def guarded() -> Iterator[None]:
    """Show errors of ours as a sentence with its remedy instead of a traceback."""
    try:
        yield
    except CoreSearchError as error:
        show_error(error)


def show_error(error: CoreSearchError) -> None:
    if isinstance(error, BundleError):
        st.error(safe_text.markdown(str(error).split("\n", 1)[0], 300), icon=":material/error:")
        st.html(markup.table(("problem",), [(problem,) for problem in error.problems]))
        return
    st.error(safe_text.markdown(str(error), 1_200), icon=":material/error:")


def _navigation() -> None:
    parameters = session.link_parameters()
    with st.container(key="nav"):
        for path, title, icon in PAGES:
            if (ROOT / path).is_file():
                st.page_link(path, label=title, icon=icon, query_params=parameters or None)


def _workspace_names(engine: SearchEngine) -> list[str]:
    """What can be chosen; a memory that was chosen and is gone gives way to the sample."""
    names = sorted({SAMPLE, *(folder.name for folder in list_workspaces(engine.settings.home))})
    if session.workspace() not in names:
        session.set_workspace(SAMPLE)
    return names


def _workspaces(names: list[str]) -> None:
    st.session_state["workspace_choice"] = session.workspace()
    st.selectbox(
        "Workspace",
        names,
        key="workspace_choice",
        on_change=lambda: _switch(str(st.session_state["workspace_choice"])),
    )


def _switch(name: str) -> None:
    # A run belongs to its memory: another memory starts with an empty page.
    session.set_workspace(name)
    session.set_changes({k: v for k, v in session.changes().items() if k not in ("label_ids", "end_user_ids")})
    for parameter in ("run", "item", "stage", "runs", "set"):
        session.set_parameter(parameter, "")
