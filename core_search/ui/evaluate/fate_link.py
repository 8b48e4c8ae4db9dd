"""The way from an item of an evaluation to its fate: the query's run on the Inspect page, with the item chosen.

An evaluation keeps what became of its items, not sixty whole traces. The run is the kept one that asked the same of
the same data with the same settings; when there is none, the query is searched and kept now.
"""

from __future__ import annotations

import streamlit as st

from core_search.assemble import models_in_use
from core_search.evaluation.outcomes import Outcome
from core_search.models import ItemKind
from core_search.records import setup
from core_search.results import SearchRequest
from core_search.ui import markup, safe_text, session
from core_search.ui.evaluate.view import EvaluateView


def open_fate(view: EvaluateView, outcome: Outcome, item: str = "") -> None:
    """Leave for the Inspect page."""
    with st.spinner("Opening its run"):
        run_id = run_of(view, outcome)
    address = {"run": run_id}
    if item:
        address["item"] = f"{ItemKind.EPISODE.value}:{item}"
    st.switch_page("app.py", query_params=address)


def run_of(view: EvaluateView, outcome: Outcome) -> str:
    """The id of the run that shows this query as a user's search."""
    engine, record = view.page.engine, view.record
    query = None
    if view.choice is not None:
        query = next((query for query in view.choice.judged.queries if query.id == outcome.id), None)
    request = SearchRequest(
        query=outcome.query,
        workspace=record.setup.workspace,
        now=query.now if query else None,
        set=dict(record.setup.changes),
    )
    with engine.memory(request.workspace) as memory:
        now = request.now or session.clock(memory)
        options = engine.default_options().with_changes(request.set)
        known = setup(memory.meta.fingerprint, now, options, models_in_use(engine.providers))
    return session.records().find(request.query, request.workspace, known) or session.search(request)


def item_line(view: EvaluateView, outcome: Outcome, item: str, head: str, text: str, place: str) -> None:
    """One item: a head that leads to its fate, and the beginning of its text."""
    if st.button(
        safe_text.markdown(head, 220),
        key=f"fate_{place}",
        type="tertiary",
        icon=":material/arrow_outward:",
        help="Its fate, on the Inspect page",
    ):
        open_fate(view, outcome, item)
    body = safe_text.span(text, length=280) if text else markup.item_id(item)
    st.html(f'<div class="cs-clip" dir="auto">{body}</div>')
