"""Sessions with their compacted document, and the card of one: the document and its episodes in order."""

from __future__ import annotations

import streamlit as st

from core_search.entities import normalise
from core_search.models import Document
from core_search.stores.base import SessionSummary
from core_search.ui import markup, safe_text
from core_search.ui.memory import pieces
from core_search.ui.memory.address import SESSION, Chosen
from core_search.ui.memory.view import MemoryView

EPISODES = 10  # a page of a card


def draw(view: MemoryView) -> Chosen | None:
    """The list; its first row."""
    every = view.sessions()
    if not every:
        st.info("The episodes of this memory belong to no sessions.", icon=":material/inbox:")
        return None
    text = pieces.search_field("session_words", "Find by title or id")
    wanted = normalise(text)
    found = [one for one in every if not wanted or wanted in normalise(one.title) or wanted in normalise(one.id)]
    above = st.container()
    offset = pieces.offset_of_page(len(found), "session_pages", text)
    shown = found[offset : offset + pieces.ROWS]
    rows = [
        {
            "last": view.when(one.last, "%Y-%m-%d"),
            "document": safe_text.one_line(one.title, 100) or ("untitled" if one.document else "not compacted"),
            "episodes": one.episodes,
            "session": safe_text.one_line(one.id, 60),
        }
        for one in shown
    ]
    keys = [(SESSION, one.id) for one in shown]
    columns = {
        "last": st.column_config.TextColumn(width=90),
        "document": st.column_config.TextColumn(width=310),
        "episodes": st.column_config.NumberColumn(width=70),
        "session": st.column_config.TextColumn(width=180),
    }
    with above:
        compacted = sum(one.document is not None for one in found)
        words = f"{len(found):,} session{'' if len(found) == 1 else 's'}, {compacted:,} with a compacted document"
        st.html(markup.dim(words))
        pieces.listing(rows, keys, "session_list", columns)
    return keys[0] if keys else None


def card(view: MemoryView, session_id: str, explicit: bool) -> None:
    known = next((one for one in view.sessions() if one.id == session_id), None)
    pieces.card_head("session", explicit)
    if known is None:
        pieces.not_here("session", session_id)
        return
    if known.document:
        document = view.graph.documents([known.document]).get(known.document)
        if document is not None:
            _document(view, document)
    else:
        st.html(markup.dim("This session is not compacted: it has no document."))
    _about(view, known)
    _episodes(view, known)


def document_card(view: MemoryView, document_id: str, explicit: bool) -> None:
    """A document by its own id, with its session."""
    document = view.graph.documents([document_id]).get(document_id)
    pieces.card_head("document", explicit)
    if document is None:
        pieces.not_here("document", document_id)
        return
    _document(view, document)
    known = next((one for one in view.sessions() if one.id == document.session_id), None)
    if known is not None:
        _about(view, known)
        _episodes(view, known)


def _document(view: MemoryView, document: Document) -> None:
    if document.title:
        pieces.title(document.title)
    st.html(safe_text.block(document.content))
    pieces.labels_row(view, document.label_ids, "document")
    st.html(markup.facts([("compacted", view.when(document.updated_at))]))
    st.html(markup.item_id(document.id))


def _about(view: MemoryView, known: SessionSummary) -> None:
    span = " to ".join(dict.fromkeys(view.when(moment) for moment in (known.first, known.last) if moment))
    st.html(markup.facts([(name, value) for name, value in (("session", known.id), ("from", span)) if value]))


def _episodes(view: MemoryView, known: SessionSummary) -> None:
    uuids = view.graph.session_episodes(known.id)
    st.html(markup.caption(f"{len(uuids):,} episode{'' if len(uuids) == 1 else 's'}, in order"))
    above = st.container()
    pages = -(-len(uuids) // EPISODES)
    page = st.pagination(pages, key=f"session_page_{known.id}") if pages > 1 else 1
    shown = uuids[(page - 1) * EPISODES : page * EPISODES]
    texts = view.graph.episodes(shown)
    with above:
        pieces.episode_lines(view, [texts[uuid] for uuid in shown if uuid in texts], "turns")
