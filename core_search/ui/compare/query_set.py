"""A set of judged queries in two to six configurations: started, stopped, resumed; what is known is always drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core_search.comparison.set_report import report
from core_search.comparison.set_runs import KeptSets, SetRun
from core_search.comparison.set_spec import MOST_REPETITIONS, Configuration, SetSpec
from core_search.errors import CoreSearchError, UsageError
from core_search.judgments.store import JudgmentStore
from core_search.ui import markup, safe_text, session
from core_search.ui.compare.configurations import DEFAULTS, changes_of, choose_configurations
from core_search.ui.compare.set_views import draw_report
from core_search.ui.evaluate.sets import SetChoice, choices
from core_search.ui.frame import Page, show_error

MEASURES = ("nDCG@10", "R@10", "R@20", "P@5", "RR", "AP")
WHICH, CONFIGURATIONS, TAGS, MEASURE, ANSWERED, REPETITIONS, RUNNING, PROBLEM, SHOWN = (
    "set_which", "set_configurations", "set_tags", "set_measure", "set_answered", "set_repetitions", "set_running",
    "set_problem", "set_shown",
)  # fmt: skip


def query_set(page: Page) -> None:
    kept = KeptSets(session.records().database)
    spec = _spec_of_the_address(page, kept)
    found = {one.id: one for one in choices(page, JudgmentStore.of(session.records().database))}
    if not found:
        st.info(
            f"The memory {page.workspace!r} has no judged queries. Load one with queries.jsonl and qrels.txt, or judge "
            "some on the Review page.",
            icon=":material/fact_check:",
        )
        return
    if problem := st.session_state.pop(PROBLEM, None):
        show_error(problem)
    if spec is not None and spec.set_id not in found:
        show_error(UsageError("the query set of this comparison is gone, or has no judgments any more"))
        spec = None
    _follow(spec)
    choice = _form(page, found)
    if spec is not None and spec.set_id != choice.id:
        spec = None  # another set was chosen: what is known of it comes next
    judged = choice.judged
    measure = str(st.session_state.get(MEASURE) or MEASURES[0])
    if spec is None:
        spec = _first(page, choice)
    run = SetRun(page.engine, kept, spec, judged)
    if _progress(run):
        st.rerun()
    if run.done:
        draw_report(page, spec, judged, report(spec, run.cells, measure))
    else:
        st.html(
            markup.dim(f"{spec.searches:,} searches, some tens of milliseconds each. They can be stopped and resumed.")
        )


def _spec_of_the_address(page: Page, kept: KeptSets) -> SetSpec | None:
    id_ = session.parameter("set")
    if not id_:
        return None
    spec = kept.load(id_)
    if spec.workspace != page.workspace:
        session.set_parameter("set", "")
        return None
    return spec


def _first(page: Page, choice: SetChoice) -> SetSpec:
    """What the form says before anybody has touched it; searches of it that were run before are shown at once."""
    return spec_of(page, choice, (DEFAULTS, "rerank off"), (), as_answered=False, repetitions=1)


def spec_of(
    page: Page, choice: SetChoice, names: Sequence[str], tags: Sequence[str], *, as_answered: bool, repetitions: int
) -> SetSpec:
    """The comparison that was chosen; `UsageError` when it cannot be run."""
    if len(names) < 2:
        raise UsageError("one configuration cannot be compared; choose two or more")
    queries = [query for query, _ in choice.judged.judged() if not tags or set(tags) & set(query.tags)]
    if not queries:
        raise UsageError(f"no judged query has one of the tags {', '.join(tags)}; choose others")
    return SetSpec(
        workspace=page.workspace,
        set_id=choice.id,
        configurations=tuple(Configuration(name=name, changes=_plain(changes_of(page.engine, name))) for name in names),
        query_ids=tuple(query.id for query in queries),
        as_answered=as_answered,
        repetitions=repetitions,
    )


def _plain(changes: dict[str, object]) -> dict[str, object]:
    """As JSON keeps it."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in changes.items()}


def _follow(spec: SetSpec | None) -> None:
    """Show what the comparison in the address was set to, when it is another one than before."""
    if spec is None or st.session_state.get(SHOWN) == spec:
        return
    st.session_state[SHOWN] = spec
    st.session_state[CONFIGURATIONS] = [configuration.name for configuration in spec.configurations]
    st.session_state[WHICH] = spec.set_id
    st.session_state[ANSWERED], st.session_state[REPETITIONS] = spec.as_answered, spec.repetitions


def _form(page: Page, found: Mapping[str, SetChoice]) -> SetChoice:
    """Draw it; the query set that is chosen."""
    if st.session_state.get(WHICH) not in found:
        st.session_state[WHICH] = next(iter(found))
    choice = found[st.session_state[WHICH]]
    judged = choice.judged
    tags = sorted({tag for query, _ in judged.judged() for tag in query.tags})
    with st.container(key="set_bar"):
        left, right = st.columns([3, 2])
        with left:
            choose_configurations(page.engine, CONFIGURATIONS, (DEFAULTS, "rerank off"))
        right.multiselect("Only queries with a tag", tags, key=TAGS, placeholder="all judged queries")
        row = st.container(horizontal=True, gap="small", vertical_alignment="bottom")
        if len(found) > 1:
            row.selectbox(
                "Query set",
                list(found),
                key=WHICH,
                format_func=lambda set_id: safe_text.one_line(found[set_id].name, 40),
                width=240,
            )
        row.selectbox("Measure", MEASURES, key=MEASURE, width=130)
        if page.engine.providers.extractor.name != "rules":  # those always say the same
            row.number_input(
                "Repetitions",
                1,
                MOST_REPETITIONS,
                key=REPETITIONS,
                width=130,
                help="A model's extraction varies: repetitions show how far that alone moves the result.",
            )
        row.toggle(
            "As an agent gets it",
            key=ANSWERED,
            help="On: floors, limit and token budget cut. Off: the whole ranking is measured to 20 episodes.",
        )
        row.button("Run", type="primary", key="set_start", width=110, on_click=_start, args=(page, choice))
    if choice.remarks:
        st.html(markup.dim("Not compared: " + "; ".join(choice.remarks) + "."))
    return choice


def _start(page: Page, choice: SetChoice) -> None:
    try:
        spec = spec_of(
            page,
            choice,
            st.session_state[CONFIGURATIONS],
            st.session_state.get(TAGS, []),
            as_answered=bool(st.session_state.get(ANSWERED)),
            repetitions=int(st.session_state.get(REPETITIONS) or 1),
        )
        id_ = KeptSets(session.records().database).save(spec)
    except CoreSearchError as error:
        st.session_state[PROBLEM] = error
        return
    session.set_parameter("set", id_)
    st.session_state[SHOWN], st.session_state[RUNNING] = spec, True


def _stop() -> None:
    st.session_state[RUNNING] = False


def _resume() -> None:
    st.session_state[RUNNING] = True


def _progress(run: SetRun) -> bool:
    """Run what is missing while that is wanted; True when the last search has just ended.

    Pressing Stop ends this pass of the page at the next word about progress. Each search is kept before that.
    """
    total = run.spec.searches
    if not st.session_state.get(RUNNING):
        if 0 < run.done < total:
            row = st.container(horizontal=True, vertical_alignment="center", gap="small")
            row.html(markup.dim(f"{run.done:,} of {total:,} searches are done; the rest is not in the numbers."))
            row.button("Resume", key="set_resume", icon=":material/play_arrow:", on_click=_resume)
        return False
    row = st.container(horizontal=True, vertical_alignment="center", gap="small")
    row.button("Stop", key="set_stop", icon=":material/stop:", on_click=_stop)
    bar = row.progress(run.done / total, text=f"{run.done:,} of {total:,}")
    run.run(lambda what, done, all_: bar.progress(done / all_, text=f"{done:,} of {all_:,}"))
    st.session_state[RUNNING] = False
    return True
