"""The view in which cards are judged: who reviews which pool, the guidelines, the card."""

from __future__ import annotations

import streamlit as st

from core_search.errors import UnknownItem
from core_search.judgments.pooling import Pool
from core_search.ui import safe_text
from core_search.ui.frame import show_error
from core_search.ui.review.card import card
from core_search.ui.review.choices import POOL, REVIEWER, SEED, choose, chosen
from core_search.ui.review.desk import desk_of
from core_search.ui.review.keys import listen
from core_search.ui.review.review import Review
from core_search.ui.review.start import CONFIRMED, pool_words, start
from core_search.ui.sign_in import person

DEFAULT_SEED = 1


def judge(review: Review) -> None:
    pool, reviewer = _pool(review), chosen(REVIEWER)
    if review.page.read_only:
        return
    if pool is None or not reviewer or st.session_state.get(CONFIRMED) != reviewer:
        start(review, pool)
        return
    _head(review, pool, reviewer)
    desk = desk_of(review.page.engine, review.store, review.query_set, pool, reviewer, _seed())
    gone = len(pool.items) - len(desk.order)
    if gone:
        st.caption(f"{gone} items of this pool are not in the memory any more and are left out.")
    listen()
    card(review, desk)


def _head(review: Review, pool: Pool, reviewer: str) -> None:
    """What is judged by whom, folded away."""
    left, right = st.columns([3, 1], vertical_alignment="center")
    with left.expander("Guidelines", key="guidelines", icon=":material/menu_book:"):
        st.html(safe_text.block(review.query_set.guidelines))
    with right.popover("Pool and reviewer", key="desk_setup", icon=":material/tune:", width="stretch"):
        st.html(safe_text.block(f"{reviewer} judges {pool_words(pool)}"))
        for problem in pool.problems:
            st.caption(safe_text.markdown(problem, 300))
        st.number_input(
            "Seed of the order",
            value=_seed(),
            min_value=0,
            step=1,
            key="seed_choice",
            help="Items of a query come in an order that this number alone decides.",
            on_change=lambda: choose(SEED, str(st.session_state["seed_choice"])),
        )
        st.button("Another pool" if person() else "Another pool or reviewer", key="change_pool", on_click=_leave)


def _leave() -> None:
    choose(POOL, "")
    choose(REVIEWER, "")
    st.session_state.pop(CONFIRMED, None)


def _pool(review: Review) -> Pool | None:
    pool_id = chosen(POOL)
    if not pool_id:
        return None
    try:
        pool = review.store.pools.load(pool_id)
    except UnknownItem as error:
        show_error(error)
        return None
    return pool if pool.set_id == review.query_set.id else None


def _seed() -> int:
    try:
        return max(0, int(chosen(SEED) or DEFAULT_SEED))
    except ValueError:
        return DEFAULT_SEED
