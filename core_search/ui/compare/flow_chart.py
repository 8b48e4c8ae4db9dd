"""Ranks from run to run: a line an item, and a lane under the last rank for what a run did not return."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from core_search.comparison.report import Comparison, Row
from core_search.models import ItemKind
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.theme import MUTED, MUTED_SOLID, SERIES

MOST_LINES = 60
MOST_COLOURED = 15
RANKED = ("episodes", "statements")


def flow(comparison: Comparison, names: Sequence[str], name_of: Callable[[ItemKind, str], str]) -> go.Figure | None:
    """None when no ranked list has two items. `customdata` is `[kind, id]`; 15 lines are coloured, those that move."""
    lists = [[row for row in comparison.rows if row.part == part] for part in RANKED]
    rows = max(lists, key=len)[:MOST_LINES]
    if len(rows) < 2:
        return None
    deepest = max(rank for row in rows for rank in row.ranks if rank is not None)
    lane = deepest + 1.6
    moving = sorted(rows, key=lambda row: (-_moved(row, deepest), min(r for r in row.ranks if r is not None)))
    strong = [row for row in moving if _moved(row, deepest)][:MOST_COLOURED]
    figure = go.Figure()
    for row in [row for row in rows if row not in strong] + strong:
        colour = SERIES[strong.index(row) % len(SERIES)] if row in strong else MUTED
        _line(figure, row, names, lane, colour, safe_text.chart(name_of(row.kind, row.id), 60))
    labels = [_label(row, comparison, lane, strong, name_of) for row in rows if row.ranks[-1] is not None]
    figure.update_layout(annotations=labels)
    if any(rank is None for row in rows for rank in row.ranks):
        figure.add_hline(y=lane - 0.7, line={"color": MUTED, "width": 1, "dash": "dot"})
    step = 5 if deepest > 12 else 1
    ticks = sorted({1, *range(step, deepest + 1, step)})
    figure.update_yaxes(
        range=[lane + 0.7, 0.3], showgrid=False, tickvals=[*ticks, lane], ticktext=[*map(str, ticks), "not returned"]
    )
    figure.update_xaxes(
        tickvals=list(range(len(names))),
        ticktext=[safe_text.chart(name, 28) for name in names],
        side="top",
        range=[-0.06 * len(names), len(names) - 1 + 0.06],
    )
    return framed(figure, max(220, min(760, 90 + 17 * deepest)), top=34, bottom=8, left=86, right=250)


def _moved(row: Row, deepest: int) -> int:
    ranks = [deepest + 1 if rank is None else rank for rank in row.ranks]
    return max(ranks) - min(ranks)


def _line(figure: go.Figure, row: Row, names: Sequence[str], lane: float, colour: str, name: str) -> None:
    places = range(len(row.ranks))
    figure.add_scatter(
        x=list(places),
        y=[lane if rank is None else rank for rank in row.ranks],
        mode="lines+markers",
        line={"color": colour, "width": 1 if colour == MUTED else 2},
        marker={
            "color": colour,
            "size": [6 if rank is None else 7 for rank in row.ranks],
            "symbol": ["x-thin-open" if rank is None else "circle" for rank in row.ranks],
            "line": {"width": 1.5, "color": colour},
        },
        customdata=[[row.kind.value, row.id]] * len(row.ranks),
        text=[
            f"{name}<br>{safe_text.chart(names[at])}: " + ("not returned" if rank is None else f"rank {rank}")
            for at, rank in enumerate(row.ranks)
        ],
        hovertemplate="%{text}<extra></extra>",
    )


def _label(
    row: Row,
    comparison: Comparison,
    lane: float,
    strong: Sequence[Row],
    name_of: Callable[[ItemKind, str], str],
) -> dict[str, object]:
    colour = SERIES[strong.index(row) % len(SERIES)] if row in strong else MUTED_SOLID
    return {
        "x": len(comparison.names) - 1,
        "y": row.ranks[-1],
        "text": safe_text.chart(name_of(row.kind, row.id), 36),
        "font": {"size": 11, "color": colour},
        "showarrow": False,
        "xanchor": "left",
        "xshift": 9,
    }
