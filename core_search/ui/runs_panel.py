"""Recent runs in the sidebar, and the dialog that names, pins, removes, exports and imports them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.records import RunHead
from core_search.ui import markup, safe_text, session

SHOWN = 8
MANAGED = 200


def runs_panel(read_only: bool) -> None:
    runs = session.records().recent(SHOWN)
    with st.expander("Recent runs", key="runs_panel"):
        if not runs:
            st.caption("Every search is kept here under a short id.")
        with st.container(key="recent"):
            for run in runs:
                st.button(
                    _label(run),
                    key=f"run_{run.id}",
                    type="tertiary",
                    icon=":material/keep:" if run.pinned else None,
                    on_click=open_run,
                    args=(run.id,),
                    width="stretch",
                )
        st.button("Manage runs", key="manage_runs", icon=":material/inventory_2:", on_click=_open_manager)
    if st.session_state.pop("manage", False):
        st.dialog("Runs", width="large")(manager)(read_only)


def _open_manager() -> None:
    st.session_state["manage"] = True


def open_run(run_id: str) -> None:
    session.set_parameter("run", run_id)
    session.set_parameter("item", "")


def _label(run: RunHead) -> str:
    failed = "✕ " if run.status == "failed" else ""
    return f"{failed}{safe_text.markdown(run.title, 60)}"


def manager(read_only: bool) -> None:
    """List, name, pin, remove, export and import. Reruns of the dialog stay inside it."""
    if problem := st.session_state.pop("runs_problem", None):
        st.error(safe_text.markdown(problem, 400))
    runs = session.records().recent(MANAGED)
    size = sum(run.size for run in runs) / 1e6
    count = f"{len(runs)} run{'' if len(runs) == 1 else 's'}"
    st.caption(f"{count}, {size:.1f} MB. When the store is full the oldest unpinned ones go first.")
    if not read_only:
        _import()
    if not runs:
        return
    by_id = {run.id: run for run in runs}
    chosen = st.selectbox(
        "Run",
        list(by_id),
        format_func=lambda run_id: _option(by_id[run_id]),
        key="managed_run",
    )
    run = by_id[chosen]
    facts = [
        ("id", run.id),
        ("query", run.query),
        ("memory", run.workspace),
        ("made", run.created_at.strftime("%Y-%m-%d %H:%M UTC")),
        ("status", run.error or run.status),
        ("forked from", run.parent or "nothing"),
        ("size", f"{run.size / 1000:,.0f} kB"),
    ]
    st.html(markup.facts(facts))
    if not read_only:
        st.text_input(
            "Name",
            value=run.name,
            key=f"rename_{run.id}",
            placeholder=safe_text.one_line(run.query, 60),
            on_change=lambda: _change(lambda: session.records().rename(run.id, st.session_state[f"rename_{run.id}"])),
        )
    with st.container(horizontal=True):
        if st.button("Open", key="open_managed", type="primary", icon=":material/open_in_new:"):
            open_run(run.id)
            st.rerun()
        st.download_button(
            "Export",
            lambda: session.records().export(run.id),
            file_name=f"run-{run.id}.json",
            mime="application/json",
            icon=":material/download:",
            key="export_managed",
            on_click="ignore",
        )
        if not read_only:
            st.button(
                "Unpin" if run.pinned else "Pin",
                key="pin_managed",
                icon=":material/keep:",
                on_click=_change,
                args=(lambda: session.records().pin(run.id, not run.pinned),),
            )
            st.button("Remove", key="delete_managed", icon=":material/delete:", on_click=_delete, args=(run.id,))


def _option(run: RunHead) -> str:
    return f"{'📌 ' if run.pinned else ''}{safe_text.one_line(run.title, 70)} · {run.created_at:%m-%d %H:%M} · {run.id}"


def _import() -> None:
    file = st.file_uploader("Open an exported run", type="json", key="import_run")
    if file is not None and st.session_state.get("imported") != file.file_id:
        st.session_state["imported"] = file.file_id
        try:
            open_run(session.records().import_run(file.getvalue()))
        except CoreSearchError as error:
            st.error(safe_text.markdown(str(error), 400))
        else:
            st.rerun()


def _delete(run_id: str) -> None:
    _change(lambda: session.records().delete(run_id))
    if session.parameter("run") == run_id:
        session.set_parameter("run", "")


def _change(change: Callable[[], None]) -> None:
    try:
        change()
    except CoreSearchError as error:
        st.session_state["runs_problem"] = str(error)
    session.forget_opened_runs()
