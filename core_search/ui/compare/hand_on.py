"""Handing a comparison on: a link, one HTML file, tables, spans; what people wrote can be left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from core_search.comparison.report import Comparison
from core_search.comparison.side import Side, side_of_run
from core_search.evidence import comparison_html, comparison_tables, otlp, run_html, run_tables, zipped
from core_search.ui.view import View

TEXTS = "evidence_texts"


def hand_on(views: Sequence[View], comparison: Comparison) -> None:
    """Draw it for a comparison."""
    sides = [side_of_run(view.run, name) for view, name in zip(views, comparison.names, strict=True)]
    with st.popover("Hand on", icon=":material/ios_share:", key="compare_hand_on"):
        base = (st.context.url or "").split("?")[0]
        st.caption("The link restores this comparison in any browser that reaches this app.")
        st.code(
            f"{base}?{urlencode({'runs': ','.join(side.run_id for side in sides)})}", language=None, wrap_lines=True
        )
        texts = st.toggle("With texts", value=True, key=TEXTS, help="Without: no query, texts, names or hints.")
        name = "comparison-" + "-".join(side.run_id for side in sides)
        _download("HTML", lambda: comparison_html(sides, comparison, texts), f"{name}.html", "text/html")
        _download(
            "CSV tables", lambda: zipped(comparison_tables(sides, comparison, texts)), f"{name}.zip", "application/zip"
        )


def hand_on_run(view: View) -> None:
    """The same for one run, inside whatever it is drawn in; the JSON that opens again is beside it."""
    side: Side = side_of_run(view.run, "A")
    name = f"run-{view.run.id}"
    texts = st.toggle("With texts", value=True, key=TEXTS, help="Without: no query, texts, names or hints.")
    _download("HTML", lambda: run_html(side, texts), f"{name}.html", "text/html")
    _download("CSV tables", lambda: zipped(run_tables(side, texts)), f"{name}.zip", "application/zip")
    _download(
        "OpenTelemetry (OTLP JSON)",
        lambda: json.dumps(otlp(side, texts), ensure_ascii=True, indent=1),
        f"{name}.otlp.json",
        "application/json",
    )


def _download(label: str, make, file_name: str, mime: str) -> None:  # type: ignore[no-untyped-def]
    st.download_button(
        label,
        make,
        file_name=file_name,
        mime=mime,
        icon=":material/download:",
        key=f"evidence_{label}",
        on_click="ignore",
        width="stretch",
    )
