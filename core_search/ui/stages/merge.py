"""Merge on the page: who came from where, and what was joined."""

from __future__ import annotations

import streamlit as st

from core_search.trace import DropCode, Fate, Status
from core_search.ui import markup, safe_text
from core_search.ui.ledger import ledger_table
from core_search.ui.view import View


def draw(view: View) -> None:
    stage = view.stage("merge")
    if stage.status is Status.SKIPPED:
        st.caption(f"Nothing was merged: {safe_text.markdown(stage.note)}.")
        return
    joined = [entry for entry in stage.ledger if entry.fate is Fate.KEPT and len(entry.sources) > 1]
    duplicates = [entry for entry in stage.ledger if entry.code is DropCode.DUPLICATE]
    st.subheader(f"{stage.in_} rows became {stage.out} items", anchor=False)
    if not duplicates:
        st.html(markup.dim("No path found what another one had found; there was nothing to join."))
    else:
        st.html(
            markup.dim(
                f"{len(duplicates)} rows joined an item that another path had found; {len(joined)} items come from "
                "more than one path. The first place counts, every source and its score is kept."
            )
        )
    if joined:
        st.html(markup.caption("joined"))
        ledger_table(view, joined, "merge_joined")
    st.html(markup.caption("all items"))
    ledger_table(view, stage.kept(), "merge_all")
