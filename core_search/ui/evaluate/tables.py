"""A table whose rows are clicked, of a height that leaves the rest of the page in sight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

ROWS_IN_SIGHT = 16
ROW_PX = 35  # Streamlit's own height of a row


def clickable(
    rows: Sequence[dict[str, Any]], key: str, pick: Callable[[int], None], columns: Mapping[str, Any] | None = None
) -> None:
    """Draw it; `pick` gets the position of the row that was clicked, in the order of `rows`."""
    if not rows:
        return

    def chosen() -> None:
        selection = dict(dict(st.session_state.get(key) or {}).get("selection", {}))
        if cells := selection.get("cells"):
            pick(int(cells[0][0]))

    st.dataframe(
        pd.DataFrame(rows),
        key=key,
        hide_index=True,
        column_config=dict(columns or {}),
        on_select=chosen,
        selection_mode="single-cell",
        height=(ROWS_IN_SIGHT + 1) * ROW_PX if len(rows) > ROWS_IN_SIGHT else "content",
        placeholder="",
    )
