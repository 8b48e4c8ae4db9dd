"""Running an evaluation on the page: progress, stop, resume.

The queries run in the script of the page, at its end, so that the page stays usable: a click on anything else starts
the script anew, which goes on where the last kept query was. Only Stop ends it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.evaluation.history import EvaluationRecord, History
from core_search.evaluation.recorded import resume, setup_of
from core_search.ui import safe_text
from core_search.ui.evaluate import address
from core_search.ui.evaluate.sets import SetChoice

RUNNING = "evaluate_running"  # the id of the evaluation that this session runs


def running() -> str:
    return str(st.session_state.get(RUNNING, ""))


def start(engine: SearchEngine, history: History, choice: SetChoice, changes: dict[str, Any]) -> None:
    """Begin a new evaluation; the script goes on with it at its end."""
    try:
        setup = setup_of(engine, choice.judged, changes, set_id=choice.id, set_name=choice.name)
        evaluation = history.start(setup)
    except CoreSearchError as error:
        st.session_state["evaluate_problem"] = str(error)
        return
    for name in (address.QUERY, address.SINCE):
        address.choose(name, "")
    address.choose(address.EVALUATION, evaluation)
    go_on(evaluation)


def go_on(evaluation: str) -> None:
    st.session_state[RUNNING] = evaluation


def stop() -> None:
    st.session_state.pop(RUNNING, None)


def run(
    place: DeltaGenerator, engine: SearchEngine, history: History, record: EvaluationRecord, choice: SetChoice
) -> None:
    """Evaluate to the end, with progress in `place`. Every finished query is kept at once."""
    with place, st.container(key="evaluate_progress"):
        left, right = st.columns([7, 1], vertical_alignment="center")
    bar = left.progress(record.done / max(record.setup.queries, 1), text=_words(record.done, record.setup.queries))
    right.button("Stop", key="stop_evaluation", icon=":material/stop_circle:", on_click=stop)
    try:
        for done, total, query in resume(engine, history, record.id, choice.judged):
            bar.progress(done / total, text=_words(done, total, query.outcome.query))
    except CoreSearchError:
        stop()
        raise
    stop()
    st.rerun()


def _words(done: int, total: int, query: str = "") -> str:
    shown = f" · {safe_text.markdown(query, 70)}" if query else ""
    return f"{done} of {total} queries{shown}"
