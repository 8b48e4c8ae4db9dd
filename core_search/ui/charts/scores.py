"""Scores as bars with the number that cut drawn in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core_search.ui import safe_text
from core_search.ui.charts.frame import framed, names_width, row_height
from core_search.ui.markup import Stretch
from core_search.ui.theme import ACCENT, LINE, MUTED

_FOR_PARTS = 0.55  # of the width; the product stands behind the bar
MOST_BARS = 40  # the table beside it has all


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; `strong` ones passed. `note` says more when the mouse is over it."""

    id: str
    name: str
    score: float
    strong: bool = True
    note: str = ""


def score_bars(
    bars: Sequence[Bar],
    *,
    score_name: str,
    threshold: float | None = None,
    line: str = "threshold",
    most: float | None = None,
) -> go.Figure:
    """Horizontal bars, best on top, at most `MOST_BARS`. Those that did not pass are grey. `most` fixes the scale."""
    shown = list(bars)[:MOST_BARS]
    names = [safe_text.chart(bar.name) for bar in shown]
    figure = go.Figure(
        go.Bar(
            x=[bar.score for bar in shown],
            # Names may repeat; positions do not.
            y=list(range(len(shown))),
            orientation="h",
            marker={"color": [ACCENT if bar.strong else MUTED for bar in shown], "cornerradius": 2},
            customdata=[[bar.id, name, safe_text.chart(bar.note, 120)] for bar, name in zip(shown, names, strict=True)],
            hovertemplate=f"%{{customdata[1]}}<br>{score_name} %{{x:.4f}}<br>%{{customdata[2]}}",
            width=0.62,
        )
    )
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=names,
        range=[len(shown) - 0.4, -0.6],
        showgrid=False,
        automargin=False,
    )
    top = most or max([bar.score for bar in shown] + [threshold or 0.0, 0.0]) or 1.0
    least = min([bar.score for bar in shown] + [0.0])
    edge = top * 1.2
    figure.update_xaxes(range=[least * 1.1, edge], title=score_name)
    if most:  # the scale ends there; beyond stand the numbers
        figure.update_xaxes(tickvals=[most * part / 5 for part in range(6)])
    # In a column of their own, where no line runs through them.
    figure.add_scatter(
        x=[edge] * len(shown),
        y=list(range(len(shown))),
        mode="text",
        text=[f"{bar.score:.3f}" for bar in shown],
        textposition="middle left",
        textfont={"size": 11},
        hoverinfo="skip",
    )
    if threshold is not None:
        figure.add_vline(
            x=threshold,
            line={"color": LINE, "width": 1.5, "dash": "dash"},
            annotation={"text": f"{line} {threshold:g}", "font": {"color": LINE, "size": 11}},
            annotation_position="top",
        )
    each = 26 if len(shown) <= 12 else 20
    height = row_height(len(shown), each=each, least=120, most=1_300)
    return framed(figure, height, top=26, bottom=40, left=names_width(names))


def signal_bars(contributions: Sequence[tuple[str, float, float]]) -> list[Stretch]:
    """The parts of a weighted sum: `(signal, weight, value)`, each part as long as it counts."""
    most = max((weight * value for _, weight, value in contributions), default=0.0) or 1.0
    return [
        Stretch(
            name.replace("_", " "),
            0.0,
            _FOR_PARTS * max(0.0, weight * value) / most,
            f"{weight:.3f} × {value:.3f} = {weight * value:.4f}",
        )
        for name, weight, value in contributions
    ]
