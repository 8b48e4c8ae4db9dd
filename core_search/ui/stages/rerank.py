"""Rerank on the page: the order before and after, every score by its name, the floor, and how a score came about."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.models import ItemKind
from core_search.trace import DropCode, Entry, Status, Step
from core_search.ui import markup, safe_text, session
from core_search.ui.charts.ranks import bump
from core_search.ui.charts.scores import Bar, score_bars, signal_bars
from core_search.ui.ledger import kept_and_dropped
from core_search.ui.pictures import item_picture
from core_search.ui.view import View


def draw(view: View) -> None:
    stage = view.stage("rerank")
    if stage.status is Status.SKIPPED:
        st.subheader("Not reranked", anchor=False)
        st.html(markup.dim(f"{stage.note[:1].upper()}{stage.note[1:]}."))
    else:
        st.subheader(f"{stage.in_} items ordered, {stage.out} kept", anchor=False)
        if stage.status is Status.FAILED:
            st.warning(f"Degraded: {safe_text.markdown(stage.note, 600)}", icon=":material/warning:")
        elif stage.note:
            st.html(markup.dim(stage.note))
    if not stage.ledger:
        return
    before = "backstop" if view.stage("backstop").ledger else "merge"
    if stage.status is not Status.SKIPPED:
        st.html(markup.caption("order before and after"))
        name_of = view.items.name
        figure = bump(view.trace, name_of, stages=(before, "rerank"), chosen=session.chosen_item())
        item_picture(figure, "rerank_flow", "ranks before and after reranking")
    for step in stage.steps:
        _step(view, step, stage.ledger)
    st.html(markup.caption("every item, with all its scores"))
    kept_and_dropped(view, stage.ledger, "rerank", moves=True)


def _step(view: View, step: Step, ledger: Sequence[Entry]) -> None:
    scored = [entry for entry in ledger if "rerank" in entry.scores and _same_kind(step, entry)]
    if not scored:
        return
    scored.sort(key=lambda entry: -entry.scores["rerank"])
    floor = step.detail.get("floor")
    below = sum(entry.code is DropCode.BELOW_RELEVANCE for entry in scored)
    reranker = f"{step.detail.get('reranker', '')} {step.detail.get('model', '')}".strip()
    st.html(markup.caption(f"relevance by {reranker}; {below} below the floor"))
    names = view.items.many((entry.kind, entry.id) for entry in scored)
    bars = [Bar(e.id, names[e.kind, e.id].name, e.scores["rerank"], e.code is None) for e in scored]
    figure = score_bars(bars, score_name="rerank", threshold=floor, line="floor")
    rows = zip(scored, figure.data[0].customdata, strict=False)
    figure.data[0].customdata = [[entry.kind.value, *row] for entry, row in rows]
    figure.data[0].hovertemplate = "%{customdata[2]}<br>rerank %{x:.4f}<extra></extra>"
    item_picture(figure, f"{step.name}_bars", "rerank scores with the floor")
    if weights := step.detail.get("weights"):
        _recompute(view, weights, str(step.detail.get("formula", "")), scored)


def _same_kind(step: Step, entry: Entry) -> bool:
    return (entry.kind is ItemKind.STATEMENT) == (step.name == "rerank_statements")


def _recompute(view: View, weights: dict[str, float], formula: str, scored: Sequence[Entry]) -> None:
    """The weighted sum of the chosen item (else the best), part by part."""
    chosen = session.chosen_item()
    entry = next((e for e in scored if (e.kind, e.id) == chosen), scored[0])
    name = safe_text.one_line(view.items.get(entry.kind, entry.id).name, 70)
    st.html(markup.caption("how this score came about") + markup.dim(f"{name} · choose another item to see its sum"))
    parts = [(signal, float(weight), entry.scores.get(signal, 0.0)) for signal, weight in weights.items()]
    st.html(markup.bars(signal_bars(parts), "signals, weights and their products"))
    total = sum(weight * value for _, weight, value in parts)
    st.html(markup.dim(f"sum {total:.4f} · recorded rerank {entry.scores['rerank']:.4f} · {formula}"))
