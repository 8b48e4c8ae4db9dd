"""The fate box: an id or some words, an item of this search or of the memory, and its path."""

from __future__ import annotations

import streamlit as st

from core_search.entities import normalise
from core_search.errors import CoreSearchError
from core_search.models import Entity, ItemKind
from core_search.stores.base import LexicalField
from core_search.ui import safe_text, session
from core_search.ui.items import Key
from core_search.ui.view import View

MOST = 16
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
    # What the search met comes first, but leaves room for what it did not: that is what people look for.
    met = list(dict.fromkeys([*exact, *_stored(view, wanted), *partial, *worded]))
    return list(dict.fromkeys([*met[: MOST // 2], *_worded(view, wanted), *met]))[:MOST]


def _stored(view: View, item_id: str) -> list[Key]:
    """The item of exactly that id, whatever it is."""
    if view.items.missing_because:
        return []
    keys: list[Key] = [(kind, item_id) for kind in ItemKind]
    found = view.items.many(keys)
    return [key for key in keys if found[key].text is not None]


def _worded(view: View, wanted: str) -> list[Key]:
    """What the memory has with those words: names of labels and entities first, then texts by BM25."""
    if view.items.missing_because:
        return []
    folded = normalise(wanted)
    try:
        with view.items.engine.memory(view.run.head.workspace) as memory:
            stores = memory.stores
            named: list[Key] = [(ItemKind.LABEL, one.id) for one in stores.labels if folded in normalise(one.name)]
            named += [(ItemKind.ENTITY, one.uuid) for one in stores.graph.all_entities() if _is_called(one, folded)]
            by_words = {
                ItemKind.EPISODE: stores.lexical.search(LexicalField.EPISODE, wanted, MOST // 2),
                ItemKind.STATEMENT: stores.lexical.search(LexicalField.STATEMENT, wanted, MOST // 2),
                ItemKind.DOCUMENT: stores.lexical.search(LexicalField.DOCUMENT, wanted, MOST // 4),
            }
    except CoreSearchError as error:
        st.warning(safe_text.markdown(f"The memory could not be searched: {error}", 300), icon=":material/warning:")
        return []
    return [*named[: MOST // 2], *((kind, id_) for kind, hits in by_words.items() for id_, _ in hits)]


def _is_called(entity: Entity, folded: str) -> bool:
    return bool(folded) and any(folded in normalise(name) for name in (entity.name, *entity.aliases))
