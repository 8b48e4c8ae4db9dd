"""The Memory page: a list of what was chosen in the strip, and beside it the card of one thing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import streamlit as st

from core_search.engine import SAMPLE
from core_search.errors import CoreSearchError
from core_search.models import ItemKind
from core_search.ui import markup, safe_text, welcome
from core_search.ui.frame import Page, show_error
from core_search.ui.memory import (
    address,
    counts,
    entities,
    entity_card,
    episode_reader,
    health,
    labels,
    loading,
    sessions,
    statements,
    timeline,
    workspaces,
)
from core_search.ui.memory.address import Chosen
from core_search.ui.memory.view import MemoryView

LISTS: dict[str, Callable[[MemoryView], Chosen | None]] = {
    "episodes": timeline.draw,
    "labels": labels.draw,
    "entities": entities.draw,
    "statements": statements.draw,
    "sessions": sessions.draw,
}
CARDS: dict[str, Callable[[MemoryView, str, bool], None]] = {
    ItemKind.EPISODE.value: episode_reader.card,
    ItemKind.LABEL.value: labels.card,
    ItemKind.ENTITY.value: entity_card.card,
    ItemKind.STATEMENT.value: statements.card,
    ItemKind.DOCUMENT.value: sessions.document_card,
    address.SESSION: sessions.card,
}


WIDTHS = (1.6, 1)  # a list beside a card
BODY = "inspect_body"  # the name under which the style sheet folds two columns into one on a narrow window
STYLE = Path(__file__).resolve().parent.parent / "memory.css"


def memory_page(page: Page) -> None:
    st.html(STYLE)
    if missing := address.keep_link(page):
        words = f"There is no memory {safe_text.one_line(missing, 80)!r} here; this is {page.workspace!r}."
        st.warning(safe_text.markdown(words, 300), icon=":material/link_off:")
    with ExitStack() as opened:
        view, problem = _open(page, opened)
        counts.head(page, view)
        if problem is not None:
            show_error(problem)
        tab = counts.strip(page, view, len(workspaces.names(page)))
        if tab in LISTS:
            if view is not None:
                _browse(view, tab)
            else:
                words = "The lists come back when the memory opens. Memories and Health work without it."
                st.html(markup.dim(words))
            return
    # The memory is let go of here: it may be replaced or removed below.
    with st.container(key=BODY):
        if tab == "memories":
            _manage(page)
        else:
            health.draw(page)


def _manage(page: Page) -> None:
    above = st.container()
    with above:
        loading.outcome()
    left, right = st.columns(WIDTHS, gap="large")
    with left:
        workspaces.draw(page)
    with right:
        loading.draw(page, above)


def _open(page: Page, opened: ExitStack) -> tuple[MemoryView | None, CoreSearchError | None]:
    """The memory, read as long as `opened` is; or what keeps it from being opened."""
    try:
        if page.workspace == SAMPLE and page.read_only and not page.engine.folder(SAMPLE).exists():
            st.info("There is no memory here yet, and this installation is read-only.", icon=":material/inbox:")
            return None, None
        welcome.load_sample(page)
        return MemoryView(opened.enter_context(page.engine.memory(page.workspace))), None
    except CoreSearchError as error:
        return None, error


def _browse(view: MemoryView, tab: str) -> None:
    with st.container(key=BODY):
        left, right = st.columns(WIDTHS, gap="large")
        with left, st.container(key=f"list_{tab}"):
            first = LISTS[tab](view)
        with right, st.container(key="detail"):
            explicit = address.chosen()
            if shown := explicit or first:
                CARDS[shown[0]](view, shown[1], explicit is not None)
            else:
                st.html(markup.dim("Nothing to show. Other words or fewer filters find more."))
