"""How many statements each aspect has, current and invalidated, as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from core_search.models import Aspect
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT, ACCENT_SOFT, MUTED


def aspect_chart(counts: Mapping[Aspect, tuple[int, int]], picked: str | None = None) -> go.Figure:
    """Largest on top. `customdata` is `[aspect]`; a picked aspect stands out."""
    aspects = sorted(counts, key=lambda aspect: (-sum(counts[aspect]), aspect.value))
    names = [aspect.value for aspect in aspects]
    figure = go.Figure()
    for place, (state, colour) in enumerate((("current", ACCENT), ("invalidated", MUTED))):
        values = [counts[aspect][place] for aspect in aspects]
        weak = ACCENT_SOFT if colour == ACCENT else colour
        figure.add_bar(
            x=values,
            y=names,
            orientation="h",
            marker={"color": [colour if picked in (None, name) else weak for name in names], "line": {"width": 0}},
            customdata=[[name] for name in names],
            hovertemplate=f"%{{y}}: %{{x:,}} {state}<extra></extra>",
            width=0.62,
        )
    most = max((sum(both) for both in counts.values()), default=1)
    for aspect in aspects:
        current, invalidated = counts[aspect]
        figure.add_annotation(
            x=current + invalidated,
            y=aspect.value,
            text=f"  {current:,}" + (f" · {invalidated:,} invalidated" if invalidated else ""),
            showarrow=False,
            xanchor="left",
            font={"size": 12},
            opacity=0.85,
        )
    figure.update_layout(barmode="stack")
    figure.update_yaxes(
        categoryorder="array", categoryarray=names[::-1], showgrid=False, automargin=True, ticklabelstandoff=8
    )
    # Room on the right for the words of the longest bar.
    figure.update_xaxes(showticklabels=False, showgrid=False, range=[0, most * 1.4])
    return framed(figure, 20 + 23 * len(aspects), bottom=6)
