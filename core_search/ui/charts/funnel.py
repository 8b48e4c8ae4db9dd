"""How many items came through, stage by stage, and what each stage lost and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import plotly.graph_objects as go

from core_search.trace import DropCode, Fate, Stage, Status, Trace
from core_search.ui.charts.frame import framed, names_width
from core_search.ui.theme import ACCENT, CODE_WORDS, SHORT_CODE_WORDS, STAGE_TITLES

# Label search and gate count labels, not items of the answer.
ITEM_STAGES = ("handle", "merge", "backstop", "rerank", "compact", "budget", "fallback")
# Of the chart's width that one letter takes, in a window of 800 px.
_CHARACTER_SHARE = 0.0138
_LOSS_TINTS = ("rgba(128,136,150,0.45)", "rgba(128,136,150,0.3)", "rgba(128,136,150,0.2)")


@dataclass(frozen=True, slots=True)
class Level:
    """One bar: what stayed, what left by code, and what stands beside the ranking."""

    stage: str
    kept: int
    beside: int
    lost: tuple[tuple[DropCode, int], ...]
    status: Status


def levels(trace: Trace) -> list[Level]:
    """The bars of a trace; the fallback only when it ran."""
    shown = [stage for stage in trace.stages if stage.name in ITEM_STAGES]
    return [_level(s) for s in shown if s.name != "fallback" or s.status is not Status.SKIPPED]


def _level(stage: Stage) -> Level:
    beside = sum(e.fate is Fate.KEPT and bool(e.detail.get("beside")) for e in stage.ledger)
    lost = Counter(entry.code for entry in stage.ledger if entry.code)
    return Level(stage.name, stage.out - beside, beside, tuple(lost.most_common()), stage.status)


def funnel(trace: Trace) -> go.Figure:
    """Horizontal bars, one a stage, with the losses behind them. `customdata` is `[stage, code or ""]`."""
    rows = levels(trace)
    names = [STAGE_TITLES[row.stage] for row in rows]
    figure = go.Figure()
    figure.add_bar(
        x=[row.kept for row in rows],
        y=names,
        orientation="h",
        marker={"color": [ACCENT if row.status is not Status.SKIPPED else "rgba(91,123,224,0.45)" for row in rows]},
        text=[f"{row.kept:,}" for row in rows],
        textposition="inside",
        insidetextanchor="start",
        customdata=[[row.stage, ""] for row in rows],
        hovertemplate="%{y}: %{x:,} go on",
        width=0.6,
    )
    deepest = max((len(row.lost) for row in rows), default=0)
    for depth in range(deepest):
        here = [(row, row.lost[depth]) for row in rows if len(row.lost) > depth]
        figure.add_bar(
            x=[count for _, (_, count) in here],
            y=[STAGE_TITLES[row.stage] for row, _ in here],
            orientation="h",
            marker={"color": _LOSS_TINTS[min(depth, len(_LOSS_TINTS) - 1)], "line": {"width": 0}},
            customdata=[[row.stage, code.value, CODE_WORDS[code]] for row, (code, _) in here],
            hovertemplate="%{y}: %{x:,} %{customdata[2]}",
            width=0.6,
        )
    widest = max((row.kept + sum(count for _, count in row.lost) for row in rows), default=1) or 1
    totals, lengths = [widest], [0]
    notes = []
    for row in rows:
        total = row.kept + sum(count for _, count in row.lost)
        words = [f"−{count:,} {SHORT_CODE_WORDS[code]}" for code, count in row.lost]
        if row.beside:
            words.append(f"{row.beside:,} beside the ranking")
        if row.status is Status.SKIPPED:
            words.append("skipped")
        if words:
            notes.append(
                {
                    "x": total,
                    "y": STAGE_TITLES[row.stage],
                    "text": "   " + " · ".join(words),
                    "showarrow": False,
                    "xanchor": "left",
                    "font": {"size": 11.5},
                    "opacity": 0.85,
                }
            )
            totals.append(total)
            lengths.append(len(" · ".join(words)))
    figure.update_layout(barmode="stack", annotations=notes)
    figure.update_yaxes(
        categoryorder="array", categoryarray=names[::-1], showgrid=False, automargin=False, ticklabelstandoff=8
    )
    figure.update_xaxes(range=[0, _range(totals, lengths)], showticklabels=False, showgrid=False)
    return framed(figure, 40 + 34 * len(rows), bottom=6, left=8 + names_width(names))


def _range(totals: list[int], lengths: list[int]) -> float:
    """How far the axis goes, so that each bar has room for its words behind it."""
    shares = [min(0.7, length * _CHARACTER_SHARE + 0.03) for length in lengths]
    return max(total / (1 - share) for total, share in zip(totals, shares, strict=True))


__all__ = ["ITEM_STAGES", "Level", "funnel", "levels"]
