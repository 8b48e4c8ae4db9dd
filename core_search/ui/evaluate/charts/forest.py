"""Means of groups with what is not known of them: the bootstrap interval, and the range of the unjudged items."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from core_search.evaluation.measures import Summary
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed, row_height
from core_search.ui.theme import ACCENT, INK

RANGE_TINT = "rgba(91,123,224,0.22)"


def forest(groups: Mapping[str, Summary], measure: str) -> go.Figure:
    """A row a group: a point for the mean, a line for its interval, a band for pessimistic to optimistic."""
    rows = [(name, summary) for name, summary in groups.items() if measure in summary.means]
    places = list(range(len(rows)))
    names = [f"{safe_text.chart(name, 26)}  <span style='opacity:.6'>{one.queries}</span>" for name, one in rows]
    means = [one.means[measure] for _, one in rows]
    intervals = [one.intervals[measure] for _, one in rows]
    ranges = [one.ranges.get(measure, (mean, mean)) for (_, one), mean in zip(rows, means, strict=True)]
    shown = [
        [
            safe_text.chart(name, 60),
            one.queries,
            *interval,
            *band,
            "–" if one.judged.get(measure) is None else f"{one.judged[measure]:.0%}",
        ]
        for (name, one), interval, band in zip(rows, intervals, ranges, strict=True)
    ]
    figure = go.Figure()
    figure.add_bar(
        base=[low for low, _ in ranges],
        x=[high - low for low, high in ranges],
        y=places,
        orientation="h",
        width=0.62,
        marker={"color": RANGE_TINT, "line": {"width": 0}},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=means,
        y=places,
        mode="markers",
        marker={"color": ACCENT, "size": 9},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [high - mean for mean, (_, high) in zip(means, intervals, strict=True)],
            "arrayminus": [mean - low for mean, (low, _) in zip(means, intervals, strict=True)],
            "color": INK,
            "thickness": 1.6,
            "width": 4,
        },
        customdata=shown,
        hovertemplate=(
            f"%{{customdata[0]}}, %{{customdata[1]}} queries<br>{measure} %{{x:.3f}}"
            "<br>95 % interval %{customdata[2]:.3f} to %{customdata[3]:.3f}"
            "<br>unjudged as irrelevant %{customdata[4]:.3f}, as relevant %{customdata[5]:.3f}"
            "<br>judged %{customdata[6]}<extra></extra>"
        ),
    )
    figure.update_yaxes(tickvals=places, ticktext=names, range=[len(rows) - 0.4, -0.6], showgrid=False, automargin=True)
    figure.update_xaxes(range=[-0.02, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1], side="bottom")
    return framed(figure, row_height(len(rows), each=28, least=110, most=900))
