"""Stage 1 on the page: labels near the query, what the query was understood as, and how."""

from __future__ import annotations

import json

import streamlit as st

from core_search.models import ItemKind
from core_search.trace import Fate, Step
from core_search.ui import markup, safe_text, words
from core_search.ui.charts.scores import Bar, score_bars
from core_search.ui.charts.timeline import timeline
from core_search.ui.charts.times import milliseconds
from core_search.ui.pictures import item_picture, picture
from core_search.ui.view import View

NEAR_MISSES = 8


def draw(view: View) -> None:
    stage = view.stage("route")
    understood, labels = st.columns([1, 1], gap="large")
    with understood:
        _understood(view)
    with labels:
        _labels(view)
    extract = stage.step("extract")
    if extract is not None:
        _how(extract)


def _understood(view: View) -> None:
    st.subheader("Understood as", anchor=False)
    router = view.router
    if router is None:
        st.caption("Routing failed before there was an extraction.")
        return
    st.html(markup.facts(words.understood(view, router)))
    if not view.time.is_open:
        episodes = view.result.episodes if view.result else ()
        st.html(markup.caption("time searched, and what was returned from it"))
        picture(timeline(view.time, view.now, [episode.valid_at for episode in episodes]), "route_time", "time range")
    with st.expander("The extraction as JSON", key="route_json"):
        st.code(json.dumps(router.wire(), indent=2, ensure_ascii=False), language="json", wrap_lines=True)


def _labels(view: View) -> None:
    st.subheader("Labels near the query", anchor=False)
    entries = [entry for entry in view.stage("route").ledger if entry.kind is ItemKind.LABEL]
    if not entries:
        st.caption("This memory has no labels, so the search is not scoped by any.")
        return
    matched = [entry for entry in entries if entry.fate is Fate.KEPT]
    missed = [entry for entry in entries if entry.fate is Fate.DROPPED][:NEAR_MISSES]
    bars = [
        Bar(
            entry.id,
            view.items.name(ItemKind.LABEL, entry.id),
            entry.scores.get("cosine", 0.0),
            strong=entry.fate is Fate.KEPT,
            note="matched" if entry.fate is Fate.KEPT else words.reason(entry),
        )
        for entry in (*matched, *missed)
    ]
    step = view.stage("route").step("labels")
    threshold = step.detail.get("threshold") if step else None
    figure = score_bars(bars, score_name="cosine", threshold=threshold)
    figure.data[0].customdata = [["label", *row] for row in figure.data[0].customdata]
    figure.data[0].hovertemplate = "%{customdata[2]}<br>cosine %{x:.4f}<br>%{customdata[3]}<extra></extra>"
    item_picture(figure, "route_labels", "labels by cosine similarity, with the threshold")
    scope = _scope(view)
    st.html(markup.dim("The handlers search in: " + (", ".join(scope) if scope else "all labels, none was matched")))


def _scope(view: View) -> list[str]:
    step = view.stage("route").step("extract")
    ids = view.options.label_ids or (step.detail.get("labelIds", ()) if step else ())
    return [view.items.name(ItemKind.LABEL, str(label_id)) for label_id in ids]


def _how(step: Step) -> None:
    """Who read the query, with the prompt and the raw answer where there are any."""
    detail = step.detail
    read_by = {"rules": "the local rules"}.get(str(detail.get("extractor", "")), str(detail.get("extractor", "")))
    rows = [
        ("read by", ", ".join(filter(None, (read_by, str(detail.get("model", "")))))),
        ("time", milliseconds(step.duration_ms)),
    ]
    if detail.get("rule"):
        rows.append(("decided by the rule", str(detail["rule"])))
    asked = detail.get("asked") or {}
    answers = [*detail.get("answers", ()), *asked.get("answers", ())]
    tokens = [f"{key}: {value}" for answer in answers for key, value in answer.items() if key != "text"]
    if tokens:
        rows.append(("answer", ", ".join(tokens)))
    if detail.get("degraded"):
        rows.append(("degraded", str(detail["degraded"])))
    st.subheader("How it was read", anchor=False)
    st.html(markup.facts(rows))
    repairs = [str(repair) for repair in detail.get("repairs", ())]
    if repairs:
        st.html(markup.caption(f"{len(repairs)} repair{'s' if len(repairs) > 1 else ''} to what was answered"))
        st.html(markup.table(("repair",), [(repair,) for repair in repairs]))
    for number, message in enumerate([*detail.get("prompt", ()), *asked.get("prompt", ())], 1):
        with st.expander(f"Prompt, message {number} ({safe_text.markdown(str(message.get('role', '')))})"):
            st.code(str(message.get("content", "")), language=None, wrap_lines=True)
    for number, answer in enumerate(answers, 1):
        with st.expander(f"Raw answer {number}"):
            st.code(str(answer.get("text", "")), language=None, wrap_lines=True)
