"""The budget on the page: what was packed to the limit, what stood behind it, and a slider that cuts again at once."""

from __future__ import annotations

import streamlit as st

from core_search.ranking.budget import fit
from core_search.trace import Status
from core_search.ui import markup, safe_text
from core_search.ui.charts.budget import Packed, budget_bar, tokens_needed
from core_search.ui.pictures import item_picture, item_table
from core_search.ui.view import View


def draw(view: View) -> None:
    stage = view.stage("budget")
    packed = packed_items(view)
    if not packed:
        words = stage.note if stage.status is Status.SKIPPED else "no episode or document came this far"
        st.subheader("Nothing to pack", anchor=False)
        st.html(markup.dim(f"{words[:1].upper()}{words[1:]}."))
        return
    st.fragment(recut)(view, packed)


def packed_items(view: View) -> list[Packed]:
    """Everything that was charged, in rerank order, with its cost."""
    charged = [entry for entry in view.stage("budget").ledger if "tokens" in entry.detail]
    charged.sort(key=lambda entry: entry.rank_in or 0)
    names = view.items.many((entry.kind, entry.id) for entry in charged)
    return [Packed(e.kind.value, e.id, names[e.kind, e.id].name, int(e.detail["tokens"])) for e in charged]


def recut(view: View, packed: list[Packed]) -> None:
    """A fragment: moving the slider runs this function alone, and searches nothing."""
    tokens = [item.tokens for item in packed]
    searched = view.options.token_budget
    most = max(sum(tokens), searched, 1)
    limit = st.slider(
        "Cut at another budget, in tokens",
        0,
        most,
        min(searched, most),
        format="%,d",
        key=f"budget_{view.run.id}",
        help="Whole items only, in rerank order. What does not fit leaves from the tail.",
    )
    stays = fit(tokens, limit)
    used = sum(count for count, stay in zip(tokens, stays, strict=True) if stay)
    changed = "" if limit == searched else f" · the search itself was cut at {searched:,}"
    st.html(f"<strong>{sum(stays)} of {len(packed)} items, {used:,} of {limit:,} tokens</strong>" + markup.dim(changed))
    item_picture(budget_bar(packed, limit), "budget_bar", f"{used} of {limit} tokens used")
    _near_misses(packed, tokens, stays, limit)
    rows = [
        {
            "rank": number,
            "tokens": item.tokens,
            "sum": sum(tokens[:number]),
            "fate": "packed" if stay else "over the budget",
            "item": safe_text.one_line(item.name, 140),
        }
        for number, (item, stay) in enumerate(zip(packed, stays, strict=True), 1)
    ]
    number = st.column_config.NumberColumn
    columns = {
        "rank": number(width=50),
        "item": st.column_config.TextColumn(width="large"),
        "tokens": number(format="localized"),
        "sum": number(format="localized"),
    }
    item_table(rows, [(item.kind, item.id) for item in packed], "budget_rows", columns=columns)


def _near_misses(packed: list[Packed], tokens: list[int], stays: list[bool], limit: int) -> None:
    missed = [(tokens_needed(tokens, place, limit), place) for place, stay in enumerate(stays) if not stay]
    if not missed:
        return
    st.html(markup.caption("near misses"))
    rows = [
        (safe_text.one_line(packed[place].name, 90), f"{packed[place].tokens:,}", f"+{need - limit:,}", f"{need:,}")
        for need, place in sorted(missed)[:5]
    ]
    st.html(markup.table(("item", "tokens", "budget lacks", "fits from"), rows, numbers=(1, 2, 3)))
