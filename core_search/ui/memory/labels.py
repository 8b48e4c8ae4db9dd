"""Labels with their sizes and their own time lines, and the card of one."""

from __future__ import annotations

import re

import streamlit as st

from core_search.browse import Unit
from core_search.models import ItemKind
from core_search.stores.base import Scope
from core_search.ui import markup, safe_text
from core_search.ui.memory import address, pieces
from core_search.ui.memory.address import Chosen
from core_search.ui.memory.view import MemoryView

POINTS = 60  # of a small time line
NEWEST = 8  # episodes on a card
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")  # anything else would be text of a stranger in a style


def draw(view: MemoryView) -> Chosen | None:
    """The list; its first row."""
    if not view.stores.labels:
        st.info("This memory has no labels. Searches are not scoped by topic then.", icon=":material/label_off:")
        return None
    sizes = view.label_sizes()
    ordered = sorted(view.stores.labels, key=lambda label: (-sizes[label.id][0], label.name, label.id))
    line = view.time_line(Unit.MONTH)
    months = sorted(line.episodes)[-POINTS:]
    above = st.container()
    offset = pieces.offset_of_page(len(ordered), "label_pages")
    shown = ordered[offset : offset + pieces.ROWS]
    rows = [
        {
            "label": safe_text.one_line(label.name, 60),
            "episodes": sizes[label.id][0],
            "by month": [line.labels.get(label.id, {}).get(month, 0) for month in months],
            "documents": sizes[label.id][1],
            "what it is for": safe_text.one_line(label.description, pieces.TEXT),
        }
        for label in shown
    ]
    keys = [(ItemKind.LABEL.value, label.id) for label in shown]
    most = max(1, *(episodes for episodes, _ in sizes.values()))
    columns = {
        "label": st.column_config.TextColumn(width=140),
        "episodes": st.column_config.ProgressColumn(format="%d", min_value=0, max_value=most, width=130),
        "by month": st.column_config.BarChartColumn(width=130, y_min=0),
        "documents": st.column_config.NumberColumn(width=80),
        "what it is for": st.column_config.TextColumn(width="medium"),
    }
    with above:
        st.html(markup.dim(f"{len(ordered):,} label{'' if len(ordered) == 1 else 's'}, the largest first"))
        pieces.listing(rows, keys, "label_list", columns)
    return keys[0]


def card(view: MemoryView, label_id: str, explicit: bool) -> None:
    label = next((label for label in view.stores.labels if label.id == label_id), None)
    pieces.card_head("label", explicit)
    if label is None:
        pieces.not_here("label", label_id)
        return
    pieces.title(label.name)
    st.html(safe_text.block(label.description) if label.description else markup.dim("It has no description."))
    episodes, documents = view.label_sizes()[label_id]
    facts = [("episodes", f"{episodes:,}"), ("documents", f"{documents:,}")]
    st.html(markup.facts(facts))
    if _COLOUR.fullmatch(label.color):
        st.html(
            '<div class="cs-facts"><div class="k">colour</div><div class="v"><span style="display:inline-block;'
            f'width:0.8rem;height:0.8rem;border-radius:3px;background:{label.color}"></span> {label.color}</div></div>'
        )
    st.html(markup.item_id(label_id))
    if not episodes:
        return
    st.button(
        f"List its {episodes:,} episode{'' if episodes == 1 else 's'}",
        key="label_episodes",
        icon=":material/list:",
        on_click=address.open_list,
        args=("episodes",),
        kwargs={"label": label_id},
    )
    newest = view.graph.episode_slice(Scope(at=view.now, label_ids=(label_id,)), 0, NEWEST).ids
    known = view.graph.episodes(newest)
    st.html(markup.caption("its newest episodes"))
    pieces.episode_lines(view, [known[uuid] for uuid in newest], "newest")
