"""The head of the page: which set, which evaluation, which cutoff, and the button that evaluates."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.evaluation.at_k import CUTOFFS
from core_search.evaluation.history import EvaluationRecord, History
from core_search.evaluation.recorded import same_numbers
from core_search.ui import markup, safe_text, session
from core_search.ui.evaluate import address, running, words
from core_search.ui.evaluate.sets import SetChoice
from core_search.ui.evaluate.view import EvaluateView
from core_search.ui.frame import Page

# Two searches of some 70 ms each, on a machine that does nothing else.
SECONDS_PER_QUERY = 0.16
SET_KEY, RECORD_KEY, K_KEY = "evaluate_set", "evaluate_record", "evaluate_k"


def choosers(choices: Sequence[SetChoice], choice: SetChoice, records: Sequence[EvaluationRecord]) -> None:
    """Set, evaluation and cutoff in one row."""
    names = {one.id: one.name for one in choices}
    titles = {record.id: words.title(record) for record in records}
    st.session_state[SET_KEY] = choice.id
    st.session_state[K_KEY] = address.cutoff()
    if titles:
        st.session_state[RECORD_KEY] = address.chosen(address.EVALUATION) or next(iter(titles))
    left, middle, right = st.columns([1.2, 2.4, 1.3], vertical_alignment="bottom")
    left.selectbox(
        "Query set",
        list(names),
        key=SET_KEY,
        format_func=lambda set_id: safe_text.one_line(names[set_id], 60),
        on_change=_switch_set,
    )
    if titles:
        middle.selectbox(
            "Evaluation",
            list(titles),
            key=RECORD_KEY,
            format_func=lambda record_id: safe_text.one_line(titles[record_id], 110),
            on_change=_switch_record,
        )
        right.segmented_control(
            "First k places",
            CUTOFFS,
            key=K_KEY,
            on_change=lambda: address.choose(address.K, str(st.session_state[K_KEY])),
            required=True,
        )


def evaluate_button(page: Page, history: History, choice: SetChoice, *, first: bool, seconds: float) -> None:
    """The button that starts, with what it will take."""
    changes = session.changes()
    count = choice.queries
    label = f"Evaluate {count:,} judged queries of {page.workspace} (about {duration(seconds * count)})"
    st.button(
        safe_text.markdown(label),
        key="start_evaluation",
        type="primary" if first else "secondary",
        icon=":material/play_arrow:",
        on_click=running.start,
        args=(page.engine, history, choice, changes),
        disabled=page.read_only or bool(running.running()),
        help="With the settings in the sidebar: " + (", ".join(changes) if changes else "all as by default."),
    )
    if page.read_only:
        st.html(markup.dim("This installation is read-only: evaluations can be looked at, not made."))


def about(view: EvaluateView) -> None:
    """What was evaluated, and what a reader must know first: unfinished, outdated."""
    setup = view.record.setup
    parts = [
        words.configuration(setup),
        "; ".join(f"{part}: {model}" for part, model in setup.providers.items()),
        f"data {setup.fingerprint[:8]}",
        f"judgments {setup.judgments[:8]}",
    ]
    lines = [" · ".join(parts)]
    if view.choice and view.choice.remarks:
        lines.append("Not evaluated: " + "; ".join(view.choice.remarks) + ".")
    if view.now is not None and view.record.finished and not view.changed and not same_numbers(view.record, view.now):
        lines.append("The settings in the sidebar, or the models in use, are not those of this evaluation.")
    st.html("".join(map(markup.dim, lines)))
    _unfinished(view)
    if view.changed:
        st.warning(
            f"Since this evaluation {' and '.join(view.changed)} changed: the numbers are of then, the fates of items "
            "that you open are of now.",
            icon=":material/history:",
        )


def _unfinished(view: EvaluateView) -> None:
    record = view.record
    if record.finished or running.running() == record.id:
        return
    text, button = st.columns([3, 1], vertical_alignment="center")
    text.warning(
        f"Stopped: {record.done} of {record.setup.queries} queries are done, and every number below is of these alone.",
        icon=":material/pause_circle:",
    )
    button.button(
        "Resume",
        key="resume_evaluation",
        icon=":material/play_arrow:",
        type="primary",
        on_click=running.go_on,
        args=(record.id,),
        disabled=view.page.read_only or view.choice is None,
    )


def seconds_per_query(view: EvaluateView | None) -> float:
    """Both searches of one query, by the evaluation on the page."""
    times = [query.outcome.duration_ms for query in view.queries if query.outcome.ran] if view else []
    return 2.4 * sum(times) / len(times) / 1000 if times else SECONDS_PER_QUERY


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds, -1) if seconds >= 15 else round(seconds)):.0f} s"
    return f"{seconds / 60:.0f} min"


def _switch_set() -> None:
    address.choose(address.SET, str(st.session_state[SET_KEY]))
    for name in (address.EVALUATION, address.QUERY, address.SINCE):
        address.choose(name, "")


def _switch_record() -> None:
    address.choose(address.EVALUATION, str(st.session_state[RECORD_KEY]))
