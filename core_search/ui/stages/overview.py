"""The whole search on one page: what was understood, where items went, how ranks moved, where the time went."""

from __future__ import annotations

import streamlit as st

from core_search.ui import markup, session, words
from core_search.ui.charts.funnel import funnel, levels
from core_search.ui.charts.network import network
from core_search.ui.charts.ranks import bump, shown_stages
from core_search.ui.charts.times import waterfall
from core_search.ui.ledger import ledger_table
from core_search.ui.pictures import item_picture, item_table, part_picture
from core_search.ui.safe_text import one_line
from core_search.ui.theme import CODE_WORDS, STAGE_TITLES
from core_search.ui.view import View


def draw(view: View) -> None:
    if view.router is not None:
        st.html(markup.facts(words.understood(view, view.router)))
    if any(level.kept or level.lost or level.beside for level in levels(view.trace)):
        st.subheader("Where the items went", anchor=False)
        picked = part_picture(funnel(view.trace), "overview_funnel", "items through the stages")
        if picked:
            _part(view, *picked[:2])
    if len(shown_stages(view.trace)) > 1:
        st.subheader("Ranks through the stages", anchor=False)
        figure = bump(view.trace, view.items.name, chosen=session.chosen_item())
        item_picture(figure, "overview_bump", "ranks through the stages")
    st.subheader("Where the time went", anchor=False)
    st.html(
        markup.dim("From left to right as it happened; long waits are drawn shorter so that short steps can be seen.")
    )
    st.html(markup.bars(waterfall(view.trace), "time of each stage and step"))
    _graph(view)


def _part(view: View, stage: str, code: str) -> None:
    """The part of the ledger behind the bar that was clicked."""
    entries = [e for e in view.stage(stage).ledger if (e.code or "") == code and not e.detail.get("beside")]
    what = next((phrase for known, phrase in CODE_WORDS.items() if known.value == code), "kept")
    st.html(markup.caption(f"{STAGE_TITLES[stage]}: {len(entries)} {what}"))
    ledger_table(view, entries, f"part_{stage}_{code}")


def _graph(view: View) -> None:
    nodes, edges, left_out = view.touched
    if len(nodes) < 2:
        return
    st.subheader("The part of the memory that this touched", anchor=False)
    chosen = session.chosen_item()
    figure = network(nodes, edges, (chosen[0].value, chosen[1]) if chosen else None)
    item_picture(figure, "overview_graph", "graph of what the query touched")
    more = f" {left_out:,} more are left out." if left_out else ""
    st.html(markup.dim(f"Squares are texts, circles entities, diamonds labels; grey ones left on the way.{more}"))
    with st.expander(f"The same as a list ({len(nodes)})", key="overview_list"):
        rows = [
            {"kind": n.kind, "name": one_line(n.name, 140), "in the answer": "yes" if n.strong else ""} for n in nodes
        ]
        columns = {"name": st.column_config.TextColumn(width="large")}
        item_table(rows, [(n.kind, n.id) for n in nodes], "overview_nodes", columns=columns)
