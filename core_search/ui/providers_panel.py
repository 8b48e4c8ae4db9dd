"""Which models are in use, and why."""

from __future__ import annotations

import streamlit as st

from core_search.engine import SearchEngine
from core_search.ui import markup


def providers_panel(engine: SearchEngine) -> None:
    choices = engine.providers.choices
    where = {choice.chosen for choice in choices if choice.part != "tokens"}
    summary = "all local" if where == {"local"} else ", ".join(sorted(where))
    with st.expander(f"Providers · {summary}", key="providers_panel"):
        for choice in choices:
            st.html(
                markup.caption(choice.part)
                + markup.facts([("in use", f"{choice.chosen}, {choice.model}"), ("why", choice.why)])
            )
