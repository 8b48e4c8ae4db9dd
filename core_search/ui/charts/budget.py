"""The token budget as one bar: what was packed, the line where it was cut, what stood behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from core_search.ranking.budget import fit
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.theme import LINE, MUTED


@dataclass(frozen=True, slots=True)
class Packed:
    """One item with its cost in tokens, in rerank order."""

    kind: str
    id: str
    name: str
    tokens: int


# Two shades in turn, so that neighbours can be told apart.
_SHADES = ("#5b7be0", "#7f98e8")


def budget_bar(items: Sequence[Packed], limit: int) -> go.Figure:
    """Kept items from left to right, then those that were left out, grey. `customdata` is `[kind, id]`."""
    stays = fit([item.tokens for item in items], limit)
    kept = [item for item, stay in zip(items, stays, strict=True) if stay]
    out = [item for item, stay in zip(items, stays, strict=True) if not stay]
    used = sum(item.tokens for item in kept)
    # What is left out may be far larger than the budget: it is drawn up to one half beyond the line.
    room = max(limit, used, 1)
    figure = go.Figure()
    for number, item in enumerate(kept):
        _segment(figure, item, item.tokens, _SHADES[number % 2], "packed")
    figure.add_bar(
        x=[max(0, limit - used)],
        y=[""],
        orientation="h",
        marker={"color": "rgba(0,0,0,0)", "line": {"width": 0}},
        hovertemplate=f"{max(0, limit - used):,} tokens free<extra></extra>",
        width=0.5,
    )
    left = 0.5 * room
    for item in out:
        width = min(item.tokens, left)
        if width <= 0:
            break
        _segment(figure, item, width, MUTED, "left out")
        left -= width
    figure.add_vline(
        x=limit,
        line={"color": LINE, "width": 2},
        annotation={"text": f"budget {limit:,}", "font": {"color": LINE, "size": 12}},
        annotation_position="top",
    )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[0, room * 1.5 if out else room * 1.08], title="tokens", tickformat=",")
    figure.update_yaxes(showticklabels=False)
    return framed(figure, 128, top=30, bottom=40)


def _segment(figure: go.Figure, item: Packed, width: float, colour: str, state: str) -> None:
    figure.add_bar(
        x=[width],
        y=[""],
        orientation="h",
        marker={"color": colour, "line": {"width": 0}},
        customdata=[[item.kind, item.id]],
        hovertemplate=f"{safe_text.chart(item.name, 60)}<br>{item.tokens:,} tokens, {state}<extra></extra>",
        width=0.5,
    )


def tokens_needed(tokens: Sequence[int], index: int, limit: int) -> int:
    """The smallest budget from `limit` on that keeps the item at `index`.

    Everything behind it leaves first, everything before it that fits the budget alone stays. A larger budget may let
    an earlier giant in again, so the sum is taken until it stands still. (A smaller one may keep an item as well, by
    turning those before it into giants; nobody wants that.)

    >>> tokens_needed([5, 900, 4, 3], 3, 10)
    12
    """
    need = max(limit, tokens[index])
    while (total := sum(count for count in tokens[: index + 1] if count <= need)) > need:
        need = total
    return need
