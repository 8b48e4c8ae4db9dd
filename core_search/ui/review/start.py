"""Before the first card: who judges, and which items. A pool that others judge already can be joined."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.judgments.pooling import MAX_DEPTH, Configuration, Pool, PoolSpec
from core_search.judgments.values import reviewer_name
from core_search.ui import safe_text, session
from core_search.ui.frame import show_error
from core_search.ui.review.choices import POOL, REVIEWER, choose, chosen
from core_search.ui.review.review import Review
from core_search.ui.sign_in import person

DEFAULT_DEPTH = 10
NEW_POOL = ""
CONFIRMED = "review_confirmed"  # the name that was given in this session


def start(review: Review, pool: Pool | None) -> None:
    """The form. Ends by putting pool and reviewer into the address."""
    named, signed_in = chosen(REVIEWER), person()
    goes_on = pool is not None and bool(named)
    if pool is not None and named:
        # The address may come from a colleague: nobody speaks in another's name without saying so.
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="go_on"):
            st.html(safe_text.block(f"{pool_words(pool)}", "cs-dim"))
            st.button(f"Go on as {safe_text.markdown(named, 60)}", type="primary", key="go_on_as", on_click=_confirm)
        st.html(f'<div class="rv-lead">{"Or another pool:" if signed_in else "Or as somebody else:"}</div>')
    else:
        st.html('<div class="rv-lead">Who judges, and what?</div>')
    pools = {one.id: one for one in review.store.pools.of_set(review.query_set.id)}
    st.text_input(
        "Your name",
        value=signed_in,
        key="reviewer_name",
        max_chars=80,
        disabled=bool(signed_in),
        placeholder="as others know you",
        help="Your grades are kept under this name. Give the same one next time to go on where you were.",
    )
    choice = st.selectbox(
        "Pool",
        [*pools, NEW_POOL],
        index=list(pools).index(pool.id) if pool else 0,
        key="pool_choice",
        format_func=lambda pool_id: pool_words(pools[pool_id]) if pool_id else "a new pool",
        help="The items to judge. Reviewers of one pool judge the same items, which agreement needs.",
    )
    spec = None if choice else _spec()
    if not st.button("Start judging", type="secondary" if goes_on else "primary", key="start_judging"):
        return
    try:
        reviewer = reviewer_name(signed_in or str(st.session_state["reviewer_name"]))
        pool_id = choice or _build(review, spec).id
    except CoreSearchError as error:
        show_error(error)
        return
    if not signed_in:
        choose(REVIEWER, reviewer)
    choose(POOL, pool_id)
    _confirm()
    st.rerun()


def _confirm() -> None:
    st.session_state[CONFIRMED] = chosen(REVIEWER)


def _spec() -> PoolSpec | None:
    """Configurations, depth and late items of a new pool."""
    known = configurations()
    with st.container(border=True, key="new_pool"):
        names = st.multiselect(
            "Configurations",
            list(known),
            default=list(known)[: 2 if session.changes() else 1],
            key="pool_configurations",
            help="The pool is the union of what they return. Presets and changed settings of the sidebar stand here.",
        )
        depth = st.number_input(
            "Items of each (k)", min_value=1, max_value=MAX_DEPTH, value=DEFAULT_DEPTH, step=1, key="pool_depth"
        )
        late = st.toggle(
            "Items that were dropped late, too",
            key="pool_late",
            help="Those that reranking, compaction or the budget left out, up to k of each configuration.",
        )
    if not names:
        return None
    return PoolSpec(configurations=tuple(known[name] for name in names), depth=int(depth), late=late)


def configurations() -> dict[str, Configuration]:
    """What a pool can be drawn with, by name: the defaults, what the sidebar is set to, the presets."""
    known = {"defaults": Configuration(name="defaults")}
    if changed := session.changes():
        known["settings of the sidebar"] = Configuration(name="settings of the sidebar", changes=changed)
    presets = session.presets()
    for name in presets.names():
        known[f"preset {name}"] = Configuration(name=f"preset {name}", changes=presets.load(name))
    known.setdefault("without reranking", Configuration(name="without reranking", changes={"rerank": False}))
    known.setdefault("without backstop", Configuration(name="without backstop", changes={"backstop": False}))
    return known


def _build(review: Review, spec: PoolSpec | None) -> Pool:
    bar = st.progress(0.0, text="Searching")

    def progress(what: str, done: int, total: int) -> None:
        bar.progress(done / total if total else 1.0, text=f"{what.capitalize()}: {done:,} of {total:,}")

    return review.store.pools.build(review.page.engine, review.query_set, spec or PoolSpec(configurations=()), progress)


def pool_words(pool: Pool) -> str:
    """A pool in one line."""
    names = ", ".join(one.name for one in pool.spec.configurations)
    late = ", with late drops" if pool.spec.late else ""
    return safe_text.one_line(f"the first {pool.spec.depth} of {names}{late}; drawn {_ago(pool.created_at)}", 140)


def _ago(moment: datetime) -> str:
    minutes = int((datetime.now(UTC) - moment).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    return f"{minutes // 60} h ago" if minutes < 48 * 60 else f"on {moment:%Y-%m-%d}"
