"""A comparison over a query set: who wins by how much, a bar of wins and losses, a heat map, and the times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core_search.comparison.set_report import TIE, ConfigurationScore, SetComparison, SetRow
from core_search.comparison.set_spec import SetSpec
from core_search.comparison.side import LETTERS
from core_search.errors import CoreSearchError
from core_search.evaluation.judged_set import JudgedSet
from core_search.ui import markup, safe_text, session
from core_search.ui.charts.frame import framed
from core_search.ui.charts.times import milliseconds
from core_search.ui.compare.one_query import search_once
from core_search.ui.frame import Page
from core_search.ui.pictures import picture
from core_search.ui.theme import DOWN, MUTED_SOLID, STAGE_TITLES, UP

HEAT = "set_heat"
ROW_PX, MOST_ROWS = 35, 24
# Cells are tinted by their own value in one hue; the sign of a change is written, not tinted.
TINT = "91,123,224"


def draw_report(page: Page, spec: SetSpec, judged: JudgedSet, comparison: SetComparison) -> None:
    st.subheader(f"{comparison.measure} over {len(comparison.rows)} judged queries", anchor=False)
    st.html(markup.table(*_summary(comparison), numbers=tuple(range(1, 7)), short=(0,)))
    for line in _verdicts(comparison):
        st.html(f'<div class="cs-verdict">{safe_text.span(line)}</div>')
    for line in _remarks(spec, comparison):
        st.html(markup.dim(line))
    with st.container(key="set_body"):
        left, right = st.columns([1, 1], gap="large")
    with left:
        st.subheader("Queries won, tied and lost against A", anchor=False)
        picture(win_bars(comparison.configurations), "set_bars", "wins, ties and losses")
    with right:
        st.subheader("Time of each stage, median / 95th percentile", anchor=False)
        st.html(_times(comparison.configurations))
    st.subheader("Query by query, the largest loss first", anchor=False)
    st.html(
        markup.dim("Click a cell to open that configuration beside A for that query, at the stage where they part.")
    )
    _heat(page, spec, judged, comparison)


def _summary(comparison: SetComparison) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    head = (
        "configuration",
        "mean (95 %)",
        "judged",
        "against A (95 %)",
        "won / tied / lost",
        "did not run",
        "median, p95",
    )
    rows: list[tuple[str, ...]] = []
    for letter, one in zip(LETTERS, comparison.configurations, strict=False):
        whole = next(iter(one.times), None)
        rows.append(
            (
                f"{letter} · {one.name}",
                _mean(one),
                f"{one.judged:.0%}" if one.judged is not None else "",
                _difference(one),
                f"{one.wins} / {one.ties} / {one.losses}" if one.difference is not None else "",
                str(one.did_not_run or ""),
                f"{milliseconds(whole.median_ms)}, {milliseconds(whole.p95_ms)}" if whole else "",
            )
        )
    return head, rows


def _mean(one: ConfigurationScore) -> str:
    if one.mean is None or one.interval is None:
        return "nothing ran"
    return f"{one.mean:.3f} ({one.interval[0]:.3f} to {one.interval[1]:.3f})"


def _difference(one: ConfigurationScore) -> str:
    if one.difference is None or one.difference_interval is None:
        return ""
    low, high = one.difference_interval
    return f"{signed(one.difference)} ({signed(low)} to {signed(high)})"


def signed(value: float) -> str:
    """A difference with its sign and arrow.

    >>> signed(-0.25)
    '▼ −0.250'
    """
    if abs(value) <= TIE:
        return "0"
    return f"▲ +{value:.3f}" if value > 0 else f"▼ −{-value:.3f}"


def _verdicts(comparison: SetComparison) -> list[str]:
    """In words what the numbers allow to say."""
    lines = []
    for letter, one in zip(LETTERS, comparison.configurations, strict=False):
        if one.mean is None:
            lines.append(f"{letter} has no value: none of its searches ran.")
        if one.difference_interval is None:
            continue
        low, high = one.difference_interval
        if low > 0 or high < 0:
            sure = f"{letter} is {'better' if low > 0 else 'worse'} than A; the interval does not reach 0."
        elif one.wins == one.losses == 0:
            sure = f"{letter} equals A on every query."
        else:
            sure = f"{letter} and A: no clear difference, the interval holds 0."
        if one.noise is not None:
            drowned = abs(one.difference or 0.0) <= one.noise
            sure += f" Repetitions alone move its mean by ±{one.noise:.3f}" + (", more than that." if drowned else ".")
        lines.append(sure)
    return lines


def _remarks(spec: SetSpec, comparison: SetComparison) -> list[str]:
    """How it was measured."""
    lines = []
    if comparison.without_relevant:
        lines.append(f"{comparison.without_relevant} queries have nothing relevant in the memory and are left out.")
    how = (
        "as an agent gets it: floors, limit and budget cut"
        if spec.as_answered
        else f"whole rankings to {spec.depth} episodes"
    )
    lines.append(f"Measured on {how}. Unjudged episodes count as not relevant; “judged” says how many are judged.")
    return lines


def win_bars(configurations: Sequence[ConfigurationScore]) -> go.Figure:
    """A bar a configuration: queries won, tied and lost against the first."""
    others = list(zip(LETTERS, configurations, strict=False))[1:]
    names = [safe_text.chart(f"{letter} · {one.name}", 26) for letter, one in others]
    figure = go.Figure()
    for what, colour in (("wins", UP), ("ties", MUTED_SOLID), ("losses", DOWN)):
        counts = [int(getattr(one, what)) for _, one in others]
        words = {"wins": "won ▲", "ties": "tied", "losses": "lost ▼"}[what]
        figure.add_bar(
            y=names,
            x=counts,
            orientation="h",
            marker={"color": colour},
            text=[f"{count} {words}" if count else "" for count in counts],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": "#fff", "size": 12},
            hovertemplate=f"%{{x}} {words}<extra></extra>",
            width=0.6,
        )
    figure.update_layout(barmode="stack")
    figure.update_xaxes(showgrid=False, showticklabels=False)
    figure.update_yaxes(autorange="reversed", automargin=True, showgrid=False)
    return framed(figure, 30 + 46 * len(others), bottom=6)


def _times(configurations: Sequence[ConfigurationScore]) -> str:
    stages = list(dict.fromkeys(time.stage for one in configurations for time in one.times))
    rows = []
    for stage in stages:
        cells = []
        for one in configurations:
            found = next((time for time in one.times if time.stage == stage), None)
            cells.append(f"{milliseconds(found.median_ms)} / {milliseconds(found.p95_ms)}" if found else "skipped")
        rows.append((STAGE_TITLES.get(stage, stage), *cells))
    letters = LETTERS[: len(configurations)]
    return markup.table(("", *letters), rows, numbers=tuple(range(1, len(configurations) + 1)), short=(0,))


def _heat(page: Page, spec: SetSpec, judged: JudgedSet, comparison: SetComparison) -> None:
    letters = LETTERS[: len(comparison.configurations)]
    heads = [f"{letter} · {one.name}" for letter, one in zip(letters, comparison.configurations, strict=True)]
    rows = comparison.rows
    frame = pd.DataFrame(
        [{"query": safe_text.one_line(row.query, 110), **dict(zip(heads, _cells(row), strict=True))} for row in rows]
    )
    css = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for place, head in enumerate(heads):
        css[head] = [f"background-color: rgba({TINT},{0.04 + 0.5 * (row.values[place] or 0):.2f})" for row in rows]
    columns: dict[str, Any] = {head: st.column_config.TextColumn(width=128) for head in heads}
    columns["query"] = st.column_config.TextColumn(width=210)
    st.dataframe(
        frame.style.apply(lambda _: css, axis=None),
        key=HEAT,
        hide_index=True,
        column_config=columns,
        on_select=lambda: _open(page, spec, judged, rows, heads),
        selection_mode="single-cell",
        height="content" if len(rows) <= MOST_ROWS else ROW_PX * MOST_ROWS,
        placeholder="",
    )


def _cells(row: SetRow) -> list[str]:
    cells = []
    for place, value in enumerate(row.values):
        if value is None:
            cells.append("did not run" if row.problems[place] else "not run yet")
            continue
        difference = row.difference(place) if place else None
        cells.append(f"{value:.2f}" + (f"  {signed(difference)}" if difference and abs(difference) > TIE else ""))
    return cells


def _open(page: Page, spec: SetSpec, judged: JudgedSet, rows: Sequence[SetRow], heads: Sequence[str]) -> None:
    """Both searches of the clicked cell, on the view of one query."""
    cells = dict((st.session_state.get(HEAT) or {}).get("selection", {})).get("cells", [])
    if not cells:
        return
    number, head = cells[0][0], str(cells[0][1])
    place = heads.index(head) if head in heads else 1
    query = next(q for q in judged.queries if q.id == rows[number].id)
    defaults = page.engine.default_options()
    try:
        changes = [spec.changes_of(one, defaults) for one in (0, place or 1)]
        ids = [search_once(page, query.query, query.now, one) for one in changes]
    except CoreSearchError as error:
        st.session_state["set_problem"] = error
        return
    session.set_parameter("runs", ",".join(ids))
    session.set_parameter("mode", "query")
    session.set_parameter("item", "")
