"""The loss waterfall as bars: what is left at each level, and what was lost on the way to it."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core_search.evaluation.loss_waterfall import Level
from core_search.ui.charts.frame import framed
from core_search.ui.evaluate.words import LEVEL_TITLES, code_words, short_code_words
from core_search.ui.theme import ACCENT, ACCENT_SOFT

_LOSS_TINTS = ("rgba(194,85,77,0.55)", "rgba(194,85,77,0.38)", "rgba(194,85,77,0.24)")


def loss_bars(levels: Sequence[Level]) -> go.Figure:
    """Bars from the top down. `customdata` is `[level, code]`; the code is empty for what is left."""
    names = [LEVEL_TITLES[level.name] for level in levels]
    figure = go.Figure()
    own = [level.left - level.rescued for level in levels]
    figure.add_bar(
        x=own,
        y=names,
        orientation="h",
        marker={"color": ACCENT, "line": {"width": 0}},
        customdata=[[level.name, ""] for level in levels],
        text=[f"{level.left:,}" for level in levels],
        textposition="inside",
        insidetextanchor="start",
        hovertemplate="%{y}: %{x:,} by the route and its paths<extra></extra>",
        width=0.62,
    )
    figure.add_bar(
        x=[level.rescued for level in levels],
        y=names,
        orientation="h",
        marker={"color": ACCENT_SOFT, "line": {"width": 0}},
        customdata=[[level.name, ""] for level in levels],
        hovertemplate="%{y}: %{x:,} that only the backstop brought<extra></extra>",
        width=0.62,
    )
    for depth in range(max((len(level.lost) for level in levels), default=0)):
        here = [(level, list(level.lost.items())[depth]) for level in levels if len(level.lost) > depth]
        figure.add_bar(
            x=[count for _, (_, count) in here],
            y=[LEVEL_TITLES[level.name] for level, _ in here],
            orientation="h",
            marker={"color": _LOSS_TINTS[min(depth, len(_LOSS_TINTS) - 1)], "line": {"width": 0}},
            customdata=[[level.name, code, code_words(code)] for level, (code, _) in here],
            hovertemplate="lost: %{x:,} %{customdata[2]}<extra></extra>",
            width=0.62,
        )
    notes, widest = [], max((level.left for level in levels), default=1) or 1
    for level in levels:
        words = [f"−{count:,} {short_code_words(code)}" for code, count in level.lost.items()]
        if level.rescued:
            words.append(f"{level.rescued:,} by the backstop alone")
        if words:
            notes.append(
                {
                    "x": level.left + sum(level.lost.values()),
                    "y": LEVEL_TITLES[level.name],
                    "text": "  " + " · ".join(words[:3]) + (" · …" if len(words) > 3 else ""),
                    "showarrow": False,
                    "xanchor": "left",
                    "font": {"size": 11.5},
                    "opacity": 0.85,
                }
            )
    figure.update_layout(barmode="stack", annotations=notes)
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], showgrid=False, automargin=True)
    # Half of the width is for the words behind the bars.
    figure.update_xaxes(range=[0, widest * 1.75], showticklabels=False, showgrid=False)
    return framed(figure, 40 + 36 * len(levels), bottom=6)
