"""What all pictures share: margins, fonts left to the page's theme, no toolbar."""

from __future__ import annotations

from collections.abc import Iterable
from html import unescape
from typing import Any
from unicodedata import east_asian_width

import plotly.graph_objects as go

# Passed to `st.plotly_chart(config=…)`: a picture to read and click, not an editor.
CONFIG: dict[str, Any] = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}
GRID = "rgba(128,136,150,0.16)"


def framed(
    figure: go.Figure, height: int, *, left: int = 8, right: int = 12, top: int = 8, bottom: int = 28
) -> go.Figure:
    """The figure with the common layout. Height in pixels."""
    figure.update_layout(
        height=height,
        margin={"l": left, "r": right, "t": top, "b": bottom},
        showlegend=False,
        dragmode=False,
        hovermode="closest",
        hoverlabel={"align": "left", "namelength": 0},
        plot_bgcolor="rgba(0,0,0,0)",
        paper_bgcolor="rgba(0,0,0,0)",
        clickmode="event+select",
    )
    figure.update_xaxes(gridcolor=GRID, zeroline=False, fixedrange=True)
    figure.update_yaxes(gridcolor=GRID, zeroline=False, fixedrange=True)
    return figure


def row_height(rows: int, each: int = 26, least: int = 90, most: int = 620) -> int:
    """Pixels for a chart with a row for each thing."""
    return max(least, min(most, rows * each + 46))


_LETTER_PX = 5.7  # of the page's font at 12 px, a little more than its letters take on average
_WIDE_PX = 12.5  # a Chinese character


def names_width(names: Iterable[str]) -> int:
    """Pixels to the left of the bars for the longest name: a margin that plotly need not find by drawing twice."""
    widths = (sum(_WIDE_PX if east_asian_width(c) in "WF" else _LETTER_PX for c in unescape(name)) for name in names)
    return 14 + int(max(widths, default=0))
