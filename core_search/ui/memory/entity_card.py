"""The card of one entity: what it is, who is around it, what is said of it."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from core_search.browse import Neighbourhood, neighbourhood
from core_search.models import Entity, EntityType, ItemKind
from core_search.ui import markup
from core_search.ui.charts.network import Edge, Node, network
from core_search.ui.memory import address, pieces
from core_search.ui.memory.view import MemoryView
from core_search.ui.pictures import item_picture

STATEMENTS = 8
ATTRIBUTES = 60  # shown at once; an import can have any number


def card(view: MemoryView, uuid: str, explicit: bool) -> None:
    entity = view.graph.entities([uuid]).get(uuid)
    pieces.card_head("entity", explicit)
    if entity is None:
        pieces.not_here("entity", uuid)
        return
    pieces.title(entity.name)
    owner = ["owner of this memory"] if uuid == view.stores.owner else []
    st.html(markup.tags([entity.type.value, *owner], "on") + markup.tags(entity.aliases))
    _attributes(entity)
    st.html(markup.item_id(uuid))
    if entity.type is EntityType.PREDICATE:
        st.html(markup.dim("A predicate names the edge between two entities; searches never return it."))
        return
    _around(view, entity)
    _said(view, uuid)


def _attributes(entity: Entity) -> None:
    if not entity.attributes:
        st.html(markup.dim("It has no attributes."))
        return
    st.html(markup.facts(list(entity.attributes.items())[:ATTRIBUTES]))
    if (more := len(entity.attributes) - ATTRIBUTES) > 0:
        st.html(markup.dim(f"and {more:,} more attributes"))


def _around(view: MemoryView, entity: Entity) -> None:
    around = neighbourhood(view.stores, entity.uuid, view.now)
    if not around.neighbours:
        return
    st.html(markup.caption("linked by current statements"))
    item_picture(_picture(entity, around), f"around_{entity.uuid}", f"Entities linked with {entity.name}")
    if around.left_out:
        st.html(markup.dim(f"{around.left_out:,} more are left out of the picture."))


def _picture(entity: Entity, around: Neighbourhood) -> go.Figure:
    centre = (ItemKind.ENTITY.value, entity.uuid)
    nodes = [Node(ItemKind.ENTITY.value, other.uuid, other.name) for other in (entity, *around.neighbours)]
    undirected = {tuple(sorted(pair)) for pair in around.pairs}
    edges = [
        Edge((ItemKind.ENTITY.value, a), (ItemKind.ENTITY.value, b), strong=entity.uuid in (a, b))
        for a, b in sorted(undirected)
    ]
    figure = network(nodes, edges, centre, size_px=(270.0, 260.0))
    figure.update_layout(height=320)
    return figure


def _said(view: MemoryView, uuid: str) -> None:
    newest = view.graph.statement_slice(view.now, 0, STATEMENTS, entity=uuid)
    st.html(markup.caption(f"{newest.total:,} statement{'' if newest.total == 1 else 's'}, newest first"))
    known = view.graph.statements(newest.ids)
    pieces.statement_lines(view, [known[found] for found in newest.ids], "said")
    if newest.total > STATEMENTS:
        st.button(
            f"List all {newest.total:,}",
            key="entity_statements",
            icon=":material/list:",
            on_click=address.open_list,
            args=("statements",),
            kwargs={"entity": uuid},
        )
