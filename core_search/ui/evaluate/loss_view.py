"""The loss waterfall of the set or of one query, and the items behind each bar."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search.evaluation.loss_waterfall import LossWaterfall, RelevantItem, loss_waterfall
from core_search.evaluation.losses import QueryLosses, loss_table
from core_search.ui import markup, safe_text
from core_search.ui.evaluate import address
from core_search.ui.evaluate.charts.loss_bars import loss_bars
from core_search.ui.evaluate.fate_link import item_line
from core_search.ui.evaluate.view import EvaluateView, query_id
from core_search.ui.evaluate.words import LEVEL_TITLES, code_words, percent
from core_search.ui.memory.pieces import offset_of_page, pickable
from core_search.ui.theme import STAGE_TITLES

ROWS = 20
WHOLE_SET = ""
BAR, WHOSE = "evaluate_bar", "evaluate_losses_of"
ALL_LOST = "lost"


def losses_view(view: EvaluateView) -> None:
    with_losses = {query.outcome.id: query for query in view.queries if query.losses is not None}
    if not with_losses:
        st.info("No evaluated query has a relevant item, so nothing can be lost.", icon=":material/inbox:")
        return
    chosen = address.chosen(address.QUERY)
    st.session_state[WHOSE] = chosen if chosen in with_losses else WHOLE_SET
    whose = st.selectbox(
        "Of",
        [WHOLE_SET, *with_losses],
        key=WHOSE,
        format_func=lambda id_: safe_text.one_line(
            f"{id_} · {with_losses[id_].outcome.query}" if id_ else f"the whole set, {len(with_losses)} queries", 110
        ),
        on_change=lambda: address.choose(address.QUERY, str(st.session_state[WHOSE])),
    )
    of_these = [with_losses[whose]] if whose else view.queries
    waterfall = loss_waterfall(of_these)
    # A first bar without a loss behind it says nothing.
    levels = waterfall.levels[0 if waterfall.levels[1].lost else 1 :]
    names = [level.name for level in levels]
    pickable(loss_bars(levels), "loss_bars", "Relevant items left at each level", _pick)
    st.html(
        markup.dim(
            "Of the relevant items, how many are left at each level of a search as a user gets it. Pale blue: items "
            "that only the backstop brought. Red: lost on the way there. Click a bar, or choose below."
        )
    )
    _table([query.losses for query in of_these if query.losses is not None])
    _behind(view, waterfall, names)


def _table(rows: Sequence[QueryLosses]) -> None:
    """The same counts as `core-search losses` prints."""
    found = loss_table(rows)
    if not found.table:
        return
    st.html(markup.caption(f"{found.lost:,} of {found.relevant:,} relevant items lost, by stage"))
    cells = [
        (STAGE_TITLES[row.stage], code_words(row.code), f"{row.count:,}", percent(row.share)) for row in found.table
    ]
    with st.container(key="loss_table"):
        st.html(markup.table(("stage", "reason", "items", "of the relevant"), cells, numbers=(2, 3), short=(0,)))


def _pick(part: Sequence[str]) -> None:
    st.session_state[BAR] = _bar(part[0], part[1]) if part[1] else _bar(part[0])


def _bar(level: str, code: str | None = None) -> str:
    return f"{level}:{code}" if code is not None else level


def _bars(waterfall: LossWaterfall, names: Sequence[str]) -> dict[str, tuple[str, tuple[RelevantItem, ...]]]:
    """Every bar by its name, with its words and its items."""
    bars = {ALL_LOST: ("everything that was lost", _best_first(waterfall.lost))}
    for level in waterfall.levels:
        for code in level.lost:
            items = _best_first(waterfall.lost_before(level.name, code))
            before = f"lost before “{LEVEL_TITLES[level.name]}”: {code_words(code)}"
            bars[_bar(level.name, code)] = (before, items)
    for name in names:
        bars[_bar(name)] = (f"left at “{LEVEL_TITLES[name]}”", _best_first(waterfall.left_at(name)))
    return bars


def _best_first(items: Sequence[RelevantItem]) -> tuple[RelevantItem, ...]:
    """To lose an item that answers is worse than to lose one that helps."""
    return tuple(sorted(items, key=lambda item: -item.grade))


def _behind(view: EvaluateView, waterfall: LossWaterfall, names: Sequence[str]) -> None:
    bars = _bars(waterfall, names)
    if st.session_state.get(BAR) not in bars:
        st.session_state[BAR] = ALL_LOST
    bar = st.selectbox(
        "Items behind", list(bars), key=BAR, format_func=lambda name: f"{bars[name][0]} ({len(bars[name][1]):,})"
    )
    items = bars[bar][1]
    if not items:
        st.html(markup.dim("None: every relevant item was returned." if bar == ALL_LOST else "None."))
        return
    list_place = st.container(key="evitems_behind")
    first = offset_of_page(len(items), "loss_items", bar, st.session_state[WHOSE])
    shown = items[first : first + ROWS]
    texts = view.episodes([item.item for item in shown])
    with list_place:
        for at, item in enumerate(shown):
            outcome = view.by_key[item.key].outcome
            text = texts[item.item].content if item.item in texts else ""
            item_line(view, outcome, item.item, _head(item, outcome.query), text, f"behind_{at}")


def _head(item: RelevantItem, query: str) -> str:
    parts = [f"grade {item.grade}", f"{query_id(item.key)} {safe_text.one_line(query, 50)}"]
    if item.code:
        rank = f", in at rank {item.rank}" if item.rank is not None else ""
        parts.append(f"{STAGE_TITLES[item.stage]}{rank}: {item.text or code_words(item.code)}")
    else:
        parts.append("returned")
    if item.rescued:
        parts.append("by the backstop")
    return " · ".join(parts)
