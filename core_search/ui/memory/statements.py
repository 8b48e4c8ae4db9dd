"""Statements by aspect, current and invalidated, with what invalidated them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core_search import browse
from core_search.models import VOICE_ASPECTS, Aspect, ItemKind, Statement
from core_search.stores.base import Slice
from core_search.ui import markup, safe_text
from core_search.ui.memory import address, pieces
from core_search.ui.memory.address import FILTER, Chosen
from core_search.ui.memory.aspect_chart import aspect_chart
from core_search.ui.memory.view import MemoryView

ASPECT, STATE, ENTITY = FILTER + "aspect", FILTER + "state", FILTER + "entity"
STATES: dict[str, bool | None] = {"all": None, "current": True, "invalidated": False}
EPISODES = 12  # on a card


def draw(view: MemoryView) -> Chosen | None:
    """The list; its first row."""
    counts = view.aspects()
    if not counts:
        st.info("This memory has no statements. Searches rest on the texts alone then.", icon=":material/inbox:")
        return None
    st.html(markup.caption("statements by aspect"))
    figure = aspect_chart(counts, st.session_state.get(ASPECT))
    pieces.pickable(figure, "aspect_chart", "Current and invalidated statements by aspect", _pick)
    return _list(view, _filters(view))


def _pick(parts: Sequence[str]) -> None:
    st.session_state[ASPECT] = None if st.session_state.get(ASPECT) == parts[0] else parts[0]
    address.close()


def _filters(view: MemoryView) -> str:
    find, aspect = st.columns([3, 2])
    with find:
        text = pieces.search_field("statement_words", "Find by words or id")
    aspect.selectbox(
        "Aspect",
        [known.value for known in Aspect],
        index=None,
        key=ASPECT,
        placeholder="any aspect",
        label_visibility="collapsed",
        persist_state="page",
    )
    if entity := st.session_state.get(ENTITY):
        known = view.graph.entities([entity]).get(entity)
        st.button(
            f"Only about {safe_text.markdown(known.name if known else entity, 60)}",
            key="forget_entity",
            icon=":material/close:",
            icon_position="right",
            on_click=_forget_entity,
        )
    return text


def _state() -> bool | None:
    """Whether to list current statements, invalidated ones, or both (None)."""
    st.session_state.setdefault(STATE, "all")
    with st.container(horizontal=True, horizontal_alignment="right", key="units"):
        st.segmented_control(
            "State",
            list(STATES),
            key=STATE,
            required=True,
            label_visibility="collapsed",
            persist_state="page",
        )
    return STATES[st.session_state[STATE]]


def _forget_entity() -> None:
    st.session_state[ENTITY] = None


def _list(view: MemoryView, text: str) -> Chosen | None:
    aspect, entity = st.session_state.get(ASPECT), st.session_state.get(ENTITY)
    count, state = st.columns([2, 3], vertical_alignment="center")
    with state:
        current = _state()
    aspects = (Aspect(aspect),) if aspect else ()

    def cut(offset: int, limit: int) -> Slice:
        return browse.statements(
            view.stores, view.now, text, offset, limit, aspects=aspects, current=current, entity=entity
        )

    above = st.container()
    total = cut(0, 0).total
    offset = pieces.offset_of_page(total, "statement_pages", text, aspect, current, entity)
    ids = cut(offset, pieces.ROWS).ids
    known = view.graph.statements(ids)
    shown = [known[uuid] for uuid in ids]
    replaced = pieces.replacements(view, shown)
    rows = [
        {
            "fact": safe_text.one_line(statement.fact, pieces.TEXT),
            "aspect": statement.aspect.value,
            "since": view.when(statement.valid_at, "%Y-%m-%d"),
            "until": view.when(statement.invalid_at, "%Y-%m-%d"),
            "replaced by": safe_text.one_line(replaced[statement.uuid][2], 80) if statement.uuid in replaced else "",
        }
        for statement in shown
    ]
    keys = [(ItemKind.STATEMENT.value, uuid) for uuid in ids]
    columns = {
        "fact": st.column_config.TextColumn(width=280),
        "aspect": st.column_config.TextColumn(width=84),
        "since": st.column_config.TextColumn(width=84),
        "until": st.column_config.TextColumn(width=84),
        "replaced by": st.column_config.TextColumn(width=120),
    }
    if not any(row["until"] or row["replaced by"] for row in rows):
        rows = [{name: row[name] for name in ("fact", "aspect", "since")} for row in rows]
    order = "best first" if text else "newest first"
    count.html(markup.dim(f"{total:,} statement{'' if total == 1 else 's'}, {order}"))
    with above:
        pieces.listing(rows, keys, "statement_list", columns)
    return keys[0] if keys else None


def card(view: MemoryView, uuid: str, explicit: bool) -> None:
    statement = view.graph.statements([uuid]).get(uuid)
    pieces.card_head("statement", explicit)
    if statement is None:
        pieces.not_here("statement", uuid)
        return
    st.html(safe_text.block(statement.fact))
    st.html(markup.facts(_facts(view, statement)))
    st.html(markup.item_id(uuid))
    _ends(view, statement)
    if uuid in (replaced := pieces.replacements(view, [statement])):
        kind, other, text = replaced[uuid]
        st.html(markup.caption("replaced by"))
        with st.container(key="lines_replacement"):
            pieces.line(kind, other, f"{kind} {other}", text, "replacement")
    _provenance(view, statement)


def _facts(view: MemoryView, statement: Statement) -> list[tuple[str, str]]:
    kind = "voice" if statement.aspect in VOICE_ASPECTS else "graph"
    state = "current" if view.holds(statement) else "no longer true"
    rows = [
        ("aspect", f"{statement.aspect.value}, a {kind} aspect"),
        ("state", f"{state} at {view.when(view.now)}"),
        ("since", view.when(statement.valid_at)),
        ("until", view.when(statement.invalid_at)),
        ("event", view.when(statement.event_date)),
        *statement.attributes.items(),
    ]
    return [(name, value) for name, value in rows if value]


def _ends(view: MemoryView, statement: Statement) -> None:
    ends = {"subject": statement.subject, "predicate": statement.predicate, "object": statement.object}
    known = view.graph.entities(end for end in ends.values() if end)
    if not known:
        return
    st.html(markup.caption(" · ".join(role for role, end in ends.items() if end)))
    with st.container(horizontal=True, key="row_ends"):
        for role, end in ends.items():
            if end in known:
                pieces.line(ItemKind.ENTITY.value, end, known[end].name, "", role)


def _provenance(view: MemoryView, statement: Statement) -> None:
    uuids = statement.episode_uuids
    st.html(markup.caption(f"drawn from {len(uuids)} episode{'' if len(uuids) == 1 else 's'}"))
    known = view.graph.episodes(uuids[:EPISODES])
    pieces.episode_lines(view, list(known.values()), "from")
    if len(uuids) > EPISODES:
        st.html(markup.dim(f"and {len(uuids) - EPISODES:,} more"))
