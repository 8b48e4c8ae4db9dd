"""Whether a route's confidence means what it says: the share of right routes by confidence."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core_search.evaluation.router_report import ReliabilityBin
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT, LINE, MUTED, MUTED_SOLID


def reliability(bins: Sequence[ReliabilityBin], gate: float) -> go.Figure:
    """A point a bin, as large as it has queries; the dotted diagonal is a confidence that keeps its word."""
    most = max((bin.queries for bin in bins), default=1)
    figure = go.Figure()
    figure.add_bar(
        x=[(bin.low + bin.high) / 2 for bin in bins],
        y=[bin.queries / most * 0.18 for bin in bins],
        width=0.092,
        marker={"color": MUTED, "line": {"width": 0}},
        customdata=[[bin.queries] for bin in bins],
        hovertemplate="%{customdata[0]} queries<extra></extra>",
    )
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": MUTED_SOLID, "dash": "dot", "width": 1.2}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=[bin.confidence for bin in bins],
        y=[bin.right for bin in bins],
        mode="lines+markers",
        line={"color": ACCENT, "width": 1.4},
        marker={"color": ACCENT, "size": [7 + 13 * bin.queries / most for bin in bins]},
        customdata=[[bin.low, bin.high, bin.queries] for bin in bins],
        hovertemplate=(
            "confidence %{customdata[0]:.1f} to %{customdata[1]:.1f}, %{customdata[2]} queries"
            "<br>mean confidence %{x:.2f}, right routes %{y:.0%}<extra></extra>"
        ),
    )
    figure.add_vline(
        x=gate,
        line={"color": LINE, "width": 1.2},
        annotation={"text": f"gate {gate:.2f}", "font": {"size": 11}, "yanchor": "top"},
    )
    figure.update_xaxes(range=[-0.02, 1.04], title={"text": "confidence", "font": {"size": 11}})
    figure.update_yaxes(range=[-0.02, 1.06], title={"text": "right routes", "font": {"size": 11}}, tickformat=".0%")
    return framed(figure, 340, left=52, bottom=44)
