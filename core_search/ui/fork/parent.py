"""What a fork changed: the run beside the one that it was forked from."""

from __future__ import annotations

import streamlit as st

from core_search.comparison.report import compare
from core_search.errors import CoreSearchError
from core_search.ui import markup, safe_text, session
from core_search.ui.compare.difference import sides_of
from core_search.ui.theme import STAGE_TITLES
from core_search.ui.view import View


def parent_difference(view: View) -> None:
    """Nothing is drawn for a run without a parent, or whose parent is not here any more."""
    parent = _parent(view)
    if parent is None:
        return
    comparison = compare(sides_of([parent, view]))
    pair = comparison.pairs[0]
    with st.container(border=True, key="parent_difference", gap="xsmall"):
        row = st.container(horizontal=True, vertical_alignment="center", gap="small")
        row.html(f'<div class="cs-verdict">{safe_text.span(f"Against the run it was forked from: {pair.text}")}</div>')
        row.page_link(
            "pages/1_Compare.py",
            label="Compare",
            icon=":material/compare_arrows:",
            query_params={"runs": f"{parent.run.id},{view.run.id}"},
        )
        row.page_link("app.py", label="Open that run", icon=":material/undo:", query_params={"run": parent.run.id})
        asked = [f"{found.name} {found.values[0]} → {found.values[1]}" for found in comparison.setups]
        lines = [f"Changed: {', '.join(asked)}."] if asked else []
        if pair.parting:
            lines.append(f"They part at {STAGE_TITLES[pair.parting.stage]}: {pair.parting.text}.")
        st.html(markup.dim(" ".join(lines) or "Nothing was changed."))


def _parent(view: View) -> View | None:
    if not view.run.head.parent:
        return None
    try:
        return session.open_run(view.run.head.parent)
    except CoreSearchError:
        return None  # it was removed, or the run came from a trace that was never kept
