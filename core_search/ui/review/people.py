"""Who has judged what, how far they agree, and the queue of what they see differently. Live: others judge meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from core_search.judgments.agreement import Agreement, agreement, disagreements, pairwise
from core_search.judgments.values import Grade, ItemKey, Verdict
from core_search.ui import markup
from core_search.ui.review.choices import POOL, chosen
from core_search.ui.review.proposing import proposing
from core_search.ui.review.review import Review
from core_search.ui.review.settle import settle

REFRESH_S = 4.0  # what others judge meanwhile shows up after this long


def people(review: Review) -> None:
    _live(review)
    settle(review)
    proposing(review)


def _numbers(review: Review) -> None:
    grades = review.store.grades.all(review.query_set.id)
    if not grades:
        st.html(markup.dim("Nobody has judged anything in this set yet."))
        return
    with st.container(key="people_numbers"):
        left, right = st.columns([3, 2], gap="large")
    with left:
        st.html(markup.caption("who has judged what"))
        _progress(review, grades)
    with right:
        st.html(markup.caption("agreement"))
        _agreement(review, grades)


_live = st.fragment(_numbers, run_every=REFRESH_S)


def _progress(review: Review, grades: Sequence[Grade]) -> None:
    pool = _pool_keys(review)
    by_person: dict[str, list[Grade]] = {}
    for grade in grades:
        by_person.setdefault(grade.reviewer, []).append(grade)
    rows = []
    for person, said in sorted(by_person.items()):
        counts = Counter(grade.verdict for grade in said)
        spread = Counter(grade.grade for grade in said if grade.grade is not None)
        remaining = len(pool - {grade.key for grade in said if grade.judged}) if pool else None
        rows.append(
            (
                person,
                f"{counts[Verdict.GRADED]:,}",
                " · ".join(str(spread[grade]) for grade in range(4)),
                f"{counts[Verdict.CANNOT_JUDGE]:,}",
                f"{counts[Verdict.SKIPPED]:,}",
                "" if remaining is None else f"{remaining:,}",
                f"{max(grade.at for grade in said):%Y-%m-%d %H:%M}",
            )
        )
    heads = ("reviewer", "graded", "0 · 1 · 2 · 3", "cannot judge", "skipped", "left in pool", "last, UTC")
    st.html(markup.table(heads, rows, numbers=(1, 2, 3, 4, 5)))


def _pool_keys(review: Review) -> set[ItemKey]:
    pool_id = chosen(POOL)
    if not pool_id:
        pools = review.store.pools.of_set(review.query_set.id)
        pool_id = pools[0].id if pools else ""
    return {item.key for item in review.store.pools.load(pool_id).items} if pool_id else set()


def _agreement(review: Review, grades: Sequence[Grade]) -> None:
    overall, pairs = measured(review.query_set.id, review.store.grades.version(review.query_set.id), grades)
    if overall is None:
        st.html(markup.dim("It takes two reviewers who judge the same items."))
        return
    st.html(f'<div class="rv-measure">{agreement_line(overall)}</div>')
    pairs = [pair for pair in pairs if pair.value is not None]
    if overall.measure == "alpha" and pairs:
        rows = [(" and ".join(pair.reviewers), str(pair.items), agreement_words(pair)) for pair in pairs]
        st.html(markup.table(("two reviewers", "items", "weighted kappa"), rows, numbers=(1,)))
    open_ones = len(disagreements(grades, review.store.settled.all(review.query_set.id)))
    plural = "s" if open_ones > 1 else ""
    st.html(markup.dim(f"{open_ones} disagreement{plural} to settle" if open_ones else "no disagreement is open"))


def _measured(
    set_id: str, version: tuple[int, int], _grades: Sequence[Grade]
) -> tuple[Agreement | None, list[Agreement]]:
    return agreement(_grades), pairwise(_grades)


# Half a second of bootstrap: computed again only after another press.
measured = st.cache_data(show_spinner=False, max_entries=32)(_measured)

NAMES = {"kappa": "Cohen's kappa, quadratic weights", "alpha": "Krippendorff's alpha, ordinal"}


def agreement_line(one: Agreement) -> str:
    """A measure with its name, interval and the number of items, as HTML without anybody's text."""
    items = f"{one.items} item{'' if one.items == 1 else 's'}"
    if one.value is None:
        return f'<div class="cs-dim">{NAMES[one.measure]} is {agreement_words(one)}; there is {items}.</div>'
    about = f"{NAMES[one.measure]} · {items} · 95 % interval by bootstrap"
    return f'<b>{agreement_words(one)}</b><div class="cs-dim">{about}</div>'


def agreement_words(one: Agreement) -> str:
    if one.value is None:
        return f"not defined: {one.undefined}"
    return f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})"
