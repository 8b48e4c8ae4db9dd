"""Entities: found by name, alias or id, filtered by type, those with the most statements first."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core_search.browse import matching_entities
from core_search.models import EntityType, ItemKind
from core_search.ui import markup, safe_text
from core_search.ui.memory import pieces
from core_search.ui.memory.address import FILTER, Chosen
from core_search.ui.memory.view import MemoryView

TYPES = FILTER + "types"


def draw(view: MemoryView) -> Chosen | None:
    """The list; its first row."""
    every = view.entities()
    if not every:
        st.info(
            "This memory has no entities. Questions about people and things fall back to texts.",
            icon=":material/person_off:",
        )
        return None
    text = pieces.search_field("entity_words", "Find by name, alias or id")
    sizes = Counter(row.type for row in every)
    st.pills(
        "Types",
        [kind.value for kind in EntityType if sizes[kind]],
        selection_mode="multi",
        format_func=lambda kind: f"{kind} {sizes[EntityType(kind)]:,}",
        key=TYPES,
        label_visibility="collapsed",
        persist_state="page",
    )
    types = [EntityType(kind) for kind in st.session_state.get(TYPES) or ()]
    found = matching_entities(every, text, types)
    above = st.container()
    offset = pieces.offset_of_page(len(found), "entity_pages", text, types)
    shown = found[offset : offset + pieces.ROWS]
    rows = [
        {
            "name": safe_text.one_line(row.name, 80),
            "type": row.type.value,
            "statements": row.statements,
            "also called": safe_text.one_line(", ".join(row.aliases), 120),
        }
        for row in shown
    ]
    keys = [(ItemKind.ENTITY.value, row.uuid) for row in shown]
    most = max(1, max(row.statements for row in every))
    columns = {
        "name": st.column_config.TextColumn(width="medium"),
        "type": st.column_config.TextColumn(width=100),
        "statements": st.column_config.ProgressColumn(format="%d", min_value=0, max_value=most, width=130),
        "also called": st.column_config.TextColumn(width="medium"),
    }
    with above:
        without = "" if types or not sizes[EntityType.PREDICATE] else "; predicates, which name edges, are left out"
        words = "entity" if len(found) == 1 else "entities"
        st.html(markup.dim(f"{len(found):,} {words}, those with the most statements first{without}"))
        pieces.listing(rows, keys, "entity_list", columns)
    return keys[0] if keys else None
