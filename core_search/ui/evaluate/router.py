"""The router on labelled queries: what it understands, what it confuses, and what its confidence is worth."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.engine import SAMPLE_DATA
from core_search.evaluation.labelled_queries import labelled_queries, load_labelled_queries
from core_search.evaluation.route_judgment import CLOSED, JudgedRoute
from core_search.evaluation.router_history import KeptReport, RouterHistory
from core_search.evaluation.router_report import Accuracy, Share
from core_search.evaluation.workspace_routing import report_routing
from core_search.judgments.exchange import decoded
from core_search.models import QueryType
from core_search.ui import markup, safe_text, session
from core_search.ui.charts.frame import CONFIG
from core_search.ui.evaluate.charts.confusion import confusion
from core_search.ui.evaluate.charts.reliability import reliability
from core_search.ui.evaluate.head import duration
from core_search.ui.evaluate.words import percent, when
from core_search.ui.frame import Page
from core_search.ui.memory.pieces import pickable

LABELLED = SAMPLE_DATA / "labelled" / "router_queries.jsonl"
SECONDS_PER_QUERY = 0.02  # rules and one embedding; a language model takes its time on top
CELL, GO = "router_cell", "router_go"
MEASURES = (
    ("route", "whole route"),
    ("gate", "gate"),
    ("type", "query type"),
    ("range", "time range"),
    ("attribute", "attribute"),
    ("hint_recall", "hints found"),
    ("hint_precision", "hints that fit"),
    ("aspects", "aspects"),
    ("facets", "facets"),
)
# What the list of wrong routes can be about, by the fields of `JudgedRoute`.
PARTS = {"right": "whole route", "gate": "gate", "type": "query type", "range": "time range"}


def router_view(page: Page) -> None:
    history = RouterHistory(session.records().database)
    place = st.container()
    _controls(page, history, place)
    kept = history.latest(page.workspace)
    if kept is None:
        st.html(
            markup.dim(
                "Each query is routed, not searched, and compared with its label: query type, gate, time range, hints, "
                "aspects, and whether the confidence keeps its word."
            )
        )
    else:
        _report(page, kept)


def _controls(page: Page, history: RouterHistory, place: st.delta_generator.DeltaGenerator) -> None:
    with st.expander("Other labelled queries (JSON Lines)"):
        upload = st.file_uploader(
            "One query a line: id, query, now, expected", type=["jsonl", "json"], key="router_upload"
        )
    queries = (
        labelled_queries(decoded(upload.getvalue(), upload.name), upload.name)
        if upload
        else load_labelled_queries(LABELLED)
    )
    source = upload.name if upload else "the sample's labelled queries"
    words = (
        f"Evaluate the router on {len(queries):,} labelled queries (about {duration(len(queries) * SECONDS_PER_QUERY)})"
    )
    with place:
        pressed = st.button(
            words, key=GO, icon=":material/play_arrow:", disabled=page.read_only,
            help=f"{source}, with the names and labels of {page.workspace}",
        )  # fmt: skip
        if pressed:
            bar = st.progress(0.0)

            def progress(what: str, done: int, total: int) -> None:
                bar.progress(done / total, text=f"{done} of {total} queries routed")

            report = report_routing(page.engine, page.workspace, queries, progress)
            fingerprint = page.engine.folder(page.workspace).meta().fingerprint
            history.keep(page.workspace, source, fingerprint, report)
            bar.empty()


def _report(page: Page, kept: KeptReport) -> None:
    report = kept.report
    parts = {part.part: part for part in report.parts}
    changed = kept.fingerprint != page.engine.folder(page.workspace).meta().fingerprint
    st.html(
        markup.dim(
            f"{when(kept.created_at)} · {kept.source} · {report.extractor}, {report.model}"
            + (" · the memory has changed since" if changed else "")
        )
    )
    name = st.segmented_control(
        "Part", list(parts), key="router_part", default="all", required=True,
        format_func=lambda part: f"{part} ({parts[part].accuracy.queries})", label_visibility="collapsed",
        help="“tune” are queries that rules were written on, “report” those that are only counted",
    )  # fmt: skip
    part = parts[name or "all"]
    routes = [route for route in report.routes if part.part in ("all", route.part)]
    _accuracies(part.accuracy)
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        st.html(markup.caption("query types: rows expected, columns routed; closed is the gate"))
        pickable(confusion(part.confusion), "confusion", "Expected against routed query types", _pick_cell)
    with right:
        st.html(markup.caption(f"confidence; expected calibration error {part.calibration_error:.3f}"))
        gate = page.engine.default_options().confidence_gate
        st.plotly_chart(
            reliability(part.reliability, gate), config=CONFIG, key="reliability", alt="Right routes by confidence"
        )
        st.html(markup.dim("Size and grey bars: number of queries. On the dotted line confidence keeps its word."))
    _gate(routes)
    _wrong(routes)


def _pick_cell(part: Sequence[str]) -> None:
    st.session_state[CELL] = (part[0], part[1])


def _accuracies(accuracy: Accuracy) -> None:
    cells = []
    for name, title in MEASURES:
        share: Share = getattr(accuracy, name)
        width = 100 * (share.value or 0)
        cells.append(
            f'<div class="ev-tile"><div class="name">{title}</div><div class="value">{percent(share.value)}</div>'
            f'<div class="ev-bar"><i style="width:{width:.1f}%"></i></div>'
            f'<div class="rest">{share.right:,} of {share.of:,}</div></div>'
        )
    st.html(f'<div class="ev-tiles narrow">{"".join(cells)}</div>')


def _gate(routes: Sequence[JudgedRoute]) -> None:
    """The gate's four cases, and time ranges by the type that was expected."""
    counts = {
        (expected, came): sum(
            (route.expected_type is None) is expected and (route.query_type is None) is came for route in routes
        )
        for expected in (False, True)
        for came in (False, True)
    }
    left, right = st.columns(2, gap="large")
    with left:
        st.html(markup.caption("gate"))
        rows = [
            ("should be open", f"{counts[False, False]:,}", f"{counts[False, True]:,}"),
            ("should be closed", f"{counts[True, False]:,}", f"{counts[True, True]:,}"),
        ]
        st.html(markup.table(("", "was open", "was closed"), rows, numbers=(1, 2)))
    with right:
        st.html(markup.caption("time ranges by expected type: both ends must be right"))
        rows = []
        for kind in QueryType:
            judged = [route.range for route in routes if route.expected_type is kind and route.range is not None]
            if judged:
                share = f"{sum(judged):,} of {len(judged):,}"
                rows.append((kind.value.replace("_", " "), percent(sum(judged) / len(judged)), share))
        st.html(markup.table(("", "right", ""), rows, numbers=(1, 2)))


def _wrong(routes: Sequence[JudgedRoute]) -> None:
    """The routes behind a cell of the heat map, or all that are wrong in a part."""
    cell = st.session_state.get(CELL)
    st.html(markup.caption("routes"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = st.segmented_control(
            "Wrong in", list(PARTS), key="router_wrong", format_func=lambda name: PARTS[name], default="right",
            required=True,
        )  # fmt: skip
        if cell:
            st.button(
                f"Expected {cell[0]}, came {cell[1]}: show all again", key="router_all_cells", icon=":material/close:",
                on_click=lambda: st.session_state.pop(CELL, None),
            )  # fmt: skip
    if cell:
        chosen = [r for r in routes if (r.expected_type or CLOSED) == cell[0] and (r.query_type or CLOSED) == cell[1]]
    else:
        chosen = [route for route in routes if getattr(route, about or "right") is False]
    if not chosen:
        st.html(markup.dim("None."))
        return
    rows = [
        (
            route.id,
            safe_text.one_line(route.query, 120),
            "; ".join(route.wrong) or "right",
            f"{route.confidence:.2f}",
            route.rule,
        )
        for route in chosen
    ]
    st.html(markup.dim(f"{len(rows):,} quer{'y' if len(rows) == 1 else 'ies'}"))
    st.html(markup.table(("id", "query", "what is wrong", "confidence", "decided by"), rows, numbers=(3,)))
