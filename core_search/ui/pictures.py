"""Drawing figures and tables whose rows can be chosen: a click puts the item into the address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core_search.ui import session
from core_search.ui.charts.frame import CONFIG


def picture(figure: go.Figure, key: str, alt: str) -> None:
    """A figure to look at."""
    st.plotly_chart(figure, key=key, config=CONFIG, alt=alt)


def item_picture(figure: go.Figure, key: str, alt: str) -> None:
    """A figure whose points are items: `customdata` starts with `[kind, id]`."""

    def choose() -> None:
        points = _selected(key).get("points", [])
        data = points[0].get("customdata") if points else None
        if data and len(data) >= 2:
            session.choose_item(str(data[0]), str(data[1]))

    st.plotly_chart(figure, key=key, config=CONFIG, on_select=choose, selection_mode="points", alt=alt)


def part_picture(figure: go.Figure, key: str, alt: str) -> list[str]:
    """A figure whose parts can be picked; the `customdata` of the picked part, empty when none is."""
    st.plotly_chart(figure, key=key, config=CONFIG, on_select="rerun", selection_mode="points", alt=alt)
    points = _selected(key).get("points", [])
    return [str(part) for part in points[0].get("customdata", ())] if points else []


def item_table(
    rows: Sequence[dict[str, Any]],
    keys: Sequence[tuple[str, str]],
    key: str,
    *,
    columns: dict[str, Any] | None = None,
    most_rows: int = 12,
) -> None:
    """A table whose rows are items: clicking a row chooses `keys[row]`, a `(kind, id)`."""
    if not rows:
        return

    def choose() -> None:
        cells = _selected(key).get("cells", [])
        if cells:
            session.choose_item(*keys[cells[0][0]])

    st.dataframe(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        column_config=columns,
        on_select=choose,
        selection_mode="single-cell",
        height="content" if len(rows) <= most_rows else 35 * most_rows,
        placeholder="",
    )


def _selected(key: str) -> dict[str, Any]:
    state = st.session_state.get(key) or {}
    return dict(state.get("selection", {}))
