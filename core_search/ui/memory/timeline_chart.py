"""Episodes over time as bars, and under them a row for each of the largest labels with a dot for each stretch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import plotly.graph_objects as go

from core_search.browse import TimeLine, Unit
from core_search.ui import safe_text
from core_search.ui.charts.frame import framed
from core_search.ui.theme import ACCENT, ACCENT_SOFT, MUTED, MUTED_SOLID

MOST_LABELS = 12
MOST_DOTS = 1_600  # more of them can neither be told apart nor drawn in good time
LARGEST_DOT = 15  # pixels
BARS, ROW, AXIS = 110, 20, 40  # heights in pixels
_DAY_MS = 86_400_000


def rows_of(line: TimeLine) -> list[str]:
    """The labels that get a row, the largest first; fewer when the stretches are many."""
    sizes = {label: sum(counts.values()) for label, counts in line.labels.items()}
    most = min(MOST_LABELS, MOST_DOTS // max(1, len(line.episodes)))
    return sorted(sizes, key=lambda label: (-sizes[label], label))[:most]


def time_line_chart(
    line: TimeLine, names: Mapping[str, str], *, picked: date | None = None, label: str | None = None
) -> go.Figure:
    """`customdata` is `[first day, label id or ""]`. A picked stretch and a label stand out."""
    rows = rows_of(line)
    figure = go.Figure()
    whole_colour = MUTED if label else None
    _bars(figure, line, line.episodes, "", "episodes", picked, whole_colour)
    if label:
        _bars(figure, line, line.labels.get(label, {}), label, f"of {names.get(label, label)}", picked, None)
    most = max((count for row in rows for count in line.labels[row].values()), default=1)
    for at, row in enumerate(rows):
        _dots(figure, line.unit, line.labels[row], row, names.get(row, row), at, most, label in (None, row))
    height = BARS + (ROW * len(rows) + 8 if rows else 0)
    share = 1 - BARS / height if rows else 0.0
    figure.update_layout(barmode="overlay", bargap=0)
    figure = framed(figure, height + AXIS, top=8, bottom=AXIS - 8)
    figure.update_layout(
        xaxis={"anchor": "y2" if rows else "y"},  # the dates stand under the last row
        yaxis={"domain": [share, 1], "nticks": 4, "rangemode": "tozero"},
        yaxis2={
            "domain": [0, max(0.0, share - 0.03)],
            "anchor": "x",
            "range": [len(rows) - 0.5, -0.5],
            "tickvals": list(range(len(rows))),
            "ticktext": [safe_text.chart(names.get(row, row), 22) for row in rows],
            "automargin": True,
            "showgrid": False,
            "fixedrange": True,
        },
    )
    return figure


def _bars(
    figure: go.Figure,
    line: TimeLine,
    counts: Mapping[date, int],
    label: str,
    what: str,
    picked: date | None,
    colour: str | None,
) -> None:
    firsts = sorted(counts)
    tints = [colour or (ACCENT if picked in (None, first) else ACCENT_SOFT) for first in firsts]
    lengths = [((line.unit.last_day(first) - first).days + 1) * _DAY_MS for first in firsts]
    figure.add_bar(
        x=firsts,
        y=[counts[first] for first in firsts],
        width=[0.86 * length for length in lengths],
        offset=[0.07 * length for length in lengths],
        marker={"color": tints, "line": {"width": 0}, "cornerradius": 2},
        # What strangers wrote stands in the data: in the template it would be read as one.
        customdata=[[first.isoformat(), label, words(line.unit, first), safe_text.chart(what)] for first in firsts],
        hovertemplate="%{customdata[2]}: %{y:,} %{customdata[3]}<extra></extra>",
    )


def _dots(
    figure: go.Figure,
    unit: Unit,
    counts: Mapping[date, int],
    label: str,
    name: str,
    row: int,
    most: int,
    strong: bool,
) -> None:
    firsts = sorted(counts)
    figure.add_scatter(
        x=[_middle(unit, first) for first in firsts],
        y=[row] * len(firsts),
        yaxis="y2",
        mode="markers",
        marker={
            # The area of a dot stands for its count.
            "size": [max(3.0, LARGEST_DOT * math.sqrt(counts[first] / most)) for first in firsts],
            "color": ACCENT if strong else MUTED_SOLID,
            "opacity": 0.75 if strong else 0.4,
            "line": {"width": 0},
        },
        customdata=[
            [first.isoformat(), label, words(unit, first), safe_text.chart(name), counts[first]] for first in firsts
        ],
        hovertemplate="%{customdata[3]}, %{customdata[2]}: %{customdata[4]:,}<extra></extra>",
    )


def _middle(unit: Unit, first: date) -> date:
    return first + timedelta(days=(unit.last_day(first) - first).days / 2)


def words(unit: Unit, first: date) -> str:
    """The stretch that begins on `first`, for people."""
    match unit:
        case Unit.DAY:
            return first.isoformat()
        case Unit.WEEK:
            return f"the week of {first.isoformat()}"
        case Unit.MONTH:
            return f"{first:%B} {first.year}"
        case Unit.YEAR:
            return str(first.year)


def explained(rows: Sequence[str], labels: int) -> str:
    """What the rows are, in a sentence."""
    if not rows:
        return ""
    left = labels - len(rows)
    more = f"; {left} smaller label{'s have' if left > 1 else ' has'} no row" if left > 0 else ""
    return (
        f"A row a label: the larger the dot, the more episodes{more}. Click a bar or a dot to list what it stands for."
    )
