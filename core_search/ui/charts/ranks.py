"""Ranks through the stages: a line an item, with a cap where it left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core_search.models import ItemKind
from core_search.trace import Fate, Stage, Status, Trace
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.theme import CODE_WORDS, MUTED, SERIES, STAGE_TITLES

MOST_COLOURED = 15
MOST_LINES = 50
RANKED = ("handle", "merge", "backstop", "rerank", "compact", "budget", "fallback")


@dataclass(frozen=True, slots=True)
class RankLine:
    """An item's ranks by stage (positions into `stages`), and where and why it left."""

    kind: ItemKind
    id: str
    points: tuple[tuple[int, int], ...]
    left_at: tuple[int, int] | None
    reason: str

    @property
    def last_rank(self) -> int:
        return self.points[-1][1] if self.points else (self.left_at or (0, 1_000))[1]


def rank_lines(trace: Trace, stages: Sequence[str]) -> list[RankLine]:
    """The lines of a trace, those that came furthest first, then by their last rank."""
    points: dict[tuple[ItemKind, str], dict[int, int]] = {}
    left: dict[tuple[ItemKind, str], tuple[int, int, str]] = {}
    key: tuple[ItemKind, str]
    for position, name in enumerate(stages):
        for entry in trace.stage(name).ledger:
            if entry.detail.get("beside") or entry.kind in (ItemKind.LABEL, ItemKind.ENTITY):
                continue
            key = entry.kind, entry.id
            if entry.fate is Fate.KEPT and entry.rank_out is not None:
                points.setdefault(key, {}).setdefault(position, entry.rank_out)
            elif entry.code and entry.code.value != "duplicate":
                left[key] = (position, entry.rank_in or 0, CODE_WORDS[entry.code])
    lines = []
    for key in dict.fromkeys([*points, *left]):
        own = tuple(sorted(points.get(key, {}).items()))
        at = left.get(key)
        # One path may drop what another keeps: it left only when nothing carries it on.
        gone = at if at and (not own or own[-1][0] < at[0]) else None
        rank = gone[1] if gone and gone[1] else (own[-1][1] if own else 0)
        lines.append(RankLine(*key, own, (gone[0], rank) if gone else None, gone[2] if gone else ""))
    lines = [line for line in lines if line.points]
    return sorted(lines, key=lambda line: (-line.points[-1][0], line.left_at is not None, line.last_rank))


def shown_stages(trace: Trace) -> list[str]:
    """The ranking stages that have something to show."""
    return [
        s.name
        for s in trace.stages
        if s.name in RANKED and s.ledger and not (s.name == "fallback" and s.status is Status.SKIPPED)
    ]


def bump(
    trace: Trace,
    name_of: Callable[[ItemKind, str], str],
    *,
    stages: Sequence[str] | None = None,
    chosen: tuple[ItemKind, str] | None = None,
    most: int = MOST_LINES,
) -> go.Figure:
    """At most 15 lines in full colour, the rest grey, each end cap a drop. `customdata` is `[kind, id]`."""
    stages = list(stages) if stages is not None else shown_stages(trace)
    lines = rank_lines(trace, stages)[:most]
    names = [STAGE_TITLES[name] for name in stages]
    strong = [line for place, line in enumerate(lines) if place < MOST_COLOURED or chosen == (line.kind, line.id)]
    traces = [_grey([line for line in lines if line not in strong], names)]
    labels = []
    for number, line in reversed(list(enumerate(strong))):
        colour, name = SERIES[number % len(SERIES)], name_of(line.kind, line.id)
        width = 3.5 if chosen == (line.kind, line.id) else 2
        traces.append(_coloured(line, names, colour, safe_text.chart(name, 60), width))
        if not line.left_at and line.points[-1][0] == len(stages) - 1:
            labels.append(_label(line, safe_text.chart(name, 26), colour))
    figure = go.Figure(traces, {"annotations": labels})  # in one go: trace by trace it takes twice as long
    deepest = max((rank for line in lines for _, rank in line.points), default=1)
    figure.update_yaxes(range=[deepest + 0.8, 0.2], title="rank", showgrid=False, dtick=5 if deepest > 12 else 1)
    figure.update_xaxes(
        tickvals=list(range(len(stages))),
        ticktext=[_tick(trace.stage(name)) for name in stages],
        side="top",
        range=[-0.12 * len(stages) / 3, len(stages) - 1 + 0.12],
    )
    return framed(figure, max(220, min(800, 80 + 15 * deepest)), top=42, bottom=8, left=46, right=178)


def _places(line: RankLine) -> tuple[list[int], list[int], list[str]]:
    """Where a line has its points, and their symbols: a cross where it left."""
    xs, ys = [place for place, _ in line.points], [rank for _, rank in line.points]
    if line.left_at and line.left_at[0] not in xs:
        xs, ys = [*xs, line.left_at[0]], [*ys, line.left_at[1]]
    symbols = ["circle"] * len(xs)
    if line.left_at:
        symbols[-1] = "x-thin-open"
    return xs, ys, symbols


def _coloured(line: RankLine, stages: list[str], colour: str, name: str, width: float) -> dict[str, Any]:
    xs, ys, symbols = _places(line)
    sizes = [7 if symbol == "circle" else 9 for symbol in symbols]
    return {
        "type": "scatter",
        "x": xs,
        "y": ys,
        "mode": "lines+markers",
        "line": {"color": colour, "width": width, "shape": "spline", "smoothing": 0.35},
        "marker": {"color": colour, "size": sizes, "symbol": symbols, "line": {"width": width, "color": colour}},
        "customdata": [[line.kind.value, line.id]] * len(xs),
        "text": [f"{name}<br>rank {rank} in {stages[x]}" for x, rank in zip(xs, ys, strict=True)],
        "hovertemplate": "%{text}" + (f"<br>left: {line.reason}" if line.left_at else "") + "<extra></extra>",
    }


def _grey(lines: Sequence[RankLine], stages: list[str]) -> dict[str, Any]:
    """All of them as one trace with gaps: fifty traces would take longer to send than to read."""
    xs: list[int | None] = []
    ys: list[int | None] = []
    symbols: list[str] = []
    items: list[list[str]] = []
    for line in lines:
        own_xs, own_ys, own_symbols = _places(line)
        xs += [*own_xs, None]
        ys += [*own_ys, None]
        symbols += [*own_symbols, "circle"]
        left = f", left: {line.reason}" if line.left_at else ""
        items += [[line.kind.value, line.id, f"{safe_text.chart(line.id)}{left}"]] * (len(own_xs) + 1)
    return {
        "type": "scatter",
        "x": xs,
        "y": ys,
        "mode": "lines+markers",
        "line": {"color": MUTED, "width": 1},
        "marker": {"color": MUTED, "size": 6, "symbol": symbols, "line": {"width": 1, "color": MUTED}},
        "customdata": items,
        "hovertemplate": "%{customdata[2]}<br>rank %{y}<extra></extra>",
    }


def _label(line: RankLine, name: str, colour: str) -> dict[str, Any]:
    """The name at the end of a line."""
    place, rank = line.points[-1]
    font = {"size": 11, "color": colour}
    return {"x": place, "y": rank, "text": name, "font": font, "showarrow": False, "xanchor": "left", "xshift": 9}


def _tick(stage: Stage) -> str:
    ranked = stage.out - sum(entry.fate is Fate.KEPT and bool(entry.detail.get("beside")) for entry in stage.ledger)
    return f"{STAGE_TITLES[stage.name]}<br>{ranked:,}" + (f" (−{stage.dropped:,})" if stage.dropped else "")
