"""The means with everything that is not known about them, overall and by group."""

from __future__ import annotations

import html

import pandas as pd
import streamlit as st

from core_search.evaluation.measures import Summary
from core_search.evaluation.qrels import relevant
from core_search.ui import markup, safe_text
from core_search.ui.charts.frame import CONFIG
from core_search.ui.evaluate.charts.forest import forest
from core_search.ui.evaluate.view import EvaluateView, query_id
from core_search.ui.evaluate.words import MEASURE_WORDS, number, percent

GROUPING_TITLES = {"routed": "type as routed", "type": "type as expected", "tag": "tag"}


def results(view: EvaluateView) -> None:
    overall = view.scores.breakdown.overall
    if not overall.queries:
        st.info("No query that ran has a relevant item, so there is no mean yet.", icon=":material/inbox:")
    else:
        st.html(f'<div class="ev-tiles">{"".join(_tile(overall, name) for name in view.scores.measures)}</div>')
        st.html(
            markup.dim(
                f"Means of {overall.queries} queries. 95 % intervals by bootstrap over queries. Unjudged items count "
                "as not relevant; behind “unjudged” stands the mean with those among the measured places as relevant."
            )
        )
        _groups(view)
    _left_out(view)


def _tile(summary: Summary, measure: str) -> str:
    low, high = summary.intervals[measure]
    name = measure.partition("@")[0]
    rest = [f"95 %: {number(low)} to {number(high)}"]
    bar = ""
    if measure in summary.ranges:
        worst, best = summary.ranges[measure]
        judged = summary.judged.get(measure)
        bar = f'<div class="ev-bar"><i style="width:{100 * (judged or 0):.1f}%"></i></div>'
        rest.append(f"unjudged: {number(worst)} to {number(best)}")
        rest.append(f"{percent(judged)} of its places judged")
    else:
        bar = f'<div class="ev-bar"><i style="width:{100 * summary.means[measure]:.1f}%"></i></div>'
        rest.append("no result counts 0")
    lines = "<br>".join(html.escape(line) for line in rest)
    return (
        f'<div class="ev-tile" title="{html.escape(MEASURE_WORDS[name])}">'
        f'<div class="name">{html.escape(measure)}</div>'
        f'<div class="value">{number(summary.means[measure])}</div>{bar}<div class="rest">{lines}</div></div>'
    )


def _groups(view: EvaluateView) -> None:
    groups = {name: of for name, of in view.scores.breakdown.groups.items() if of}
    if not groups:
        return
    titles = {name: GROUPING_TITLES[name] for name in GROUPING_TITLES if name in groups}
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    grouping = left.segmented_control(
        "By", list(titles), key="evaluate_by", format_func=lambda name: titles[name], required=True,
        default=next(iter(titles)),
    )  # fmt: skip
    measure = right.segmented_control(
        "Measure", view.scores.measures, key=f"evaluate_measure_{view.k}", required=True,
        default=view.scores.measures[0],
    )  # fmt: skip
    chosen = {"all": view.scores.breakdown.overall, **groups[grouping or next(iter(titles))]}
    measure = measure or view.scores.measures[0]
    st.plotly_chart(
        forest(chosen, measure), config=CONFIG, key="forest", alt=f"{measure} by {grouping} with intervals and ranges"
    )
    st.html(
        markup.dim("Point: mean. Line: 95 % interval. Band: from unjudged as not relevant to unjudged as relevant.")
    )
    with st.expander("All numbers by group"):
        st.dataframe(_table(view, chosen), hide_index=True, height="content")


def _table(view: EvaluateView, groups: dict[str, Summary]) -> pd.DataFrame:
    rows = []
    for name, summary in groups.items():
        row: dict[str, object] = {"group": safe_text.one_line(name, 60), "queries": summary.queries}
        for measure in view.scores.measures:
            low, high = summary.intervals[measure]
            row[measure] = number(summary.means[measure])
            row[f"{measure} 95 %"] = f"{number(low)}–{number(high)}"
            if measure in summary.ranges:
                row[f"{measure} unjudged"] = "–".join(map(number, summary.ranges[measure]))
        rows.append(row)
    return pd.DataFrame(rows)


def _left_out(view: EvaluateView) -> None:
    """What is in no mean, and what the means hide."""
    outcomes = [query.outcome for query in view.queries]
    failed = [outcome for outcome in outcomes if not outcome.ran]
    nothing = [outcome for outcome in outcomes if outcome.ran and not relevant(outcome.grades)]
    closed = [outcome for outcome in outcomes if outcome.gate_open is False]
    empty = [outcome for outcome in outcomes if outcome.counts and not outcome.ranking]
    degraded = sum(bool(outcome.degraded) for outcome in outcomes)
    if failed:
        st.warning(f"{len(failed)} queries did not run; they are in no mean, not zeros.", icon=":material/error:")
        with st.expander(f"The {len(failed)} queries that did not run"):
            rows = [(outcome.id, outcome.query, outcome.problem or "") for outcome in failed]
            st.html(markup.table(("query", "", "problem"), rows))
    facts = [
        (
            "nothing relevant judged",
            f"{len(nothing)}, in no mean" + (f": {_ids([o.key for o in nothing])}" if nothing else ""),
        ),
        ("no result", f"{len(empty)}, counted 0" + (f": {_ids([o.key for o in empty])}" if empty else "")),
        ("gate closed", f"{len(closed)}" + (f": {_ids([o.key for o in closed])}" if closed else "")),
        ("degraded", str(degraded)),
    ]
    st.html(markup.facts(facts))
    if nothing:
        without = [(o.id, o.query, "closed" if o.gate_open is False else "open", f"{len(o.ranking)}") for o in nothing]
        with st.expander(f"The {len(nothing)} queries without a relevant item"):
            st.html(
                markup.dim("Nothing can be found for them: a closed gate or few results is all that they can show.")
            )
            st.html(markup.table(("query", "", "gate", "ranked"), without, numbers=(3,)))


def _ids(keys: list[str], most: int = 12) -> str:
    return ", ".join(query_id(key) for key in keys[:most]) + (", …" if len(keys) > most else "")
