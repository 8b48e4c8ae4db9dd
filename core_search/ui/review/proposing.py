"""Grades that a model proposes: made on request, shown only beside what people have judged, never counted."""

from __future__ import annotations

import streamlit as st

from core_search.judgments.agreement import Agreement, weighted_kappa
from core_search.judgments.proposals import Proposal, Proposed
from core_search.judgments.texts import texts_of
from core_search.judgments.values import Grade, ItemKey, Verdict
from core_search.ui import markup, safe_text
from core_search.ui.review.choices import POOL, chosen
from core_search.ui.review.review import Review

SHOWN_PROBLEMS = 3
OUTCOME = "proposals_made"


def proposing(review: Review) -> None:
    chat = review.page.engine.providers.grader
    made = review.store.proposals.all(review.query_set.id)
    if chat is None and not made:
        return
    st.html(markup.caption("grades that a model proposes"))
    if outcome := st.session_state.pop(OUTCOME, None):
        _outcome(outcome)
    if made:
        _compared(review, made)
    if chat is None:
        st.html(markup.dim("No model is configured; OPENAI_API_KEY names one that can propose grades."))
        return
    pool_id = chosen(POOL)
    if not pool_id:
        st.html(markup.dim("Choose a pool in the view Judge; a model can then propose grades for its items."))
        return
    st.html(
        markup.dim(
            f"{chat.model} can propose a grade with a reason for each item of the pool. Query, need and text go to its "
            "server. Reviewers see a proposal after they have judged; it never counts as a judgment."
        )
    )
    if st.button("Propose grades", key="propose", icon=":material/smart_toy:", disabled=review.page.read_only):
        _propose(review, pool_id)


def _propose(review: Review, pool_id: str) -> None:
    chat = review.page.engine.providers.grader
    assert chat is not None
    keys = [item.key for item in review.store.pools.load(pool_id).items]
    texts = texts_of(review.page.engine, review.query_set.workspace, {(key.kind, key.item_id) for key in keys})
    cards = [(key, texts[key.kind, key.item_id].text) for key in keys if (key.kind, key.item_id) in texts]
    bar = st.progress(0.0, text="Asking the model")

    def progress(what: str, done: int, total: int) -> None:
        bar.progress(done / total if total else 1.0, text=f"{done:,} of {total:,}")

    outcome = review.store.proposals.propose(chat, review.query_set, cards, progress)
    st.session_state[OUTCOME] = outcome
    st.rerun()


def _outcome(outcome: Proposed) -> None:
    """What came of it, once the page has the new numbers."""
    st.success(f"{outcome.made:,} grades were proposed.")
    for problem in outcome.problems[:SHOWN_PROBLEMS]:
        st.warning(safe_text.markdown(problem, 400))
    if len(outcome.problems) > SHOWN_PROBLEMS:
        st.caption(f"and {len(outcome.problems) - SHOWN_PROBLEMS} more that did not work")


def _compared(review: Review, made: list[Proposal]) -> None:
    """Agreement of each model with each person, over the cards that both graded."""
    grades = review.store.grades.all(review.query_set.id)
    rows = [
        (f"{one.reviewers[0]} and {one.reviewers[1]}", str(one.items), _words(one)) for one in with_people(made, grades)
    ]
    if rows:
        st.html(markup.table(("model and person", "items", "weighted kappa"), rows, numbers=(1,)))
    else:
        st.html(markup.dim(f"{len(made):,} grades are proposed; nobody has judged one of these items yet."))


def with_people(made: list[Proposal], grades: list[Grade]) -> list[Agreement]:
    """Kappa of every model with every person who graded a card that it proposed a grade for."""
    people: dict[str, dict[ItemKey, int]] = {}
    for grade in grades:
        if grade.verdict is Verdict.GRADED and grade.grade is not None:
            people.setdefault(grade.reviewer, {})[grade.key] = grade.grade
    found = []
    for model in sorted({proposal.model for proposal in made}):
        proposed = {proposal.key: proposal.grade for proposal in made if proposal.model == model}
        for person, said in sorted(people.items()):
            pairs = [(grade, said[key]) for key, grade in proposed.items() if key in said]
            if pairs:
                found.append(weighted_kappa(pairs, (model, person)))
    return found


def _words(one: Agreement) -> str:
    if one.value is None:
        return f"not defined: {one.undefined}"
    return f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})"
