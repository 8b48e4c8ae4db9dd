"""The part of the Inspect page that asks what if: the difference to the parent, and the forms to fork the run."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core_search.ui import markup
from core_search.ui.fork.form import fork_form
from core_search.ui.fork.parent import parent_difference
from core_search.ui.fork.shadow_view import shadow_view
from core_search.ui.fork.stability_view import stability_view
from core_search.ui.view import View

STYLE = Path(__file__).parent.with_name("compare.css")
PARTS = {"change": "Change something", "handlers": "Other handlers", "steady": "How steady is it"}


def fork_panel(view: View) -> None:
    """Draw it. Nothing is built until somebody opens it."""
    st.html(STYLE)
    parent_difference(view)
    panel = st.expander("Fork: what if …", icon=":material/alt_route:", key="fork_panel", on_change="rerun")
    if not panel.open:
        return
    with panel:
        if view.result is None:
            st.html(
                markup.dim("This search failed; mend what failed and search again. Only a whole search can be forked.")
            )
            return
        part = st.segmented_control(
            "What if", list(PARTS), format_func=lambda name: PARTS[name], default="change", key="fork_part",
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if part == "handlers":
            shadow_view(view, view.result)
        elif part == "steady":
            stability_view(view, view.result)
        else:
            fork_form(view, view.result)
