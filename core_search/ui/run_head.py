"""The line over a run: what came back, its link and export, and what a reader must know about it first."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from core_search.trace import Status
from core_search.ui import markup, safe_text, session, words
from core_search.ui.compare.hand_on import hand_on_run
from core_search.ui.fate_box import fate_box
from core_search.ui.review.from_run import judge_run
from core_search.ui.view import View

# What helps when a stage fails.
REMEDIES = {
    "route": "Check the router and the embeddings under Providers in the sidebar, and that their server answers: "
    "`core-search doctor` asks it.",
    "handle": "The graph or the vector store refused: `core-search doctor` checks both, `core-search rebuild` makes "
    "the vectors anew.",
    "backstop": "The word or vector index refused: `core-search rebuild` makes it anew, or switch `backstop` off.",
    "rerank": "Check the reranker under Providers in the sidebar, or switch `rerank` off.",
    "budget": "Look at token_budget under Settings.",
}


def run_head(view: View) -> None:
    with st.container(key="run_head"):
        line, tools = st.columns([3, 2], vertical_alignment="center")
    name = f"{view.run.head.name} · " if view.run.head.name else ""
    line.html(f"<strong>{safe_text.span(name + words.summary(view))}</strong>")
    with tools, st.container(horizontal=True, horizontal_alignment="right", key="run_tools"):
        fate_box(view)
        judge_run(view.run)
        with st.popover("Link", icon=":material/link:", type="tertiary", key="link_popover"):
            st.caption("Restores this run, stage and item in any browser that reaches this app.")
            st.code(address(), language=None, wrap_lines=True)
        with st.popover("Export", icon=":material/download:", type="tertiary", key="export_popover"):
            st.download_button(
                "JSON that opens here again",
                lambda: session.records().export(view.run.id),
                file_name=f"run-{view.run.id}.json",
                mime="application/json",
                icon=":material/download:",
                key="export_run",
                on_click="ignore",
                width="stretch",
            )
            hand_on_run(view)
    _warnings(view)


def address() -> str:
    """The link to what is on the page: ids only."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(session.link_parameters())}"


def _warnings(view: View) -> None:
    failed = view.failed_stage
    if view.result is None:
        stage = failed.name if failed else "the search"
        remedy = REMEDIES.get(stage, "`core-search doctor` says what is wrong with the installation.")
        message = view.run.failure.error if view.run.failure else ""
        st.error(
            f"**{stage} failed.** {safe_text.markdown(message, 800)}  \n{remedy} Everything up to there is drawn.",
            icon=":material/error:",
        )
    elif view.result.degraded:
        for reason in view.result.degraded:
            st.warning(f"**Degraded.** {safe_text.markdown(reason, 800)}", icon=":material/warning:")
    elif any(stage.status is Status.FAILED for stage in view.trace.stages):
        st.warning("**Degraded.** A stage failed; the strip shows which.", icon=":material/warning:")
    if missing := view.items.missing_because:
        st.html(markup.dim(f"Items that left on the way are shown by their ids: {missing}."))
    _changed_since(view)


def _changed_since(view: View) -> None:
    """Say so when the settings in the sidebar are not those of the run on the page."""
    wanted = session.changes()
    now = session.engine().default_options().with_changes(wanted)
    differs = [name for name in type(now).model_fields if getattr(now, name) != getattr(view.options, name)]
    if not differs:
        return
    row = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    names = ", ".join(differs[:4]) + (f" and {len(differs) - 4} more" if len(differs) > 4 else "")
    row.html(markup.dim(f"The settings in the sidebar differ from this run's: {names}."), width="content")
    row.button("Take this run's", key="adopt_settings", type="tertiary", on_click=adopt_settings, args=(view,))


def adopt_settings(view: View) -> None:
    """Set the sidebar to what the run was set to."""
    defaults = session.engine().default_options()
    fields = type(defaults).model_fields
    changed = {
        name: getattr(view.options, name) for name in fields if getattr(view.options, name) != getattr(defaults, name)
    }
    session.set_changes(changed)
