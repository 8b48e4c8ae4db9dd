"""The verdict on the chosen item: why it is or is not in the answer, what would bring it back, what stands above it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.fate import ItemFate, Verdict, compare_scores, explain
from core_search.fate.report import Quantity
from core_search.forks import fork, request_of
from core_search.models import ItemKind
from core_search.results import SearchResult
from core_search.ui import markup, safe_text, session
from core_search.ui.view import View

FATES = "fates"
NO_REMEDY = (Verdict.RETURNED, Verdict.NOT_STORED, Verdict.LOOKUP_FAILED)


def fate_card(view: View, kind: ItemKind, item_id: str) -> None:
    """Draw it. The verdict reads the trace and the memory; remedies are searches and run when they are asked for."""
    if view.result is None:
        return
    known: dict[tuple[str, str, str], ItemFate] = st.session_state.setdefault(FATES, {})
    key = (view.run.id, kind.value, item_id)
    if key not in known:
        known[key] = _explain(view, view.result, kind, item_id, remedies=False)
    fate = known[key]
    if fate.verdict is Verdict.LOOKUP_FAILED:
        st.warning(safe_text.markdown(fate.text, 400), icon=":material/warning:")
        return
    st.html(f"<strong>{safe_text.span(fate.text)}</strong>")
    if fate.margin:
        numbers = f"{_number(fate.margin.value)} against {_number(fate.margin.threshold)}"
        st.html(markup.dim(f"{fate.margin.name.replace('_', ' ')}: {numbers}"))
    if fate.verdict not in NO_REMEDY:
        _remedy(view, view.result, fate, key)
    if fate.conditions:
        with st.expander(f"Conditions of each path ({len(fate.conditions)})", key="fate_conditions"):
            rows = [
                ("✓" if c.holds else "✕", c.path.replace("_", " "), c.condition.value, c.text) for c in fate.conditions
            ]
            st.html(markup.table(("", "path", "condition", ""), rows))
    _above(view, view.result, kind, item_id)


def _explain(view: View, result: SearchResult, kind: ItemKind, item_id: str, *, remedies: bool) -> ItemFate:
    engine = view.items.engine
    return explain(engine, result, request_of(engine, result), item_id, kind, remedies=remedies)


def _remedy(view: View, result: SearchResult, fate: ItemFate, key: tuple[str, str, str]) -> None:
    searched: set[tuple[str, str, str]] = st.session_state.setdefault("fates_with_remedy", set())
    if fate.remedy is None and key not in searched:
        slot = st.empty()
        if not slot.button("What would bring it back?", key="find_remedy", icon=":material/healing:"):
            return
        slot.empty()
        with st.spinner("Trying changes", show_time=True):
            fate = _explain(view, result, ItemKind(key[1]), key[2], remedies=True)
        st.session_state[FATES][key] = fate
        searched.add(key)
    if fate.remedy is None:
        st.html(markup.dim("No change that was tried brings it back."))
        return
    others = fate.remedy.also_changes
    also = f"{others} other item{'' if others == 1 else 's'} would change" if others else "nothing else would change"
    st.html(
        markup.caption("the smallest change that brings it back")
        + safe_text.span(f"{change_words(fate.remedy.set)}: back as number {fate.remedy.returned_at}; {also}.")
    )
    st.button(
        "Apply",
        key="apply_remedy",
        type="primary",
        icon=":material/alt_route:",
        help="Runs it as a fork of this run.",
        on_click=_apply,
        args=(view, result, fate.remedy.set),
    )


def _apply(view: View, result: SearchResult, change: Mapping[str, Any]) -> None:
    session.ask(fork(result, request_of(view.items.engine, result), change, run_id=view.run.id))
    st.session_state["keep_item"] = session.parameter("item")


def change_words(change: Mapping[str, Any]) -> str:
    """A change as people say it.

    >>> change_words({"token_budget": 2084, "rerank": False})
    'token budget 2084, rerank off'
    """
    words = []
    for name, value in change.items():
        shown = "off" if value is False else "on" if value is True else value
        if isinstance(value, list):
            shown = ", ".join(map(str, value)) or "none"
        words.append(f"{name.replace('_', ' ')} {shown if isinstance(shown, str) else json.dumps(shown)}")
    return ", ".join(words)


def _above(view: View, result: SearchResult, kind: ItemKind, item_id: str) -> None:
    """The terms of both scores, for this item and another one of the answer."""
    ranked = [key for key in view.returned if key != (kind, item_id)]
    scored = any(entry.kind is kind and entry.id == item_id for entry in result.trace.stage("rerank").ledger)
    if not ranked or not scored:
        return
    with st.expander("Why is another one above or below it", key="fate_above", on_change="rerun") as box:
        if not box.open:
            return
        names = view.items.many(ranked)
        other = st.selectbox(
            "The other one",
            ranked,
            format_func=lambda key: f"{view.returned.index(key) + 1}. {safe_text.one_line(names[key].name, 60)}",
            key="fate_other",
            label_visibility="collapsed",
        )
        try:
            found = compare_scores(result, item_id, other[1])
        except CoreSearchError as error:
            st.html(markup.dim(str(error)))
            return
        st.html(safe_text.span(found.text))
        rows = [
            (
                term.name.replace("_", " "),
                _number(term.term_a or term.a),
                _number(term.term_b or term.b),
                _number(term.difference),
            )
            for term in found.terms
        ]
        st.html(markup.table(("term", "this", "that", "difference"), rows, numbers=(1, 2, 3)))


def _number(value: Quantity) -> str:
    if value is None:
        return "nothing"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
