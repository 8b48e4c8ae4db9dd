"""The settings of a fork that are changed most; all others can be typed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core_search.results import SearchResult
from core_search.ui import markup
from core_search.ui.settings_panel import HELP

SWITCHES = ("rerank", "backstop", "compact")
COUNTS = ("limit", "token_budget", "backstop_limit")
SHARES = ("rerank_floor", "label_threshold", "episode_threshold")


def setting_fields(result: SearchResult, run: str) -> dict[str, Any]:
    """Draw them; those that were changed."""
    options = result.options
    floor = "exploratory_floor" if result.router.query_type.value == "exploratory" else "rerank_floor"
    shares = (floor, *SHARES[1:])
    st.html(markup.caption("limits, thresholds, reranker, budget"))
    chosen: dict[str, Any] = {}
    row = st.container(horizontal=True, gap="medium")
    for name in SWITCHES:
        chosen[name] = row.checkbox(name, getattr(options, name), key=f"fork_{name}_{run}", help=HELP.get(name))
    left, right = st.columns(2)
    for column, names in ((left, COUNTS), (right, shares)):
        for name in names:
            value = getattr(options, name)
            chosen[name] = column.number_input(
                name,
                min_value=0 if name in COUNTS else None,
                value=value,
                step=1 if name in COUNTS else 0.01,
                format=None if name in COUNTS else "%.3f",
                key=f"fork_{name}_{run}",
                help=HELP.get(name),
            )
    return {name: value for name, value in chosen.items() if value != getattr(options, name)}
