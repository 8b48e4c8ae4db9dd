"""How steady the extraction is: the same search several times, agreement per field, items that flicker."""

from __future__ import annotations

import streamlit as st

from core_search.forks import request_of
from core_search.results import SearchResult
from core_search.stability import StabilityReport, stability
from core_search.ui import markup, safe_text
from core_search.ui.view import View

FOUND, TIMES = "stability_reports", "stability_times"
MOST_TIMES = 20
SHOWN = 12


def stability_view(view: View, result: SearchResult) -> None:
    """Draw what is known; a button runs it."""
    found: dict[str, StabilityReport] = st.session_state.setdefault(FOUND, {})
    extractor = view.items.engine.providers.extractor
    words = "Rules say the same each time; this shows it." if extractor.name == "rules" else "A model may vary."
    st.html(markup.dim(f"The extraction is made by {extractor.name}. {words}"))
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    times = row.number_input("Times", 2, MOST_TIMES, 5, key=TIMES, width=120)
    if row.button("Run it again and again", key="run_stability", icon=":material/repeat:"):
        engine = view.items.engine
        with st.spinner(f"Searching {times} times", show_time=True):
            found[view.run.id] = stability(engine, request_of(engine, result), int(times))
    if report := found.get(view.run.id):
        _draw(view, report)


def _draw(view: View, report: StabilityReport) -> None:
    ran = report.times - report.failed
    head = f"All {ran} runs returned the same items." if report.same_results and ran else (
        f"{report.steady} items in every run, {len(report.flickering)} flicker."
    )  # fmt: skip
    failed = f" {report.failed} of {report.times} did not run." if report.failed else ""
    st.html(f'<div class="cs-verdict">{safe_text.span(head + failed)}</div>')
    if report.degraded:
        st.html(markup.dim(f"{report.degraded} runs were degraded: the local rules answered for the model."))
    rows = []
    for field in report.fields:
        said = "; ".join(f"{value} ×{count}" for value, count in field.values[:4])
        rows.append((field.field, f"{field.share:.0%}", safe_text.one_line(said, 160)))
    st.html(markup.table(("field", "agreement", "said"), rows, numbers=(1,)))
    if report.flickering:
        items = view.items.many([(item.kind, item.id) for item in report.flickering[:SHOWN]])
        flickering = [
            (f"{item.runs} of {ran}", safe_text.one_line(items[item.kind, item.id].name, 140))
            for item in report.flickering[:SHOWN]
        ]
        st.html(markup.table(("runs", "item that flickers"), flickering))
