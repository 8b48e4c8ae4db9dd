"""Graphs: the part of the memory that a query touched, and a chain between two entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT, GRAPH_TINTS, LINE, MUTED, MUTED_SOLID

_ITERATIONS = 160
MOST_NAMES = 12  # of entities; more are no longer read
NAME_LENGTH = 22
# The picture on a common screen, between its outermost points, and its letters: enough to tell which names would touch.
SIZE_PX = (520.0, 380.0)
_LETTER_PX, _LINE_PX, _MARGIN_PX = 6.4, 15.0, 60.0


@dataclass(frozen=True, slots=True)
class Node:
    """`strong` nodes belong to the answer; the others are grey."""

    kind: str
    id: str
    name: str
    strong: bool = True


@dataclass(frozen=True, slots=True)
class Edge:
    source: tuple[str, str]
    target: tuple[str, str]
    strong: bool = True


def network(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    chosen: tuple[str, str] | None = None,
    size_px: tuple[float, float] = SIZE_PX,
) -> go.Figure:
    """Nodes and edges, laid out by springs; equal graphs look equal. `customdata` is `[kind, id]`."""
    index = {(node.kind, node.id): place for place, node in enumerate(nodes)}
    pairs = [(index[e.source], index[e.target], e.strong) for e in edges if e.source in index and e.target in index]
    places = spring_layout(len(nodes), [(a, b) for a, b, _ in pairs])
    figure = go.Figure()
    for strong in (False, True):
        xs: list[float | None] = []
        ys: list[float | None] = []
        for a, b, is_strong in pairs:
            if is_strong is strong:
                xs += [places[a, 0], places[b, 0], None]
                ys += [places[a, 1], places[b, 1], None]
        line = {"color": MUTED_SOLID if strong else MUTED, "width": 1.1 if strong else 0.7}
        figure.add_scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip")
    sides = name_sides(places, [min(len(node.name), NAME_LENGTH) for node in nodes], _named(nodes, pairs), size_px)
    figure.add_scatter(
        x=places[:, 0],
        y=places[:, 1],
        mode="markers+text",
        text=[safe_text.chart(node.name, NAME_LENGTH) if side else "" for node, side in zip(nodes, sides, strict=True)],
        textposition=[side or "top center" for side in sides],
        textfont={"size": 11, "shadow": "auto"},
        cliponaxis=False,
        marker={
            "size": [11 if node.kind in ("entity", "label") else 9 for node in nodes],
            "symbol": [_SYMBOLS.get(node.kind, "circle") for node in nodes],
            "color": [GRAPH_TINTS.get(node.kind, ACCENT) if node.strong else MUTED for node in nodes],
            "line": {
                "color": [LINE if chosen == (node.kind, node.id) else "rgba(0,0,0,0)" for node in nodes],
                "width": 2.5,
            },
        },
        customdata=[[node.kind, node.id, safe_text.chart(node.name, 80)] for node in nodes],
        hovertemplate="%{customdata[0]}: %{customdata[2]}<extra></extra>",
    )
    # Names stand beside their points: room for them at both sides.
    left, right = (float(places[:, 0].min()), float(places[:, 0].max())) if len(nodes) else (0.0, 1.0)
    pad = max((right - left) * 0.09, 0.1)
    figure.update_xaxes(visible=False, range=[left - pad, right + pad])
    figure.update_yaxes(visible=False)
    return framed(figure, 440, top=16, bottom=8)


def _named(nodes: Sequence[Node], pairs: Sequence[tuple[int, int, bool]]) -> list[int]:
    """Who carries a name, the most important first: the labels, then the entities with the most edges."""
    degree = [0] * len(nodes)
    for a, b, _ in pairs:
        degree[a] += 1
        degree[b] += 1
    labels = [place for place, node in enumerate(nodes) if node.kind == "label"]
    entities = [place for place, node in enumerate(nodes) if node.strong and node.kind == "entity"]
    return labels + sorted(entities, key=lambda place: (-degree[place], place))[:MOST_NAMES]


def name_sides(
    places: NDArray[np.float64],
    lengths: Sequence[int],
    named: Sequence[int],
    size_px: tuple[float, float] = SIZE_PX,
) -> list[str]:
    """On which side of its point each name stands without touching another name; empty for no name.

    `places` has shape (count, 2). What fits on no side is left out: the list beside the picture has it.
    """
    sides = [""] * len(places)
    if not len(places):
        return sides
    span = np.maximum(places.max(axis=0) - places.min(axis=0), 1e-9)
    points = (places - places.min(axis=0)) / span * np.array(size_px)
    taken: list[tuple[float, float, float, float]] = []
    for place in named:
        x, y = (float(value) for value in points[place])
        width = lengths[place] * _LETTER_PX
        boxes = {
            "top center": (x - width / 2, y + 5, x + width / 2, y + 5 + _LINE_PX),
            "bottom center": (x - width / 2, y - 5 - _LINE_PX, x + width / 2, y - 5),
            "middle right": (x + 7, y - _LINE_PX / 2, x + 7 + width, y + _LINE_PX / 2),
            "middle left": (x - 7 - width, y - _LINE_PX / 2, x - 7, y + _LINE_PX / 2),
        }
        free = [
            side
            for side, box in boxes.items()
            if box[0] > -_MARGIN_PX and box[2] < size_px[0] + _MARGIN_PX and not any(_touch(box, t) for t in taken)
        ]
        if free:
            # Where it covers the fewest points; above the point where that makes no difference.
            sides[place] = min(free, key=lambda side: _points_in(boxes[side], points))
            taken.append(boxes[sides[place]])
    return sides


def _points_in(box: tuple[float, float, float, float], points: NDArray[np.float64]) -> int:
    x, y = points[:, 0], points[:, 1]
    return int(((box[0] < x) & (x < box[2]) & (box[1] < y) & (y < box[3])).sum())


def _touch(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


_SYMBOLS = {"entity": "circle", "episode": "square", "document": "square", "label": "diamond", "statement": "circle"}


def spring_layout(count: int, pairs: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """Places in the plane, shape (count, 2): Fruchterman and Reingold 1991, from a fixed start."""
    if count == 0:
        return np.zeros((0, 2))
    turn = np.arange(count) * 2.399963  # the golden angle: an even start without chance
    places: NDArray[np.float64] = np.sqrt(np.arange(1, count + 1) / count)[:, None] * np.c_[np.cos(turn), np.sin(turn)]
    ideal = 2.4 / np.sqrt(count)
    ends = np.array(pairs, dtype=int).reshape(-1, 2)
    for step in range(_ITERATIONS):
        offsets = places[:, None, :] - places[None, :, :]
        squares = np.maximum((offsets**2).sum(axis=2), 1e-4)
        moves = (offsets * (ideal**2 / squares)[:, :, None]).sum(axis=1)
        pulls = places[ends[:, 1]] - places[ends[:, 0]]
        pulls *= np.linalg.norm(pulls, axis=1, keepdims=True) / ideal
        np.add.at(moves, ends[:, 0], pulls)
        np.subtract.at(moves, ends[:, 1], pulls)
        moves -= places * ideal  # parts without an edge between them stay together
        lengths = np.maximum(np.linalg.norm(moves, axis=1, keepdims=True), 1e-9)
        places = places + moves / lengths * np.minimum(lengths, 0.12 * (1 - step / _ITERATIONS) + 0.004)
    return places


@dataclass(frozen=True, slots=True)
class Link:
    """What joins two neighbours of a chain: facts, and whether the first of them points from left to right."""

    facts: tuple[str, ...]
    forward: bool = True


def chain(names: Sequence[str], links: Sequence[Link]) -> go.Figure:
    """Entities from left to right with the facts that join each two; `len(links) == len(names) - 1`."""
    last = max(len(names) - 1, 1)
    notes: list[dict[str, Any]] = []
    for place, link in enumerate(links):
        head, tail = (place + 0.88, place + 0.12) if link.forward else (place + 0.12, place + 0.88)
        arrow = {
            "x": head,
            "ax": tail,
            "y": 0,
            "ay": 0,
            "xref": "x",
            "yref": "y",
            "axref": "x",
            "ayref": "y",
            "text": "",
        }
        notes.append({**arrow, "showarrow": True, "arrowhead": 2, "arrowwidth": 1.4, "arrowcolor": MUTED_SOLID})
        text = _wrapped(link.facts, 84 // last)
        note = {"x": place + 0.5, "y": 0, "yshift": 8, "yanchor": "bottom", "showarrow": False, "text": text}
        notes.append({**note, "font": {"size": 12}})
    figure = go.Figure(layout={"annotations": notes})
    figure.add_scatter(
        x=list(range(len(names))),
        y=[0] * len(names),
        mode="markers+text",
        marker={"size": 20, "color": ACCENT},
        text=[safe_text.chart(name, 26) for name in names],
        textposition="bottom center",
        textfont={"size": 13},
        hoverinfo="skip",
    )
    figure.update_xaxes(visible=False, range=[-0.35, last + 0.35])
    figure.update_yaxes(visible=False, range=[-0.4, 1])
    return framed(figure, 150, top=0, bottom=8)


def _wrapped(facts: Sequence[str], width: int) -> str:
    """At most two facts, each on at most two lines."""
    shown = []
    for fact in facts[:2]:
        lines = wrap(safe_text.one_line(fact, width * 2), width, max_lines=2, placeholder="…")
        shown.append("<br>".join(safe_text.chart(line, width) for line in lines))
    if len(facts) > 2:
        shown.append(f"and {len(facts) - 2} more")
    return "<br>".join(shown)
