"""A range of time on a line, with what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import plotly.graph_objects as go

from core_search.models import TimeRange
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT, LINE, MUTED_SOLID


def timeline(time_range: TimeRange, now: datetime, moments: Sequence[datetime] = ()) -> go.Figure:
    """The range as a band, `now` as a line, moments as points. An open side runs to the edge."""
    known = [moment for moment in (time_range.start, time_range.end, now, *moments) if moment]
    first, last = min(known), max(known)
    pad = max((last - first) * 0.08, timedelta(hours=12))
    left, right = first - pad, last + pad
    figure = go.Figure()
    if not time_range.is_open:
        figure.add_vrect(
            x0=time_range.start or left, x1=time_range.end or right, fillcolor=ACCENT, opacity=0.16, line_width=0
        )
    figure.add_scatter(
        x=list(moments),
        y=[0] * len(moments),
        mode="markers",
        marker={"color": ACCENT, "size": 9, "opacity": 0.75},
        hovertemplate="%{x|%Y-%m-%d %H:%M}<extra></extra>",
    )
    figure.add_scatter(
        x=[left, right], y=[0, 0], mode="lines", line={"color": MUTED_SOLID, "width": 1}, hoverinfo="skip"
    )
    figure.add_vline(x=now, line={"color": LINE, "width": 1.5, "dash": "dot"})
    figure.add_annotation(
        x=now, y=1, yref="paper", text="now", showarrow=False, yshift=8, font={"color": LINE, "size": 11}
    )
    figure.update_yaxes(visible=False, range=[-1, 1])
    figure.update_xaxes(range=[left, right], showgrid=False)
    return framed(figure, 92, top=20, bottom=24)
