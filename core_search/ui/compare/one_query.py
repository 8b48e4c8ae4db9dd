"""One query, two to six configurations or kept runs, side by side. The address has the ids of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import streamlit as st

from core_search.assemble import models_in_use
from core_search.comparison.side import MOST_SIDES
from core_search.errors import CoreSearchError, UsageError
from core_search.records import setup
from core_search.results import SearchRequest
from core_search.ui import examples, markup, safe_text, session
from core_search.ui.compare.configurations import DEFAULTS, changes_of, choose_configurations, remember
from core_search.ui.compare.difference import difference, sides_of
from core_search.ui.frame import Page, show_error
from core_search.ui.view import View

QUERY, CONFIGURATIONS, KEPT, PENDING, SHOWN = (
    "compare_query", "compare_configurations", "compare_kept", "pending_comparison", "compared_runs",
)  # fmt: skip
FIRST_OTHER = "rerank off"
RECENT = 60


@dataclass(frozen=True)
class Wanted:
    """What to compare: searches to run, then runs that are kept already."""

    query: str
    workspace: str
    now: datetime | None
    changes: tuple[dict[str, Any], ...]
    runs: tuple[str, ...]


def one_query(page: Page) -> None:
    problem = _run_if_asked(page)
    views: list[View] = []
    try:
        views = [session.open_run(run_id) for run_id in _run_ids(page)]
    except CoreSearchError as error:
        problem = problem or error
    _follow(page, views)
    _bar(page, views)
    if problem:
        show_error(problem)
    if len(views) >= 2:
        difference(views, sides_of(views))
    elif not problem:
        st.html(markup.dim("Choose two configurations or kept runs, and press Compare."))


def _run_ids(page: Page) -> list[str]:
    """The runs of the address; on a first visit a first comparison."""
    if ids := [part for part in session.parameter("runs").split(",") if part]:
        return ids[:MOST_SIDES]
    ids = _first_comparison(page)
    session.set_parameter("runs", ",".join(ids))
    return ids


def _first_comparison(page: Page) -> list[str]:
    """The run that the visitor comes from beside its parent, or with reranking switched; else the first example."""
    asked = examples.examples(page.engine, page.workspace)
    came_from = session.parameter("run")
    if came_from:
        view = session.open_run(came_from)
        parent = _kept(view.run.head.parent)
        if parent:
            return [parent, came_from]
        if view.result is not None and view.run.head.workspace == page.workspace:
            other = view.options.model_copy(update={"rerank": not view.options.rerank})
            changes = other.model_dump()
            return [came_from, search_once(page, view.run.head.query, view.run.now, changes)]
    if not asked:
        return []
    with st.spinner("Comparing", show_time=True):
        return [search_once(page, asked[0], None, changes) for changes in ({}, {"rerank": False})]


def _kept(run_id: str | None) -> str | None:
    if not run_id:
        return None
    try:
        return session.records().load(run_id).id
    except CoreSearchError:
        return None


def search_once(page: Page, query: str, now: datetime | None, changes: dict[str, Any]) -> str:
    """The run that answers; an equal one that is kept already is taken."""
    engine = page.engine
    options = engine.default_options().with_changes(changes)
    request = SearchRequest(query=query, workspace=page.workspace, now=now, set=changes)
    with engine.memory(page.workspace) as memory:
        decided = setup(memory.meta.fingerprint, now or session.clock(memory), options, models_in_use(engine.providers))
        has_clock = now is not None or memory.meta.header.clock is not None
    known = session.records().find(query, page.workspace, decided) if has_clock else None
    return known or session.search(request)


def _follow(page: Page, views: Sequence[View]) -> None:
    """Show what the runs on the page were asked, when they are other ones than before."""
    shown = ",".join(view.run.id for view in views)
    if not views or st.session_state.get(SHOWN) == shown:
        return
    st.session_state[SHOWN] = shown
    query = views[0].run.head.query
    st.session_state[QUERY] = query
    names, kept = [], []
    for view in views:
        repeatable = view.run.head.query == query and view.run.head.workspace == page.workspace
        if repeatable and not view.run.head.parent and view.result is not None:
            names.append(remember(page.engine, view.options))
        else:
            kept.append(view.run.id)
    st.session_state[CONFIGURATIONS], st.session_state[KEPT] = list(dict.fromkeys(names)), kept


def _bar(page: Page, views: Sequence[View]) -> None:
    recent = session.records().recent(RECENT)
    titles = {
        run.id: f"{safe_text.one_line(run.title, 48)} · {run.created_at:%m-%d %H:%M} · {run.id}" for run in recent
    }
    titles |= {view.run.id: f"{safe_text.one_line(view.run.head.title, 48)} · {view.run.id}" for view in views}
    st.session_state.setdefault(KEPT, [])
    with st.container(key="compare_bar"):
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        row.text_input("Query", key=QUERY, icon=":material/search:", placeholder=f"Ask {page.workspace} anything")
        row.button(
            "Compare",
            type="primary",
            key="compare_now",
            on_click=_submit,
            args=(page, views[0].run.now if views else None),
            width=120,
        )
        left, right = st.columns([3, 2])
        with left:
            choose_configurations(page.engine, CONFIGURATIONS, (DEFAULTS, FIRST_OTHER))
        with right:
            st.multiselect(
                "Kept runs",
                list(titles),
                key=KEPT,
                format_func=lambda run_id: titles[run_id],
                max_selections=MOST_SIDES,
                placeholder="also runs that were made before",
            )


def _submit(page: Page, now: datetime | None) -> None:
    names = list(st.session_state.get(CONFIGURATIONS, []))
    kept = tuple(st.session_state.get(KEPT, []))
    query = str(st.session_state.get(QUERY) or "").strip()
    try:
        if not 2 <= len(names) + len(kept) <= MOST_SIDES:
            raise UsageError(f"{len(names) + len(kept)} chosen; choose 2 to {MOST_SIDES} configurations and runs")
        if names and not query:
            raise UsageError("there is nothing to ask; write a query")
        changes = tuple(changes_of(page.engine, name) for name in names)
        st.session_state[PENDING] = Wanted(query, page.workspace, now, changes, kept)
    except CoreSearchError as error:
        st.session_state[PENDING] = error


def _run_if_asked(page: Page) -> CoreSearchError | None:
    """Run what was asked in the pass before; the address then names the runs."""
    wanted = st.session_state.pop(PENDING, None)
    if wanted is None:
        return None
    if isinstance(wanted, CoreSearchError):
        return wanted
    try:
        with st.spinner("Comparing", show_time=True):
            found = [search_once(page, wanted.query, wanted.now, changes) for changes in wanted.changes]
    except CoreSearchError as error:
        return error
    session.set_parameter("runs", ",".join([*found, *wanted.runs]))
    session.set_parameter("item", "")
    st.session_state[SHOWN] = ",".join([*found, *wanted.runs])  # the widgets say it already
    return None
