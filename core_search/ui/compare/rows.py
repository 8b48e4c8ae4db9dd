"""Items of all runs in one table, each with its rank everywhere and its signed move; a click shows why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core_search.comparison.report import Comparison, Move, Pair, Row
from core_search.models import ItemKind
from core_search.ui import markup, safe_text, session, words
from core_search.ui.items import Item, Key
from core_search.ui.review.in_place import grades_in_place
from core_search.ui.theme import DOWN, UP
from core_search.ui.view import View

KEY, ONLY = "compare_table", "compare_only_changed"
MOST_ROWS = 14
PARTS = {
    "episodes": "episodes",
    "statements": "statements",
    "voiceStatements": "voice",
    "entity": "entity",
    "facets.topics": "topics",
    "facets.entities": "entities",
}
COLOURS = {Move.UP: UP, Move.NEW: UP, Move.DOWN: DOWN, Move.GONE: DOWN}


def rows_table(views: Sequence[View], comparison: Comparison, pair: Pair) -> None:
    if not comparison.rows:
        st.html(markup.dim("None of the runs returned anything."))
        return
    changed = [row for row in comparison.rows if row.move(pair.side) not in (Move.SAME, Move.ABSENT)]
    only = bool(changed) and len(changed) < len(comparison.rows) and st.toggle("Only what changed", key=ONLY)
    shown = changed if only and pair.comparable else list(comparison.rows)
    texts = texts_of(views, shown)
    heads = {place: _score_head(views[place], comparison.names[place]) for place in (0, pair.side)}
    frame = pd.DataFrame([_cells(comparison, pair, row, texts[row.kind, row.id], heads) for row in shown])
    moves = [row.move(pair.side) if pair.comparable else Move.ABSENT for row in shown]
    css = pd.DataFrame("", index=frame.index, columns=frame.columns)
    css["move"] = [f"color: {COLOURS[move]}; font-weight: 600" if move in COLOURS else "opacity: .6" for move in moves]
    scores = list(heads.values())
    columns: dict[str, Any] = {name: st.column_config.NumberColumn(width=44) for name in comparison.names}
    columns |= {"move": st.column_config.TextColumn(width=70), "list": st.column_config.TextColumn(width=74)}
    columns |= {"item": st.column_config.TextColumn(width=300)}
    columns |= {name: st.column_config.NumberColumn(width=76) for name in scores}
    written = {**dict.fromkeys(comparison.names, "{:.0f}"), **dict.fromkeys(scores, "{:.3f}")}

    def choose() -> None:
        cells = dict((st.session_state.get(KEY) or {}).get("selection", {})).get("cells", [])
        if cells:
            session.choose_item(shown[cells[0][0]].kind, shown[cells[0][0]].id)

    st.dataframe(
        frame.style.apply(lambda _: css, axis=None).format(written, na_rep=""),
        key=KEY,
        hide_index=True,
        column_config=columns,
        on_select=choose,
        selection_mode="single-cell",
        height="content" if len(shown) <= MOST_ROWS else 35 * MOST_ROWS,
        placeholder="",
    )
    _why(views, comparison, pair)


def texts_of(views: Sequence[View], rows: Sequence[Row]) -> dict[Key, Item]:
    """What each item is, from the first run that knows it."""
    keys = [(row.kind, row.id) for row in rows]
    found: dict[Key, Item] = {}
    for view in views:
        missing = [key for key in keys if key not in found or (found[key].text is None and not found[key].title)]
        if missing:
            found |= view.items.many(missing)
    return found


def move_words(row: Row, side: int) -> str:
    """The move against the first run, signed."""
    move, climbed = row.move(side), row.climbed(side)
    if climbed:
        return f"▲ +{climbed}" if climbed > 0 else f"▼ −{-climbed}"
    return {Move.NEW: "＋ new", Move.GONE: "− gone", Move.SAME: "=", Move.ABSENT: ""}[move]


def _score_head(view: View, letter: str) -> str:
    """The score that the run ordered by, by its own name where all its items have the same one."""
    names = {episode.score_name for episode in view.result.episodes} if view.result else set()
    name = names.pop() if len(names) == 1 else None
    return f"{name or 'score'} {letter}"


def _cells(comparison: Comparison, pair: Pair, row: Row, item: Item, heads: Mapping[int, str]) -> dict[str, Any]:
    cells: dict[str, Any] = {"move": move_words(row, pair.side) if pair.comparable else ""}
    cells |= dict(zip(comparison.names, row.ranks, strict=True))
    cells["item"] = safe_text.one_line(item.name, 150)
    if len({one.part for one in comparison.rows}) > 1:
        cells["list"] = PARTS.get(row.part, row.part)
    cells |= {head: row.scores[place] for place, head in heads.items()}
    return cells


def _why(views: Sequence[View], comparison: Comparison, pair: Pair) -> None:
    """The chosen item: its text, and its way through both runs."""
    chosen = session.chosen_item()
    if chosen is None:
        st.html(markup.dim("Click a row to see the item and why it is where it is, in both runs."))
        return
    item = next((found for view in views if (found := view.items.get(*chosen)).text is not None), None)
    with st.container(border=True, key="compare_why"):
        if item is not None:
            if item.title:
                st.html(f"<strong>{safe_text.span(item.title)}</strong>")
            st.html(safe_text.block(item.text or ""))
        for place, column in zip((0, pair.side), st.columns(2, gap="medium"), strict=True):
            sentences = words.path_sentences(views[place], *chosen)
            with column:
                st.html(markup.caption(f"in {comparison.names[place]}"))
                st.html("<br>".join(safe_text.span(text) for text in sentences) or markup.dim("No path came upon it."))
                st.page_link(
                    "app.py",
                    label=f"Open in {comparison.names[place]}",
                    icon=":material/open_in_new:",
                    query_params={"run": views[place].run.id, "item": f"{chosen[0]}:{chosen[1]}"},
                )
        grades_in_place(views[0].run, *chosen, _stood(views, comparison, *chosen))
        st.button("Close", key="compare_why_close", type="tertiary", on_click=session.set_parameter, args=("item", ""))


def _stood(views: Sequence[View], comparison: Comparison, kind: ItemKind, item_id: str) -> list[tuple[str, str]]:
    """Where each run had it."""
    return [
        (f"in {name}", words.stood(view, kind, item_id)) for name, view in zip(comparison.names, views, strict=True)
    ]
