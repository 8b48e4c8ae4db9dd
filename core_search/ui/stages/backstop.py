"""The backstop on the page: what the V1 search adds before reranking, and by which of its lists."""

from __future__ import annotations

import streamlit as st

from core_search.trace import DropCode, Fate, Status
from core_search.ui import markup, safe_text
from core_search.ui.ledger import ledger_table
from core_search.ui.stages.steps import step_card
from core_search.ui.theme import source_words
from core_search.ui.view import View


def draw(view: View, name: str = "backstop") -> None:
    stage = view.stage(name)
    if stage.status is Status.SKIPPED:
        st.subheader("Skipped", anchor=False)
        st.html(markup.dim(f"{stage.note[:1].upper()}{stage.note[1:]}."))
        if stage.in_:
            st.html(markup.dim(f"{stage.in_} items go on as they came."))
        return
    if name == "backstop":
        added = [e for e in stage.ledger if e.fate is Fate.KEPT and e.sources == ("backstop",)]
        known = [e for e in stage.ledger if e.code is DropCode.DUPLICATE]
        st.subheader(f"{len(added)} items added", anchor=False)
        st.html(
            markup.dim(
                f"V1 search (BM25, vectors, graph traversal, fused by rank) proposed {len(added) + len(known)} "
                f"episodes in the same time range; {len(known)} had been found already."
            )
        )
        ledger_table(view, added, "backstop_added")
    else:
        st.subheader("V1 answered", anchor=False)
        st.html(markup.dim(safe_text.one_line(stage.note, 300)))
        ledger_table(view, list(stage.ledger), f"{name}_all")
    st.html(markup.caption("the lists that were fused"))
    for step in stage.steps:
        # Six charts take a browser over a second: each is drawn when it is opened.
        title, key = f"{source_words(step.name)} · {len(step.items)}", f"{name}_{step.name}"
        with st.expander(title, key=key, on_change="rerun") as box:
            if box.open:
                step_card(view, step, stage=name)
