"""True counts of a range as bars: topics, entities, aspects."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core_search.ui import safe_text
from core_search.ui.charts.frame import framed, names_width, row_height
from core_search.ui.theme import ACCENT

MOST_BARS = 25


def count_bars(rows: Sequence[tuple[str, int]], unit: str) -> go.Figure:
    """The largest counts, biggest on top, each with its number."""
    shown = list(rows)[:MOST_BARS]
    names = [safe_text.chart(name, 34) for name, _ in shown]
    figure = go.Figure(
        go.Bar(
            x=[count for _, count in shown],
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": ACCENT, "cornerradius": 2},
            text=[f"{count:,}" for _, count in shown],
            textposition="outside",
            cliponaxis=False,
            customdata=names,
            hovertemplate=f"%{{customdata}}: %{{x:,}} {unit}<extra></extra>",
            width=0.62,
        )
    )
    most = max((count for _, count in shown), default=1)
    figure.update_yaxes(
        tickvals=list(range(len(shown))), ticktext=names, autorange="reversed", showgrid=False, automargin=False
    )
    figure.update_xaxes(showticklabels=False, showgrid=False, range=[0, most * 1.15])
    return framed(figure, row_height(len(shown), each=24, most=660), bottom=6, left=names_width(names))
