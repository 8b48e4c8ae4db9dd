"""Whether everything is well: the models in use, the stores of every memory, and what to do where something is not."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core_search.browse import vector_counts
from core_search.cli.doctor import examine
from core_search.errors import CoreSearchError
from core_search.ui import markup, safe_text
from core_search.ui.frame import Page
from core_search.ui.memory import workspaces

REPORT = "health_report"


def draw(page: Page) -> None:
    """The last examination of this browser session; other memories than then make a new one."""
    known = workspaces.names(page)
    if REPORT not in st.session_state or st.session_state[REPORT][0] != known:
        with st.spinner("Opening every memory", show_time=True):
            st.session_state[REPORT] = (known, examine(page.engine))
    report: dict[str, Any] = st.session_state[REPORT][1]
    with st.container(horizontal=True, vertical_alignment="center"):
        _verdict(report)
        st.button("Check again", key="check_again", icon=":material/refresh:", on_click=_forget)
    left, right = st.columns([1.5, 1], gap="large")
    with left:
        _models(report)
        _memories(report)
    with right:
        _vectors(page)
        _installation(report)


def _forget() -> None:
    st.session_state.pop(REPORT, None)


def _verdict(report: dict[str, Any]) -> None:
    problems = report["problems"]
    if not problems:
        st.success("All memories open, all models are chosen.", icon=":material/check:")
        return
    with st.container():
        for problem in problems:
            st.error(safe_text.markdown(problem, 900), icon=":material/error:")


def _models(report: dict[str, Any]) -> None:
    st.html(markup.caption("models in use"))
    rows = [(p["part"], f"{p['chosen']}, {p['model']}", p["why"]) for p in report["providers"]]
    st.html(markup.table(("part", "in use", "because"), rows))


def _memories(report: dict[str, Any]) -> None:
    st.html(markup.caption("memories"))
    rows = [
        (w["name"], "opens", f"{w['counts']['episodes']:,}", w["embedding"])
        if w["ok"]
        else (w["name"], "does not open", "", w["problem"])
        for w in report["workspaces"]
    ]
    st.html(markup.table(("memory", "state", "episodes", "embedded with"), rows, numbers=(2,)))


def _vectors(page: Page) -> None:
    """Whether the vectors of the memory on the page are all there: the graph says how many there should be."""
    st.html(markup.caption(f"vectors of {page.workspace}"))
    try:
        with page.engine.memory(page.workspace) as memory:
            counts = vector_counts(memory.stores)
    except CoreSearchError:
        st.html(markup.dim("This memory does not open."))
        return
    rows = [(namespace.value, f"{stored:,}", f"{wanted:,}") for namespace, stored, wanted in counts]
    st.html(markup.table(("namespace", "stored", "wanted by the graph"), rows, numbers=(1, 2)))
    if any(stored != wanted for _, stored, wanted in counts):
        remedy = f"Vectors are missing. `core-search rebuild --workspace {page.workspace}` makes them anew."
        st.warning(remedy, icon=":material/build:")


def _installation(report: dict[str, Any]) -> None:
    st.html(markup.caption("installation"))
    keys = [(name, "set" if there else "not set") for name, there in report["keys"].items()]
    packages = [(name, version or "not installed") for name, version in report["packages"].items()]
    access = "read only" if report["readOnly"] else "may be changed"
    facts = [("memories", access), ("graph engine", report["graph"]), ("home", report["home"])]
    st.html(markup.facts([*facts, *keys, ("Python", report["python"]), *packages]))
