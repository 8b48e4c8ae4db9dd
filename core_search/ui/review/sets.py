"""The query set itself: its queries, the words for grades, guidelines, new sets."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from core_search.errors import CoreSearchError, UsageError
from core_search.judgments.importing import set_of_workspace
from core_search.judgments.query_files import read_queries
from core_search.judgments.query_sets import query_of_run
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import GRADES
from core_search.ui import markup, safe_text, session
from core_search.ui.frame import Page, show_error
from core_search.ui.review.choices import POOL, SET, choose
from core_search.ui.review.review import Review
from core_search.workspace import read_query_set

FROM_MEMORY, FROM_FILE, BY_HAND, FROM_RUN = "memory", "file", "hand", "run"
TAG_HELP = "several with semicolons"


def sets(review: Review) -> None:
    """Queries, labels and guidelines of the chosen set; a form for another one."""
    one, locked = review.query_set, review.page.read_only
    st.html(markup.caption(f"{len(one.queries)} queries about {one.workspace}"))
    rows = [(query.id, query.query, query.need or "", ", ".join(query.tags)) for query in one.queries]
    with st.container(height=320 if len(rows) > 8 else "content", border=False, key="set_queries"):
        st.html(markup.table(("id", "query", "need", "tags"), rows))
    if locked:
        return
    _add(review)
    _words(review)
    with st.expander("Another query set", key="another_set", icon=":material/add:"):
        new_set(review.page, review.store)
    with st.expander("Remove this set", key="remove_set", icon=":material/delete:"):
        st.caption("Its grades go with it. Export them first in the view In and out.")
        sure = st.text_input("Write the name of the set to remove it", key="remove_name")
        if st.button("Remove", key="remove_confirmed", disabled=sure != one.name):
            review.store.sets.delete(one.id)
            choose(SET, "")
            choose(POOL, "")
            st.rerun()


def _add(review: Review) -> None:
    with (
        st.expander("Add a query", key="add_query", icon=":material/add:"),
        st.form("query_form", border=False, clear_on_submit=True),
    ):
        text = st.text_input("Query", key="new_query")
        need = st.text_input("Need", key="new_need", placeholder="what would answer it")
        tags = st.text_input("Tags", key="new_tags", placeholder=TAG_HELP)
        if st.form_submit_button("Add"):
            names = [tag.strip() for tag in tags.split(";") if tag.strip()]
            _attempt(lambda: review.store.sets.add_by_hand(review.query_set.id, text, need, names))


def _words(review: Review) -> None:
    one = review.query_set
    with (
        st.expander("Labels of the grades, guidelines, name", key="set_words", icon=":material/edit:"),
        st.form("words_form", border=False),
    ):
        name = st.text_input("Name", value=one.name, key=f"set_name_{one.id}")
        columns = st.columns(len(GRADES))
        labels = [
            column.text_input(f"Grade {grade}", value=one.labels[grade], key=f"label_{grade}_{one.id}", max_chars=40)
            for grade, column in zip(GRADES, columns, strict=True)
        ]
        guidelines = st.text_area("Guidelines", value=one.guidelines, key=f"guidelines_{one.id}", height=180)
        if st.form_submit_button("Save"):
            _attempt(lambda: review.store.sets.change(one.id, name=name, labels=labels, guidelines=guidelines))


def new_set(page: Page, store: JudgmentStore) -> None:
    """Four ways to a new set; it is the chosen one afterwards."""
    if page.read_only:
        return
    ways = _ways(page)
    way = st.radio("Make it", list(ways), format_func=ways.__getitem__, key="set_way", horizontal=True)
    with st.form("set_form", border=False):
        name = st.text_input("Name of the set", value=_free_name(store, page.workspace), key="set_name")
        file = text = need = tags = None
        if way == FROM_FILE:
            file = st.file_uploader(
                "Queries",
                type=["csv", "jsonl"],
                key="set_file",
                help="Columns or keys: query, and if you like id, need, tags, now, type.",
            )
        elif way == BY_HAND:
            text = st.text_input("First query", key="set_query")
            need = st.text_input("Need", key="set_need", placeholder="what would answer it")
            tags = st.text_input("Tags", key="set_tags", placeholder=TAG_HELP)
        if not st.form_submit_button("Make the set", type="primary"):
            return
    try:
        if way == FROM_MEMORY:
            made = set_of_workspace(page.engine, store.database, page.workspace, name)
        elif way == FROM_FILE:
            if file is None:
                raise UsageError("no file was chosen; upload a CSV or JSON Lines file of queries")
            made = store.sets.create(name, page.workspace, read_queries(file.getvalue(), file.name))
        elif way == FROM_RUN:
            run = session.open_run(session.parameter("run")).run
            made = store.sets.create(name, run.head.workspace, [query_of_run(run)])
        else:
            if not (text or "").strip():
                raise UsageError("the query is empty; write what the memory is asked")
            made = store.sets.create(name, page.workspace)
            words = [tag.strip() for tag in (tags or "").split(";") if tag.strip()]
            store.sets.add_by_hand(made.id, text or "", need or "", words)
    except CoreSearchError as error:
        show_error(error)
        return
    choose(SET, made.id)
    choose(POOL, "")
    st.rerun()


def _ways(page: Page) -> dict[str, str]:
    ways = {}
    try:
        queries, qrels = read_query_set(page.engine.folder(page.workspace).generation())
    except CoreSearchError:
        queries, qrels = (), ()
    if queries:
        ways[FROM_MEMORY] = f"from the {len(queries)} queries and {len(qrels):,} judgments of {page.workspace}"
    if run_id := session.parameter("run"):
        with suppress(CoreSearchError):  # an old link: the other ways are still there
            ways[FROM_RUN] = f"from the run {safe_text.markdown(session.open_run(run_id).run.head.query, 40)}"
    return {**ways, FROM_FILE: "from a CSV or JSON Lines file", BY_HAND: "by hand"}


def _free_name(store: JudgmentStore, workspace: str) -> str:
    taken = {one.name for one in store.sets.all()}
    number, name = 1, f"{workspace} queries"
    while name in taken:
        number += 1
        name = f"{workspace} queries {number}"
    return name


def _attempt(change: Callable[[], object]) -> None:
    try:
        change()
    except CoreSearchError as error:
        show_error(error)
    else:
        st.rerun()
