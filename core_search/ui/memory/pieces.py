"""Pieces that the lists and the cards share: a list with its pages, a line that opens a thing, the head of a card."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core_search.models import Episode, ItemKind, Statement
from core_search.ui import markup, safe_text
from core_search.ui.charts.frame import CONFIG
from core_search.ui.memory import address
from core_search.ui.memory.address import Chosen
from core_search.ui.memory.view import MemoryView

ROWS = 20  # a page of a list
TEXT = 160  # characters of a text in a list; the whole stands in its card


def offset_of_page(total: int, key: str, *filters: object) -> int:
    """Draw the pages under a list; the first row of the chosen one. Other filters begin at page 1 again."""
    pages = max(1, -(-total // ROWS))
    if pages == 1:
        return 0
    digest = zlib.crc32(repr((total, filters)).encode())
    left, right = st.columns([3, 1], vertical_alignment="center")
    with left:
        page = int(st.pagination(pages, key=f"{key}_{digest}"))
    first = (page - 1) * ROWS
    right.html(markup.dim(f"{first + 1:,} to {min(first + ROWS, total):,} of {total:,}"))
    return first


def listing(rows: Sequence[dict[str, Any]], keys: Sequence[Chosen], key: str, columns: dict[str, Any]) -> None:
    """The rows of one page; a click chooses `keys[row]`. A new page is a new table, so nothing stays selected."""
    digest = zlib.crc32(repr(keys).encode())
    table(rows, f"{key}_{digest}", columns, lambda row: address.choose(*keys[row]))


def table(rows: Sequence[dict[str, Any]], key: str, columns: dict[str, Any], pick: Callable[[int], None]) -> None:
    """A table as high as its rows; `pick` gets the row that was clicked."""
    if not rows:
        return

    def chosen() -> None:
        cells = _selection(key).get("cells", [])
        if cells:
            pick(cells[0][0])

    st.dataframe(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        column_config=columns,
        on_select=chosen,
        selection_mode="single-cell",
        height="content",
        placeholder="",
    )


def search_field(name: str, label: str) -> str:
    text = st.text_input(
        label,
        key=address.FILTER + name,
        placeholder=label,
        icon=":material/search:",
        label_visibility="collapsed",
        persist_state="page",
    )
    return str(text or "").strip()


def pickable(figure: go.Figure, key: str, alt: str, pick: Callable[[Sequence[str]], None]) -> None:
    """A figure whose parts can be picked: `pick` gets the part's `customdata`.

    The selection itself is forgotten at once (each pick is followed by a new widget): what was picked is a filter,
    and the figure draws it in its own way.
    """
    turn = int(st.session_state.get(key, 0))
    widget = f"{key}_{turn}"

    def chosen() -> None:
        points = _selection(widget).get("points", [])
        if points and points[0].get("customdata"):
            st.session_state[key] = turn + 1
            pick([str(part) for part in points[0]["customdata"]])

    st.plotly_chart(figure, key=widget, config=CONFIG, on_select=chosen, selection_mode="points", alt=alt)


def _selection(key: str) -> dict[str, Any]:
    return dict(dict(st.session_state.get(key) or {}).get("selection", {}))


# ---------------------------------------------------------------- cards


def card_head(what: str, explicit: bool) -> None:
    """What kind of thing the card shows; one that was chosen can be closed again."""
    if not explicit:
        st.html(markup.caption(what))
        return
    head, close = st.columns([4, 1], vertical_alignment="center")
    head.html(markup.caption(f"the chosen {what}"))
    close.button("Close", key="close_item", type="tertiary", icon=":material/close:", on_click=address.close)


def title(text: str) -> None:
    st.html(f"<strong>{safe_text.span(text, length=300)}</strong>")


def not_here(kind: str, item_id: str) -> None:
    st.html(markup.dim(f"No {kind} with this id is in this memory."))
    st.html(markup.item_id(item_id))


def line(kind: str, item_id: str, head: str, text: str, place: str) -> None:
    """A head that opens the thing, and the beginning of its text under it."""
    st.button(
        safe_text.markdown(head, 90),
        key=f"open_{place}",
        type="tertiary",
        on_click=address.choose,
        args=(kind, item_id),
    )
    if text:
        st.html(f'<div class="cs-clip" dir="auto">{safe_text.span(text, length=280)}</div>')


def labels_row(view: MemoryView, label_ids: Sequence[str], place: str) -> None:
    """The labels of a text, each a way to its card."""
    if not label_ids:
        return
    with st.container(horizontal=True, key=f"row_{place}"):
        for at, label_id in enumerate(label_ids):
            st.button(
                safe_text.markdown(view.label_names.get(label_id, label_id), 60),
                key=f"label_{place}_{at}",
                icon=":material/label:",
                type="tertiary",
                on_click=address.choose,
                args=(ItemKind.LABEL.value, label_id),
            )


def episode_lines(view: MemoryView, episodes: Sequence[Episode], place: str) -> None:
    """Texts with their time, each a way to the whole."""
    with st.container(key=f"lines_{place}"):
        for at, episode in enumerate(episodes):
            when = view.when(episode.valid_at)
            line(ItemKind.EPISODE.value, episode.uuid, when, episode.content, f"{place}_{at}")


def statement_lines(view: MemoryView, statements: Sequence[Statement], place: str) -> None:
    """Facts with their aspect and time; those that do not hold any more say since when and what replaced them."""
    replaced = replacements(view, statements)
    with st.container(key=f"lines_{place}"):
        _statement_lines(view, statements, replaced, place)


def _statement_lines(
    view: MemoryView, statements: Sequence[Statement], replaced: dict[str, tuple[str, str, str]], place: str
) -> None:
    for at, statement in enumerate(statements):
        holds = view.holds(statement)
        state = "" if holds else f" · no longer true since {view.when(statement.invalid_at, '%Y-%m-%d')}"
        head = f"{statement.aspect.value} · {view.when(statement.valid_at, '%Y-%m-%d')}{state}"
        line(ItemKind.STATEMENT.value, statement.uuid, head, statement.fact, f"{place}_{at}")
        if not holds and statement.uuid in replaced:
            st.html(markup.dim(f"replaced by: {safe_text.one_line(replaced[statement.uuid][2], 140)}"))


def replacements(view: MemoryView, statements: Sequence[Statement]) -> dict[str, tuple[str, str, str]]:
    """Kind, id and text of what invalidated each statement: another statement, or the episode that contradicts it."""
    by = {s.uuid: s.invalidated_by for s in statements if s.invalidated_by}
    facts = view.graph.statements(by.values())
    texts = view.graph.episodes(uuid for uuid in by.values() if uuid not in facts)
    found = {}
    for uuid, other in by.items():
        if other in facts:
            found[uuid] = (ItemKind.STATEMENT.value, other, facts[other].fact)
        elif other in texts:
            found[uuid] = (ItemKind.EPISODE.value, other, texts[other].content)
        else:
            found[uuid] = (ItemKind.STATEMENT.value, other, other)
    return found
