"""The fate box: an id or some words, an item of this search or of the memory, and its path."""

from __future__ import annotations

import streamlit as st

from core_search.errors import CoreSearchError
from core_search.models import ItemKind
from core_search.stores.base import LexicalField
from core_search.ui import safe_text, session
from core_search.ui.items import Key
from core_search.ui.view import View

MOST = 12
TEXT = "fate_text"


def fate_box(view: View) -> None:
    """Draw it; picking an item chooses it for the detail pane."""
    box = st.popover(
        "Where is …?", icon=":material/travel_explore:", type="tertiary", key="fate_popover", on_change="rerun"
    )
    if not box.open:
        return
    with box:
        st.text_input("An id, or words that are in it", key=TEXT, placeholder="id or words")
        wanted = str(st.session_state.get(TEXT) or "").strip()
        if not wanted:
            st.caption("Finds anything stored, whether this search returned it or not.")
            return
        found = find(view, wanted)
        if not found:
            st.caption("Nothing in this search or its memory has that id or those words.")
        items = view.items.many(found)
        for place, key in enumerate(found):
            kind, item_id = key
            st.button(
                f"{kind.value} · {safe_text.markdown(items[key].name, 70)}",
                key=f"fate_{place}",
                type="tertiary",
                on_click=session.choose_item,
                args=(kind, item_id),
            )


def find(view: View, wanted: str) -> list[Key]:
    """Candidates of this search first, then what the memory has; exact ids before words."""
    entries = {(e.kind, e.id): None for stage in view.trace.stages for e in stage.ledger}
    folded = wanted.casefold()
    exact = [key for key in entries if key[1] == wanted]
    partial = [key for key in entries if folded in key[1].casefold()]
    texts = view.items.many(entries)
    worded = [key for key in entries if folded in (texts[key].text or texts[key].title).casefold()]
    return list(dict.fromkeys([*exact, *_stored(view, wanted), *partial, *worded, *_worded(view, wanted)]))[:MOST]


def _stored(view: View, item_id: str) -> list[Key]:
    """The item of exactly that id, whatever it is."""
    if view.items.missing_because:
        return []
    keys: list[Key] = [(kind, item_id) for kind in ItemKind]
    found = view.items.many(keys)
    return [key for key in keys if found[key].text is not None]


def _worded(view: View, wanted: str) -> list[Key]:
    if view.items.missing_because:
        return []
    try:
        with view.items.engine.memory(view.run.head.workspace) as memory:
            lexical = memory.stores.lexical
            episodes = lexical.search(LexicalField.EPISODE, wanted, MOST)
            statements = lexical.search(LexicalField.STATEMENT, wanted, MOST // 2)
    except CoreSearchError:
        return []
    return [
        *((ItemKind.EPISODE, uuid) for uuid, _ in episodes),
        *((ItemKind.STATEMENT, uuid) for uuid, _ in statements),
    ]
