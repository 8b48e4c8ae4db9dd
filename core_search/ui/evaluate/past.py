"""The history of a set: a trend, the evaluations with what decided them, and what moved since a chosen one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.evaluation.history import EvaluationRecord
from core_search.evaluation.moved import Moved, moved
from core_search.evaluation.recorded import differences
from core_search.ui import markup, safe_text
from core_search.ui.evaluate import address, running
from core_search.ui.evaluate.charts.trend import trend
from core_search.ui.evaluate.tables import clickable
from core_search.ui.evaluate.view import EvaluateView, query_id
from core_search.ui.evaluate.words import configuration, number, percent, title, when
from core_search.ui.memory.pieces import pickable

SINCE_KEY = "evaluate_since"


def past(view: EvaluateView) -> None:
    records = view.history.recent(view.record.setup.workspace, view.record.setup.set_id)
    finished = [record for record in reversed(records) if record.finished]
    measure = st.segmented_control(
        "Measure",
        view.scores.measures,
        key=f"past_measure_{view.k}",
        default=view.scores.measures[0],
        required=True,
        label_visibility="collapsed",
    )
    measure = measure or view.scores.measures[0]
    if finished:
        pickable(trend(finished, measure, view.k, view.record.id), "trend", f"{measure} over the evaluations", _choose)
    _list(view, records, measure)
    _since(view, finished, measure)
    _remove(view)


def _choose(part: Sequence[str]) -> None:
    address.choose(address.EVALUATION, part[0])


def _list(view: EvaluateView, records: Sequence[EvaluationRecord], measure: str) -> None:
    rows = []
    for record in records:
        summary = record.summaries.get(view.k)
        known = summary is not None and measure in summary.means
        done = "" if record.finished else f"{record.done} of "
        rows.append(
            {
                "": "on the page" if record.id == view.record.id else "",
                "when": when(record.created_at),
                measure: number(summary.means[measure]) if summary and known else "–",
                "unjudged": "–".join(map(number, summary.ranges[measure]))
                if summary and measure in summary.ranges
                else "",
                "judged": percent(summary.judged.get(measure)) if summary and measure in summary.ranges else "",
                "queries": f"{done}{record.setup.queries}",
                "in the means": f"{summary.queries}" if summary else "",
                "settings": safe_text.one_line(configuration(record.setup), 90),
                "configuration": record.configuration[:8],
                "data": record.setup.fingerprint[:8],
                "judgments": record.setup.judgments[:8],
            }
        )
    ids = [record.id for record in records]
    clickable(rows, f"past_{view.record.id}_{measure}", lambda at: address.choose(address.EVALUATION, ids[at]))


def _since(view: EvaluateView, finished: Sequence[EvaluationRecord], measure: str) -> None:
    others = [record for record in reversed(finished) if record.id != view.record.id]
    if not others:
        st.html(markup.dim("Evaluate again, with other settings or after a change, to see which queries moved."))
        return
    earlier = [record for record in others if record.created_at < view.record.created_at]
    titles = {record.id: title(record) for record in others}
    named = address.chosen(address.SINCE)
    st.session_state[SINCE_KEY] = named if named in titles else (earlier or others)[0].id
    since = st.selectbox(
        "What moved since",
        list(titles),
        key=SINCE_KEY,
        format_func=lambda record_id: safe_text.one_line(titles[record_id], 110),
        on_change=lambda: address.choose(address.SINCE, str(st.session_state[SINCE_KEY])),
    )
    other = next(record for record in others if record.id == since)
    before = [query.outcome for query in view.history.queries(other.id)]
    found = moved(before, [query.outcome for query in view.queries], view.k)
    what = differences(other.setup, view.record.setup)
    st.html(
        markup.dim(
            "Between the two: " + ("; ".join(what) if what else "the same settings, models, data, judgments") + "."
        )
    )
    if found.regraded:
        st.html(markup.dim(f"{found.regraded} queries were judged further; both are scored with the newer judgments."))
    _differences(found)
    _movers(view, found, since, measure)


def _differences(found: Moved) -> None:
    cells = []
    for name, difference in found.differences.items():
        sure = difference.low > 0 or difference.high < 0
        style, arrow = ("up", "▲") if difference.mean > 0 else ("down", "▼") if difference.mean < 0 else ("", "＝")
        says = "beyond chance" if sure else "within chance"
        says = says if difference.mean else "no difference"
        cells.append(
            f'<div class="ev-tile"><div class="name">{name}</div><div class="value ev-delta {style}">{arrow} '
            f'{difference.mean:+.3f}</div><div class="rest">95 %: {difference.low:+.3f} to {difference.high:+.3f}<br>'
            f"{says}</div></div>"
        )
    st.html(f'<div class="ev-tiles">{"".join(cells)}</div>')


def _movers(view: EvaluateView, found: Moved, since: str, measure: str) -> None:
    movers = found.moved(measure)
    down = sum(query.by(measure) < 0 for query in movers)
    parts = [
        f"{down} down",
        f"{len(movers) - down} up",
        f"{len(found.queries) - len(movers)} the same" if movers else "nothing moved",
    ]
    if found.only_before or found.only_after:
        parts.append(f"{len(found.only_before) + len(found.only_after)} only in one of both")
    st.html(f"<strong>{measure}: {', '.join(parts)}</strong>")
    rows = []
    for query in movers:
        delta = query.by(measure)
        rows.append(
            {
                "": "▲" if delta > 0 else "▼",
                "change": f"{delta:+.3f}",
                "before": number(query.before[measure]),
                "after": number(query.after[measure]),
                "id": query_id(query.key),
                "query": safe_text.one_line(view.by_key[query.key].outcome.query, 100),
            }
        )
    keys = [query_id(query.key) for query in movers]
    clickable(rows, f"movers_{view.record.id}_{since}_{measure}", lambda at: _open_query(keys[at]))
    if rows:
        st.html(markup.dim("Click a query to see its ranking."))


def _open_query(query: str) -> None:
    address.choose(address.QUERY, query)
    address.choose(address.TAB, "queries")


def _remove(view: EvaluateView) -> None:
    if view.page.read_only or running.running() == view.record.id:
        return
    with st.popover("Remove this evaluation", type="tertiary", icon=":material/delete:", key="remove_popover"):
        st.caption("Its numbers leave the history. The memory and the judgments stay.")
        st.button("Remove", key="remove_evaluation", on_click=_forget, args=(view,))


def _forget(view: EvaluateView) -> None:
    view.history.delete(view.record.id)
    address.choose(address.EVALUATION, "")
