"""Two to six runs side by side: what was asked otherwise, what came back otherwise, and where they part."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.comparison.report import Comparison, Pair, compare
from core_search.comparison.side import LETTERS, Side, name_of, side_of_run
from core_search.ui import markup, safe_text, session, words
from core_search.ui.charts.times import milliseconds
from core_search.ui.compare.configurations import options_by_name
from core_search.ui.compare.flow_chart import flow
from core_search.ui.compare.hand_on import hand_on
from core_search.ui.compare.rows import rows_table
from core_search.ui.pictures import item_picture
from core_search.ui.theme import STAGE_TITLES
from core_search.ui.view import View

PAIR = "compared_pair"


def sides_of(views: Sequence[View]) -> list[Side]:
    """The runs with their letters."""
    return [side_of_run(view.run, letter) for view, letter in zip(views, LETTERS, strict=False)]


def difference(views: Sequence[View], sides: Sequence[Side]) -> None:
    """Draw it. A run that failed is said to have failed, and is compared up to there."""
    comparison = compare(sides)
    with st.container(key="compare_overview"):
        _overview(views, sides, comparison)
    with st.container(key="compare_setups"):
        _setups(comparison)
    pair = _chosen_pair(sides, comparison)
    st.subheader("What came back otherwise", anchor=False)
    st.html(f'<div class="cs-verdict">{safe_text.span(f"{comparison.names[pair.side]} against A: {pair.text}")}</div>')
    with st.container(key="compare_body"):
        left, right = st.columns([2.1, 1], gap="large")
    with left, st.container(key="compare_rows"):
        rows_table(views, comparison, pair)
    with right, st.container(key="compare_parting"):
        _parting(views, sides, pair)
    _flow(views, comparison)
    hand_on(views, comparison)


def label_of(view: View, letter: str) -> str:
    """A letter and what the configuration is called."""
    engine = session.engine()
    return f"{letter} · {name_of(view.options, engine.default_options(), options_by_name(engine))}"


def _overview(views: Sequence[View], sides: Sequence[Side], comparison: Comparison) -> None:
    head = ("", "configuration", "answer", "against A", "Jaccard", "rank-biased overlap", "part at")
    rows = []
    for place, (view, side) in enumerate(zip(views, sides, strict=True)):
        name = label_of(view, side.name).split(" · ", 1)[1]
        if view.run.head.name:
            name = f"{view.run.head.name} ({name})"
        answer = words.summary(view) if side.result else f"did not run: {safe_text.one_line(side.error, 80)}"
        rows.append((side.name, name, answer, *(_against(comparison.pairs[place - 1]) if place else ("", "", "", ""))))
    st.html(markup.table(head, rows, numbers=(4, 5)))


def _against(pair: Pair) -> tuple[str, str, str, str]:
    where = STAGE_TITLES[pair.parting.stage] if pair.parting else "nowhere"
    overlap = [f"{value:.2f}" if value is not None else "" for value in (pair.jaccard, pair.rank_biased_overlap)]
    return pair.text, *overlap, where  # type: ignore[return-value]


def _setups(comparison: Comparison) -> None:
    st.subheader("What was asked otherwise", anchor=False)
    if not comparison.setups:
        st.html(markup.dim("Nothing: the same query, configuration, models and data."))
        return
    rows = [(found.area.value, found.name, *found.values) for found in comparison.setups]
    st.html(markup.table(("", "", *comparison.names), rows))


def _chosen_pair(sides: Sequence[Side], comparison: Comparison) -> Pair:
    if len(comparison.pairs) == 1:
        return comparison.pairs[0]
    place = st.segmented_control(
        "Against A",
        range(1, len(sides)),
        format_func=lambda place: f"A and {sides[place].name}",
        default=1,
        key=f"{PAIR}_{len(sides)}",
        required=True,
    )
    return comparison.pairs[int(place or 1) - 1]


def _parting(views: Sequence[View], sides: Sequence[Side], pair: Pair) -> None:
    st.subheader("Where they part", anchor=False)
    first, second = sides[0], sides[pair.side]
    stage = pair.parting.stage if pair.parting else "result"
    if pair.parting:
        st.html(
            f"<strong>{STAGE_TITLES[stage]}</strong>"
            f'<div class="cs-dim" dir="auto">{safe_text.span(pair.parting.text)}</div>'
        )
    else:
        st.html(markup.dim("Nowhere: every stage decided the same."))
    with st.container(horizontal=True, gap="small"):
        for view, side in ((views[0], first), (views[pair.side], second)):
            st.page_link(
                "app.py",
                label=f"Open {side.name} at {STAGE_TITLES[stage]}",
                icon=":material/open_in_new:",
                query_params={"run": view.run.id, "stage": stage},
            )
    rows = []
    for found in pair.stages:
        one, two = first.trace.stage(found.stage), second.trace.stage(found.stage)
        flows = [f"{s.in_}→{s.out}" if s.status.value != "skipped" else "skipped" for s in (one, two)]
        times = " / ".join(milliseconds(s.duration_ms) for s in (one, two))
        mark = "" if not found.text else "● " if pair.parting and found.stage == pair.parting.stage else "○ "
        rows.append((mark + STAGE_TITLES[found.stage], *flows, times))
    st.html(markup.table(("stage", first.name, second.name, "time"), rows, numbers=(1, 2, 3)))
    st.html(markup.dim("● the first that decided otherwise, ○ those behind it that follow; items in → out"))


def _flow(views: Sequence[View], comparison: Comparison) -> None:
    figure = flow(comparison, [label_of(view, name) for view, name in zip(views, comparison.names, strict=True)],
                  lambda kind, item_id: _name(views, kind, item_id))  # fmt: skip
    if figure is None:
        return
    st.subheader("Ranks from run to run", anchor=False)
    item_picture(figure, "compare_flow", "ranks of the items in each run")


def _name(views: Sequence[View], kind, item_id: str) -> str:  # type: ignore[no-untyped-def]
    for view in views:
        item = view.items.get(kind, item_id)
        if item.text is not None or item.title:
            return item.name
    return item_id
