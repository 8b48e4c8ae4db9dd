"""The form that forks a run: another extraction, scope, gate or settings, from any stage."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from core_search.errors import CoreSearchError, UsageError
from core_search.forks import FORCE_GATE, fork, request_of
from core_search.models import Extraction
from core_search.options import parse_settings
from core_search.replay import extraction_of
from core_search.results import SearchResult
from core_search.trace import STAGES
from core_search.ui import markup, session
from core_search.ui.fork.extraction_fields import extraction_fields
from core_search.ui.fork.setting_fields import setting_fields
from core_search.ui.frame import show_error
from core_search.ui.theme import STAGE_TITLES
from core_search.ui.view import View

EARLIEST = "as late as the changes allow"
GATES = {"route": "as the route says", "open": "open", "closed": "closed"}
PROBLEM, RAW, AS_JSON, LABELS, GATE, OTHER, STAGE = (
    "fork_problem", "fork_raw", "fork_as_json", "fork_labels", "fork_gate", "fork_other", "fork_stage",
)  # fmt: skip


def fork_form(view: View, result: SearchResult) -> None:
    """Draw it. The new run keeps this one as its parent."""
    if problem := st.session_state.pop(PROBLEM, None):
        show_error(problem)
    run = view.run.id
    extraction = extraction_of(result.router)
    # Outside the form: it changes what the form consists of.
    as_json = st.toggle("Edit the extraction as JSON", key=AS_JSON)
    with st.form(f"fork_{run}", border=False):
        with st.container(key="fork_columns"):
            left, middle, right = st.columns([1.25, 1, 1], gap="large")
        with left:
            st.html(markup.caption("understood as"))
            if as_json:
                text = json.dumps(extraction.wire(), indent=2, ensure_ascii=False)
                st.text_area("Extraction", text, key=f"{RAW}_{run}", height=380, label_visibility="collapsed")
            else:
                edited = extraction_fields(result, extraction, run)
        with middle:
            _scope(view, result, run)
        with right:
            changes = setting_fields(result, run)
        st.text_input(
            "Other settings", key=f"{OTHER}_{run}", placeholder="hint_threshold=0.5, voice_limit=3",
            help="Any setting as key=value, with commas between them.",
        )  # fmt: skip
        row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
        row.selectbox(
            "Start at", [EARLIEST, *STAGES], key=f"{STAGE}_{run}", width=280,
            format_func=lambda name: STAGE_TITLES.get(name, name),
            help="What is before that stage is taken over from this run; the rest runs.",
        )  # fmt: skip
        if row.form_submit_button("Run the fork", type="primary", icon=":material/alt_route:"):
            _submit(view, result, None if as_json else edited, changes)
            st.rerun()


def _scope(view: View, result: SearchResult, run: str) -> None:
    st.html(markup.caption("scope and gate"))
    names = _label_names(view)
    st.multiselect(
        "Labels to search in",
        list(names),
        default=[id_ for id_ in result.options.label_ids if id_ in names],
        format_func=lambda id_: names[id_],
        key=f"{LABELS}_{run}",
        placeholder="those of the route",
        help="Replaces the labels that the route selected. Empty: as the route says.",
    )
    st.radio("Gate", list(GATES), format_func=lambda name: GATES[name], key=f"{GATE}_{run}", horizontal=True)
    gate = result.gate
    st.html(markup.dim(f"It was {'open' if gate.open else 'closed'}: {gate.reason}."))


def _label_names(view: View) -> dict[str, str]:
    try:
        with view.items.engine.memory(view.run.head.workspace) as memory:
            return {label.id: label.name for label in sorted(memory.stores.labels, key=lambda label: label.name)}
    except CoreSearchError:
        return {}  # without its memory the search cannot run either, and says so


def _submit(view: View, result: SearchResult, edited: dict[str, Any] | None, changes: dict[str, Any]) -> None:
    """Ask for the fork in the next pass of the page, or say what is wrong with it."""
    run, state = view.run.id, st.session_state
    try:
        wanted = _from_json(str(state[f"{RAW}_{run}"])) if edited is None else edited
        output = None if wanted == extraction_of(result.router).wire() else wanted
        labels = tuple(state.get(f"{LABELS}_{run}", ()))
        if labels != result.options.label_ids:
            changes = {**changes, "label_ids": labels}
        if state.get(f"{GATE}_{run}", "route") != "route":
            changes = {**changes, FORCE_GATE: state[f"{GATE}_{run}"] == "open"}
        other = [part for part in str(state.get(f"{OTHER}_{run}") or "").split(",") if part.strip()]
        changes = {**changes, **parse_settings(other)}
        stage = state.get(f"{STAGE}_{run}", EARLIEST)
        request = request_of(view.items.engine, result)
        session.ask(
            fork(
                result,
                request,
                changes,
                stage=None if stage == EARLIEST else stage,
                router_output=output,
                run_id=run,
            )
        )
    except CoreSearchError as error:
        state[PROBLEM] = error


def _from_json(text: str) -> dict[str, Any]:
    """The extraction as it was typed. The pipeline repairs values; here it only has to be one JSON object."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UsageError(f"the extraction is not JSON: {error}; mend it, or switch to the form") from None
    if not isinstance(data, dict):
        raise UsageError('the extraction must be one JSON object, such as {"queryType": "exploratory"}')
    unknown = sorted(set(data) - {field.alias or name for name, field in Extraction.model_fields.items()})
    if unknown:
        raise UsageError(f"the extraction has no field {unknown[0]!r}; the form shows all fields")
    return data
