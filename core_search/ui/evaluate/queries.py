"""Every query with its numbers, worst first, and the chosen one with its ranking and its losses."""

from __future__ import annotations

import streamlit as st

from core_search.evaluation.evaluated_query import EvaluatedQuery
from core_search.evaluation.loss_waterfall import items_of
from core_search.evaluation.qrels import RELEVANT, relevant
from core_search.evaluation.runs import run_text
from core_search.ui import markup, safe_text
from core_search.ui.evaluate import address
from core_search.ui.evaluate.fate_link import item_line, open_fate
from core_search.ui.evaluate.tables import clickable
from core_search.ui.evaluate.view import EvaluateView
from core_search.ui.evaluate.words import code_words, number, percent
from core_search.ui.memory.pieces import search_field
from core_search.ui.theme import STAGE_TITLES

LOST_IN_CARD = 6
ROWS = 400  # a table longer than that is for the filter


def queries_view(view: EvaluateView) -> None:
    chosen = view.by_key.get(f"{view.record.setup.workspace}\t{address.chosen(address.QUERY)}")
    if chosen is None:
        _table(view)
        st.html(markup.dim("Click a query for its ranking, its grades and what it lost."))
        _download(view)
        return
    left, right = st.columns([1.3, 1], gap="large")
    with left:
        _table(view)
    with right, st.container(key="query_card"):
        _card(view, chosen)


def _table(view: EvaluateView) -> None:
    wanted = search_field("evaluated_queries", "Filter by words, tag or type").casefold()
    first = view.scores.measures[0]
    found = [query for query in view.queries if wanted in _searched(query)]

    def value(query: EvaluatedQuery) -> tuple[bool, float]:
        scores = view.scores.per_query.get(query.key)
        return (scores is None, scores.values[first] if scores else 0.0)

    found = sorted(found, key=value)[:ROWS]
    rows = [_row(view, query) for query in found]
    keys = [query.outcome.id for query in found]
    clickable(
        rows,
        f"evaluated_{view.record.id}_{view.k}_{wanted}",
        lambda at: address.choose(address.QUERY, keys[at]),
        {first: st.column_config.ProgressColumn(first, min_value=0, max_value=1, format="%.3f")},
    )
    if not rows:
        st.html(markup.dim("No query has these words."))
    st.html(
        markup.dim(
            "“up to” is the value with the unjudged places as relevant; a dash: the query is in no mean, because it "
            "did not run or nothing relevant is judged."
        )
    )


def _download(view: EvaluateView) -> None:
    """The rankings for other tools; the command line scores such a file."""
    st.download_button(
        "Rankings as a TREC run",
        lambda: run_text({query.outcome.id: query.outcome.ranking for query in view.queries}),
        file_name=f"evaluation-{view.record.id}.run",
        mime="text/plain",
        key="download_run",
        type="tertiary",
        icon=":material/download:",
        on_click="ignore",
    )


def _searched(query: EvaluatedQuery) -> str:
    outcome = query.outcome
    return " ".join((outcome.id, outcome.query, *outcome.tags, outcome.routed_type or "")).casefold()


def _row(view: EvaluateView, query: EvaluatedQuery) -> dict[str, object]:
    outcome, scores = query.outcome, view.scores.per_query.get(query.key)
    first, *others = view.scores.measures[:-1]
    row: dict[str, object] = {
        "id": outcome.id,
        "query": safe_text.one_line(outcome.query, 70),
        first: scores.values[first] if scores else None,
        "up to": number(scores.optimistic[first]) if scores else "–",
    }
    for name in others:
        row[name] = number(scores.values[name]) if scores else "–"
    row["judged"] = percent(scores.judged.get(first)) if scores else "–"
    wanted = len(relevant(outcome.grades))
    returned = len(query.losses.returned) if query.losses else 0
    row["returned"] = f"{returned} of {wanted}" if wanted else "none relevant"
    row["routed as"] = (outcome.routed_type or "failed") + ("" if outcome.gate_open is not False else ", gate closed")
    return row


def _card(view: EvaluateView, query: EvaluatedQuery) -> None:
    outcome = query.outcome
    caption, close = st.columns([4, 1], vertical_alignment="center")
    caption.html(markup.caption(f"query {outcome.id}"))
    close.button(
        "Close", key="close_query", type="tertiary", icon=":material/close:", on_click=address.choose,
        args=(address.QUERY, ""),
    )  # fmt: skip
    st.html(f"<strong>{safe_text.span(outcome.query, length=300)}</strong>")
    st.html(markup.tags((*outcome.tags, *filter(None, (outcome.routed_type,)))))
    if outcome.problem:
        st.error(safe_text.markdown(outcome.problem, 500), icon=":material/error:")
    scores = view.scores.per_query.get(query.key)
    if scores:
        rows = []
        for name in view.scores.measures:
            best = scores.optimistic.get(name)
            share = scores.judged.get(name)
            rows.append(
                (name, number(scores.values[name]), number(best), percent(share) if name in scores.judged else "")
            )
        st.html(markup.table(("measure", "value", "up to", "judged"), rows, numbers=(1, 2, 3)))
    elif outcome.ran:
        st.html(markup.dim("Nothing relevant is judged for this query: it is in no mean."))
    if st.button("Open its run in Inspect", key="open_query_run", icon=":material/troubleshoot:"):
        open_fate(view, outcome)
    _lost(view, query)
    _ranking(view, query)


def _lost(view: EvaluateView, query: EvaluatedQuery) -> None:
    lost = [item for item in items_of(query) if item.code]
    if not lost:
        return
    shown = lost[:LOST_IN_CARD]
    texts = view.episodes([item.item for item in shown])
    st.html(markup.caption(f"relevant, but not returned: {len(lost)}"))
    with st.container(key="evitems_lost_of_query"):
        for at, item in enumerate(shown):
            text = texts[item.item].content if item.item in texts else ""
            head = f"grade {item.grade} · {STAGE_TITLES[item.stage]}: {item.text or code_words(item.code)}"
            item_line(view, query.outcome, item.item, head, text, f"query_lost_{at}")
    st.button(
        f"All {len(lost)} in its loss waterfall" if len(lost) > len(shown) else "Its loss waterfall",
        key="to_losses",
        type="tertiary",
        icon=":material/waterfall_chart:",
        on_click=address.choose,
        args=(address.TAB, "losses"),
    )


def _ranking(view: EvaluateView, query: EvaluatedQuery) -> None:
    outcome = query.outcome
    if not outcome.ranking:
        return
    texts = view.episodes(list(outcome.ranking))
    st.html(markup.caption(f"ranking, first {len(outcome.ranking)} places"))
    with st.container(key="evitems_ranking"):
        for at, item in enumerate(outcome.ranking, 1):
            grade = outcome.grades.get(item)
            if grade is None:
                words = "not judged"
            else:
                words = f"grade {grade}" + ("" if grade >= RELEVANT else ", not relevant")
            cut = " · outside the cutoff" if at > view.k else ""
            text = texts[item].content if item in texts else ""
            item_line(view, outcome, item, f"{at} · {words}{cut}", text, f"ranking_{at}")
