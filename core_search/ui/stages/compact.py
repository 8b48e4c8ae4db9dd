"""Compaction on the page: which sessions gave way to their document."""

from __future__ import annotations

import streamlit as st

from core_search.models import ItemKind
from core_search.trace import DropCode, Status
from core_search.ui import markup, safe_text
from core_search.ui.ledger import ledger_table
from core_search.ui.view import View


def draw(view: View) -> None:
    stage = view.stage("compact")
    if stage.status is Status.SKIPPED:
        st.subheader("Skipped", anchor=False)
        st.html(markup.dim(f"{stage.note[:1].upper()}{stage.note[1:]}. {stage.in_} items go on as they came."))
        st.caption("With compact on, three or more episodes of one session give way to that session's document.")
        return
    gone = [entry for entry in stage.ledger if entry.code is DropCode.COMPACTED]
    st.subheader(f"{len(gone)} episodes gave way to their session's document", anchor=False)
    if not gone:
        st.caption("No session has three or more episodes here.")
    by_document: dict[str, int] = {}
    for entry in gone:
        document = str(entry.detail.get("document", ""))
        by_document[document] = by_document.get(document, 0) + 1
    rows = [
        (safe_text.one_line(view.items.get(ItemKind.DOCUMENT, document).name, 100), str(count))
        for document, count in by_document.items()
    ]
    if rows:
        st.html(markup.table(("document", "episodes that it stands for"), rows, numbers=(1,)))
    ledger_table(view, list(stage.ledger), "compact_all")
