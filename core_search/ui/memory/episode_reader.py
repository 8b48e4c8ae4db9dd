"""One episode in full: its text as it was written, where it comes from, its labels and what was drawn from it."""

from __future__ import annotations

import streamlit as st

from core_search.models import Episode, ItemKind
from core_search.ui import markup, safe_text
from core_search.ui.memory import address, pieces
from core_search.ui.memory.view import MemoryView

LONGEST = 200_000  # characters on the page; a browser scrolls no more of them well. The download has the whole.
STATEMENTS = 20


def card(view: MemoryView, uuid: str, explicit: bool) -> None:
    episode = view.graph.episodes([uuid]).get(uuid)
    pieces.card_head("episode", explicit)
    if episode is None:
        pieces.not_here("episode", uuid)
        return
    st.html(markup.dim(view.when(episode.valid_at, "%A, %Y-%m-%d %H:%M")))
    st.html(safe_text.block(episode.content[:LONGEST]))
    if len(episode.content) > LONGEST:
        st.html(markup.dim(f"The first {LONGEST:,} of {len(episode.content):,} characters."))
        st.download_button(
            "The whole text", episode.content, file_name="episode.txt", key="whole_text", on_click="ignore"
        )
    pieces.labels_row(view, episode.label_ids, "episode")
    st.html(markup.facts(_facts(view, episode)))
    st.html(markup.item_id(uuid))
    _session(view, episode)
    _statements(view, uuid)


def _facts(view: MemoryView, episode: Episode) -> list[tuple[str, str]]:
    rows = [
        ("type", episode.type.value.lower()),
        ("source", episode.source),
        ("channel", episode.channel),
        ("session", episode.session_id),
        ("end user", episode.end_user_id),
        ("stored", view.when(episode.created_at)),
    ]
    return [(name, value) for name, value in rows if value]


def _session(view: MemoryView, episode: Episode) -> None:
    """The ways to the episodes before and after it, and to the whole session."""
    if not episode.session_id:
        return
    around = view.stores.catalog.around(episode.uuid, 1)
    at = around.index(episode.uuid)
    before, after = around[:at], around[at + 1 :]
    with st.container(horizontal=True, gap="small"):
        for name, icon, found in (("Before", "arrow_back", before), ("After", "arrow_forward", after)):
            st.button(
                name,
                key=f"turn_{name.lower()}",
                icon=f":material/{icon}:",
                disabled=not found,
                on_click=address.choose,
                args=(ItemKind.EPISODE.value, found[0] if found else ""),
            )
        st.button(
            "Session",
            key="turn_session",
            icon=":material/forum:",
            on_click=address.choose,
            args=(address.SESSION, episode.session_id),
        )


def _statements(view: MemoryView, uuid: str) -> None:
    uuids = view.graph.statements_of_episodes([uuid]).get(uuid, [])
    if not uuids:
        st.html(markup.caption("no statement was drawn from it"))
        return
    st.html(markup.caption(f"{len(uuids):,} statement{'' if len(uuids) == 1 else 's'} drawn from it"))
    known = view.graph.statements(uuids[:STATEMENTS])
    ordered = sorted(known.values(), key=lambda statement: not view.holds(statement))
    pieces.statement_lines(view, ordered, "drawn")
    if len(uuids) > STATEMENTS:
        st.html(markup.dim(f"and {len(uuids) - STATEMENTS:,} more"))
