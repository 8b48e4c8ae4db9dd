"""Judgments to files and back. Conflicts are decided, one by one or all at once; nothing is replaced silently."""

from __future__ import annotations

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.agreement import graded
from core_search.judgments.exchange import (
    MAX_BYTES,
    JudgmentRecord,
    read_judgments,
    records_of,
    to_csv,
    to_jsonl,
    to_trec,
)
from core_search.judgments.importing import Conflict, Decision, ImportPlan, kinds_of, with_kinds
from core_search.judgments.values import ItemKey, Settled, Verdict
from core_search.ui import markup, safe_text
from core_search.ui.frame import show_error
from core_search.ui.review.desk import forget_desk
from core_search.ui.review.review import Review

COUNTING = "the grades that count"
SHOWN = 50  # conflicts that are decided one by one on a page


def files(review: Review) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        st.html(markup.caption("out"))
        _out(review)
    with right:
        st.html(markup.caption("in"))
        if review.page.read_only:
            st.html(markup.dim("This installation is read-only."))
        else:
            _in(review)


# ---------------------------------------------------------------- out


def _out(review: Review) -> None:
    set_id = review.query_set.id
    grades, settled = review.store.grades.all(set_id), review.store.settled.all(set_id)
    records = records_of(grades, settled.values())
    if not records:
        st.html(markup.dim("There are no judgments yet."))
        return
    st.html(markup.dim(f"{len(records):,} judgments, with reviewer and time. Proposals of a model are not among them."))
    name = safe_text.one_line(review.query_set.name, 60).replace("/", "-")
    with st.container(horizontal=True):
        # The byte order mark tells spreadsheets that it is UTF-8.
        _download("CSV", f"{name}.csv", "\ufeff" + to_csv(records), "text/csv", "download_csv")
        _download("JSON Lines", f"{name}.jsonl", to_jsonl(records), "application/jsonl", "download_jsonl")
    people = sorted({grade.reviewer for grade in grades if grade.verdict is Verdict.GRADED})
    whose = st.selectbox(
        "TREC qrels of",
        [COUNTING, *people],
        key="trec_of",
        help="A TREC file holds one grade an item. The one that counts is the settled one, else the median.",
    )
    chosen: dict[ItemKey, int] = (
        review.store.counting(set_id)
        if whose == COUNTING
        else {key: row[whose] for key, row in graded(grades).items() if whose in row}
    )
    try:
        _download("TREC qrels", f"{name}.qrels", to_trec(chosen), "text/plain", "download_trec")
    except CoreSearchError as error:
        show_error(error)


def _download(label: str, name: str, text: str, mime: str, key: str) -> None:
    st.download_button(label, text, file_name=name, mime=mime, key=key, icon=":material/download:", on_click="ignore")


# ---------------------------------------------------------------- in


def _in(review: Review) -> None:
    if done := st.session_state.pop("imported_words", ""):
        st.success(done)
    file = st.file_uploader(
        "Judgments",
        type=["csv", "jsonl", "txt", "qrels"],
        key="judgments_file",
        help="CSV, JSON Lines or TREC qrels",
        max_upload_size=MAX_BYTES // 1_000_000,
    )
    reviewer = "imported"
    if file is not None and file.name.lower().endswith((".txt", ".qrels")):
        reviewer = st.text_input(
            "A TREC file does not say who judged. These are the grades of", "imported", key="whose"
        )
    if file is None:
        return
    try:
        records = read_judgments(file.getvalue(), file.name, reviewer)
        kinds = kinds_of(review.page.engine, review.query_set.workspace, sorted({one.item_id for one in records}))
        if file.name.lower().endswith((".txt", ".qrels")):
            records = with_kinds(records, kinds)
        plan = review.store.importer.plan(review.query_set, records)
    except CoreSearchError as error:
        show_error(error)
        return
    unknown = len({one.item_id for one in records} - set(kinds))
    words = f"{len(plan.new):,} new, {plan.same:,} here already, {len(plan.conflicts):,} in conflict"
    st.html(markup.dim(words + (f"; {unknown:,} items are not in the memory" if unknown else "")))
    decisions = _decisions(review, plan)
    open_ones = len(plan.conflicts) - len(decisions)
    ready = not open_ones and bool(plan.new or plan.conflicts)
    if st.button("Import", key="import_judgments", type="primary", disabled=not ready):
        _import(review, records, decisions)
    if open_ones:
        st.caption(f"{open_ones:,} conflicts wait for a decision.")


def _import(review: Review, records: list[JudgmentRecord], decisions: dict[str, Decision]) -> None:
    try:
        done = review.store.importer.apply(review.query_set, records, decisions)
    except CoreSearchError as error:
        show_error(error)
        return
    theirs = sum(decisions[one.id] == "theirs" for one in done.conflicts)
    kept = len(done.conflicts) - theirs
    st.session_state["imported_words"] = f"{len(done.new):,} taken in, {theirs:,} replaced, {kept:,} kept as they were."
    forget_desk()
    st.rerun()


def _decisions(review: Review, plan: ImportPlan) -> dict[str, Decision]:
    """What was decided for each conflict so far."""
    if not plan.conflicts:
        return {}
    rows = [(one.theirs.query_id, one.theirs.item_id, _whose(one), _mine(one), _theirs(one)) for one in plan.conflicts]
    st.html(markup.table(("query", "item", "whose", "here", "in the file"), rows[:SHOWN]))
    if len(rows) > SHOWN:
        st.caption(f"and {len(rows) - SHOWN:,} more")
    words: dict[str, str] = {"": "one by one", "mine": "keep all that is here", "theirs": "take all from the file"}
    everything = st.radio("Conflicts", list(words), format_func=words.__getitem__, key="decide_all", horizontal=True)
    if everything in ("mine", "theirs"):
        return dict.fromkeys((one.id for one in plan.conflicts), everything)
    decided: dict[str, Decision] = {}
    for place, one in enumerate(plan.conflicts[:SHOWN]):
        choice = st.segmented_control(
            safe_text.markdown(f"{one.theirs.query_id} · {one.theirs.item_id} · {_whose(one)}", 120),
            ["mine", "theirs"],
            format_func=lambda side, one=one: _side(one, side),
            key=f"decide_{place}_{one.id}",
        )
        if choice:
            decided[one.id] = choice
    if len(plan.conflicts) > SHOWN:
        st.caption("There are too many to decide one by one: decide all at once, or import a smaller file.")
    return decided


def _side(one: Conflict, side: str) -> str:
    return safe_text.markdown(f"here: {_mine(one)}" if side == "mine" else f"in the file: {_theirs(one)}", 80)


def _whose(one: Conflict) -> str:
    return "settled" if isinstance(one.mine, Settled) else one.mine.reviewer


def _mine(one: Conflict) -> str:
    return _said(one.mine.grade, one.mine.note)


def _theirs(one: Conflict) -> str:
    return _said(one.theirs.grade, one.theirs.note)


def _said(grade: int | None, note: str) -> str:
    return ("cannot judge" if grade is None else str(grade)) + (f", {safe_text.one_line(note, 40)}" if note else "")
