"""The gate on the page: may the search go on, and by which number."""

from __future__ import annotations

import streamlit as st

from core_search.ui import markup
from core_search.ui.charts.scores import Bar, score_bars
from core_search.ui.pictures import picture
from core_search.ui.view import View


def draw(view: View) -> None:
    gate = view.gate
    if gate is None:
        st.caption("The search did not get as far as the gate.")
        return
    st.subheader("The gate is open" if gate.open else "The gate is closed", anchor=False)
    st.html(markup.dim(gate.reason[:1].upper() + gate.reason[1:] + "."))
    bar = Bar("confidence", "confidence", gate.confidence, strong=gate.confidence >= gate.threshold)
    picture(
        score_bars([bar], score_name="confidence of the route", threshold=gate.threshold, line="gate", most=1.0),
        "gate_bar",
        f"confidence {gate.confidence:.2f}, gate {gate.threshold:g}",
    )
    should = view.router.should_search if view.router else False
    st.html(
        markup.facts(
            [
                ("shouldSearch", "true" if should else "false"),
                ("confidence", f"{gate.confidence:.4f}"),
                ("threshold", f"{gate.threshold:g} (confidence_gate)"),
                ("decision", "the handlers run" if gate.open else "no handler runs; the result is empty"),
            ]
        )
    )
