"""What each of the other five handlers would have returned for the same query, side by side."""

from __future__ import annotations

import streamlit as st

from core_search.forks import QUERY_TYPE, fork, request_of
from core_search.results import SearchResult
from core_search.shadow import ShadowResult, shadow
from core_search.ui import markup, safe_text, session
from core_search.ui.view import View
from core_search.ui.words import QUERY_TYPE_WORDS

FOUND = "shadows"
GLANCE = 3


def shadow_view(view: View, result: SearchResult) -> None:
    """Draw what is known; a button runs them."""
    found: dict[str, tuple[ShadowResult, ...]] = st.session_state.setdefault(FOUND, {})
    if view.run.id not in found:
        st.html(
            markup.dim(f"The route chose {result.router.query_type.value}. The same extraction, the other handlers:")
        )
        slot = st.empty()
        if not slot.button("Run the other five", key="run_shadows", icon=":material/content_copy:"):
            return
        slot.empty()
        engine = view.items.engine
        with st.spinner("Running the other handlers", show_time=True):
            found[view.run.id] = shadow(engine, request_of(engine, result), result)
    rows = []
    for one in found[view.run.id]:
        numbers = ("", "", "") if one.error else (str(one.shared), str(one.only_here), str(one.only_original))
        first = f"did not run: {safe_text.one_line(one.error, 120)}" if one.error else _first(one)
        rows.append((one.query_type.value, *numbers, first))
    st.html(
        markup.table(
            ("handler", "shared", "only here", "only in this run", "begins with"), rows, numbers=(1, 2, 3), short=(0,)
        )
    )
    st.html(markup.dim("Open one as a fork of this run:"))
    with st.container(horizontal=True, gap="small", key="shadow_forks"):
        for one in found[view.run.id]:
            if not one.error:
                st.button(
                    one.query_type.value,
                    key=f"shadow_{one.query_type.value}",
                    icon=":material/alt_route:",
                    help=f"Open it as a fork: {QUERY_TYPE_WORDS[one.query_type]}.",
                    on_click=_open,
                    args=(view, result, one),
                )


def _open(view: View, result: SearchResult, one: ShadowResult) -> None:
    request = request_of(view.items.engine, result)
    session.ask(fork(result, request, {QUERY_TYPE: one.query_type}, run_id=view.run.id))


def _first(one: ShadowResult) -> str:
    """The beginning of its answer."""
    result = one.result
    if result is None:
        return ""
    if result.facets:
        names = [f"{topic.label_name} {topic.episode_count}" for topic in result.facets.topics[:GLANCE]]
        return "counts: " + ", ".join(names)
    texts = [statement.fact for statement in result.statements] + [e.title or e.content for e in result.episodes]
    if result.entity:
        texts = [result.entity.name, *texts]
    return " · ".join(safe_text.one_line(text, 60) for text in texts[:GLANCE]) or "nothing"
