"""The head of the page: which memory this is, and its sizes as a strip of chips that leads to the lists."""

from __future__ import annotations

import streamlit as st

from core_search.browse import Unit
from core_search.models import EntityType
from core_search.ui import markup, safe_text, session
from core_search.ui.frame import Page
from core_search.ui.memory import address
from core_search.ui.memory.view import MemoryView

TITLES = {
    "episodes": "Episodes",
    "labels": "Labels",
    "entities": "Entities",
    "statements": "Statements",
    "sessions": "Sessions",
    "memories": "Memories",
    "health": "Health",
}
KEY = "memory_strip"


def chosen_tab() -> str:
    tab = session.parameter("tab")
    return tab if tab in TITLES else address.FIRST_TAB


def head(page: Page, view: MemoryView | None) -> None:
    """Name, span, clock and models of the memory."""
    with st.container(key="memory_head"):
        st.markdown(f"#### {safe_text.markdown(page.workspace)}")
        if view is not None:
            _about(view)


def _about(view: MemoryView) -> None:
    header = view.memory.meta.header
    line = view.time_line(Unit.DAY)
    days = sorted((min(line.episodes), max(line.episodes))) if line.episodes else []
    parts = [
        f"{days[0]} to {days[-1]}" if days else "no episodes",
        f"now is {view.when(view.now)}" + ("" if header.clock else ", the wall clock"),
        header.timezone,
        f"version {header.version}",
        view.memory.meta.embedding_model,
    ]
    st.html(markup.dim(" · ".join(parts)))
    if header.description:
        st.html(markup.dim(header.description))


def strip(page: Page, view: MemoryView | None, memories: int) -> str:
    """Draw it; the name of the chosen list."""
    tab = chosen_tab()
    sizes = {"memories": f"{memories:,} here", "health": "stores, models"} | (_sizes(view) if view else {})
    # The address decides, also after the back button and after a click elsewhere on the page.
    st.session_state[KEY] = tab
    with st.container(key="stage_strip"):  # the name that the style sheet knows such chips by
        st.segmented_control(
            "Lists of this memory",
            list(TITLES),
            format_func=lambda name: f"**{TITLES[name]}**\n:small[{sizes.get(name, '–')}]",
            key=KEY,
            required=True,
            on_change=_open,
            label_visibility="collapsed",
            wrap=True,
            width="stretch",
        )
    return tab


def _open() -> None:
    session.set_parameter("tab", str(st.session_state[KEY]))
    address.close()


def _sizes(view: MemoryView) -> dict[str, str]:
    counts = view.counts()
    ended = sum(invalidated for _, invalidated in view.aspects().values())
    predicates = sum(row.type is EntityType.PREDICATE for row in view.entities())
    sessions = view.sessions()
    compacted = sum(one.document is not None for one in sessions)
    return {
        "episodes": f"{counts['episodes']:,}",
        "labels": f"{counts['labels']:,}",
        "entities": f"{counts['entities'] - predicates:,}",
        "statements": f"{counts['statements']:,}" + (f", {ended:,} ended" if ended else ""),
        "sessions": f"{len(sessions):,}, {compacted:,} compacted"
        if compacted != len(sessions)
        else f"{len(sessions):,}",
    }
