"""The stages as a strip of chips: what came in and went out, how long it took, and the way to each view."""

from __future__ import annotations

import streamlit as st

from core_search.trace import Stage, Status
from core_search.ui import session
from core_search.ui.charts.times import milliseconds
from core_search.ui.theme import STAGE_TITLES
from core_search.ui.view import View

FIRST = "overview"
KEY = "stage_strip"


def chosen_stage() -> str:
    stage = session.parameter("stage")
    return stage if stage in STAGE_TITLES else FIRST


def strip(view: View) -> str:
    """Draw it; the name of the chosen stage."""
    stage = chosen_stage()
    # The address decides, also after the back button and after a click elsewhere on the page.
    st.session_state[KEY] = stage
    st.segmented_control(
        "Stages of this search",
        list(STAGE_TITLES),
        format_func=lambda name: _chip(view, name),
        key=KEY,
        required=True,
        on_change=lambda: session.set_parameter("stage", st.session_state[KEY]),
        label_visibility="collapsed",
        wrap=True,
        width="stretch",
    )
    return stage


def _chip(view: View, name: str) -> str:
    return f"**{STAGE_TITLES[name]}**\n:small[{_second_line(view, name)}]"


def _second_line(view: View, name: str) -> str:
    if name == "overview":
        return milliseconds(view.trace.duration_ms)
    if name == "result":
        if view.result is None:
            return "✕ none"
        count = len(view.returned) or len(view.result.voice_statements) or int(view.result.entity is not None)
        return f"{count} item{'' if count == 1 else 's'}" if not view.result.facets else "facets"
    stage = view.stage(name)
    if stage.status is Status.FAILED:
        return "✕ failed" if view.result is None else "△ degraded"
    if stage.status is Status.SKIPPED:
        return "skipped"
    took = milliseconds(stage.duration_ms)
    if name == "route":
        degraded = view.result is not None and any(text.startswith("route") for text in view.result.degraded)
        return f"△ degraded · {took}" if degraded else f"{stage.out} label{'' if stage.out == 1 else 's'} · {took}"
    if name == "gate":
        return "open" if view.gate and view.gate.open else "closed"
    return f"{_flow(stage)} · {took}"


def _flow(stage: Stage) -> str:
    return f"{stage.in_}→{stage.out}"
