"""The Evaluate page: the newest evaluation of this memory, in five views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from core_search.errors import UnknownItem
from core_search.evaluation.history import EvaluationRecord, History
from core_search.evaluation.recorded import setup_of
from core_search.judgments.store import JudgmentStore
from core_search.ui import markup, safe_text, session, welcome
from core_search.ui.evaluate import address, head, running
from core_search.ui.evaluate.loss_view import losses_view
from core_search.ui.evaluate.past import past
from core_search.ui.evaluate.queries import queries_view
from core_search.ui.evaluate.results import results
from core_search.ui.evaluate.router import router_view
from core_search.ui.evaluate.sets import SetChoice, choices
from core_search.ui.evaluate.view import EvaluateView
from core_search.ui.evaluate.words import number
from core_search.ui.frame import Page, show_error

VIEWS: Mapping[str, tuple[str, Callable[[EvaluateView], None]]] = MappingProxyType(
    {
        "results": ("Results", results),
        "losses": ("Losses", losses_view),
        "queries": ("Queries", queries_view),
        "history": ("History", past),
    }
)
ROUTER = "router"
STRIP = "evaluate_strip"


def evaluate_page(page: Page) -> None:
    st.html(Path(__file__).with_name("evaluate.css"))
    welcome.load_sample(page)
    address.forget_another_memory(page.workspace)
    history = History(session.records().database)
    if problem := st.session_state.pop("evaluate_problem", None):
        st.error(safe_text.markdown(problem, 600), icon=":material/error:")
    found = choices(page, JudgmentStore.of(session.records().database))
    record = _chosen(page, history)
    choice = _choice(found, record)
    records = history.recent(page.workspace, choice.id if choice else None)
    if record is None and records:
        record = records[0]
        address.choose(address.EVALUATION, record.id)
    if choice is None and record is None:
        _nothing_to_evaluate(page)
        router_view(page)
        return
    view = _view(page, history, record, choice) if record else None
    with st.container(key="evaluate_head"):
        if choice is not None:
            head.choosers(found, choice, records)
        if view is not None:
            head.about(view)
        elif choice is not None:
            _lead(choice)
        if choice is None and found:
            _set_is_gone()
    progress = st.container()
    if choice is not None:
        with st.container(key="evaluate_start"):
            seconds = head.seconds_per_query(view)
            head.evaluate_button(page, history, choice, first=view is None, seconds=seconds)
    if view is not None and view.record.done:
        _views(page, view)
    elif running.running():
        st.html(markup.dim("Numbers stand here once the first queries are done; a click on anything draws them."))
    else:
        st.html(markup.caption("the router, on labelled queries"))
        with st.container(key="inspect_body"):
            router_view(page)
    if view is not None and choice is not None and running.running() == view.record.id:
        running.run(progress, page.engine, history, view.record, choice)


def _chosen(page: Page, history: History) -> EvaluationRecord | None:
    evaluation = address.chosen(address.EVALUATION)
    if not evaluation:
        return None
    try:
        record = history.load(evaluation)
    except UnknownItem as error:
        show_error(error)
    else:
        if record.setup.workspace == page.workspace:
            return record
    address.choose(address.EVALUATION, "")
    return None


def _choice(found: Sequence[SetChoice], record: EvaluationRecord | None) -> SetChoice | None:
    """The set of the evaluation on the page, else the one in the address, else the first."""
    by_id = {choice.id: choice for choice in found}
    if record is not None:
        return by_id.get(record.setup.set_id)
    return by_id.get(address.chosen(address.SET)) or (found[0] if found else None)


def _view(page: Page, history: History, record: EvaluationRecord, choice: SetChoice | None) -> EvaluateView:
    now = None
    if choice is not None:
        now = setup_of(page.engine, choice.judged, session.changes(), set_id=choice.id, set_name=choice.name)
    return EvaluateView(page, history, record, address.cutoff(), choice, now)


def _views(page: Page, view: EvaluateView) -> None:
    titles = {name: title for name, (title, _) in VIEWS.items()} | {ROUTER: "Router"}
    sizes = _sizes(view)
    tab = address.chosen(address.TAB)
    tab = tab if tab in titles else next(iter(titles))
    st.session_state[STRIP] = tab
    with st.container(key="stage_strip"):  # the name that the style sheet knows such chips by
        st.segmented_control(
            "Views",
            list(titles),
            key=STRIP,
            format_func=lambda name: f"**{titles[name]}**\n:small[{sizes.get(name, '–')}]",
            on_change=lambda: address.choose(address.TAB, str(st.session_state[STRIP])),
            required=True,
            label_visibility="collapsed",
            wrap=True,
            width="stretch",
        )
    with st.container(key="inspect_body"):  # the name under which the style sheet folds columns on a narrow window
        if tab == ROUTER:
            router_view(page)
        else:
            VIEWS[tab][1](view)


def _sizes(view: EvaluateView) -> dict[str, str]:
    measure = view.scores.measures[0]
    mean = view.scores.breakdown.overall.means.get(measure)
    losses = [query.losses for query in view.queries if query.losses]
    sizes = {"results": f"{measure} {number(mean)}", ROUTER: "labelled queries"}
    lost, relevant = sum(len(row.lost) for row in losses), sum(row.relevant for row in losses)
    sizes["losses"] = f"{lost:,} of {relevant:,} lost"
    sizes["queries"] = f"{len(view.queries):,} evaluated"
    past_ones = len(view.history.recent(view.record.setup.workspace, view.record.setup.set_id))
    sizes["history"] = f"{past_ones:,} kept"
    return sizes


def _lead(choice: SetChoice) -> None:
    st.html(
        f'<div class="ev-lead">{choice.queries:,} queries have judgments. Each is searched twice: once ranked, for '
        "nDCG, recall, precision and reciprocal rank, and once as a user asks, to see at which stage relevant items "
        "get lost.</div>"
    )


def _set_is_gone() -> None:
    text, button = st.columns([3, 1], vertical_alignment="center")
    text.warning("The query set of this evaluation is gone, or has no judgments any more.", icon=":material/link_off:")
    button.button("To the sets that are here", key="to_sets", on_click=address.choose, args=(address.EVALUATION, ""))


def _nothing_to_evaluate(page: Page) -> None:
    st.info(
        f"{safe_text.markdown(page.workspace)} has no judged queries. Judge some on the Review page, or load the "
        "memory with queries.jsonl and qrels.txt.",
        icon=":material/inbox:",
    )
    st.html(markup.dim("The router can be evaluated without judgments."))
