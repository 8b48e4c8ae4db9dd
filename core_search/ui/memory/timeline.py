"""Episodes: their time line, and a list of those that were picked in it or found by words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

import streamlit as st

from core_search import browse
from core_search.browse import Unit
from core_search.models import ItemKind, TimeRange
from core_search.stores.base import Scope
from core_search.timeline import moment_range
from core_search.ui import markup, safe_text
from core_search.ui.memory import address, pieces
from core_search.ui.memory.address import FILTER, Chosen
from core_search.ui.memory.timeline_chart import explained, rows_of, time_line_chart, words
from core_search.ui.memory.view import MemoryView

LABEL, STRETCH, UNIT = FILTER + "label", FILTER + "stretch", FILTER + "unit"
CHART = "time_line"


def draw(view: MemoryView) -> Chosen | None:
    """The list; its first row, which the card shows when nothing is chosen."""
    if not view.counts()["episodes"]:
        st.info("This memory has no episodes yet.", icon=":material/inbox:")
        return None
    _picture(view)
    text = _filters(view)
    return _list(view, text)


def _picture(view: MemoryView) -> None:
    fitting = Unit.fitting(view.time_line(Unit.DAY).days)
    st.session_state.setdefault(UNIT, fitting.value)
    left, right = st.columns([2, 3], vertical_alignment="center")
    left.html(markup.caption("episodes over time"))
    with right.container(horizontal=True, horizontal_alignment="right", key="units"):
        st.segmented_control(
            "Unit of the time line",
            [unit.value for unit in Unit],
            key=UNIT,
            required=True,
            label_visibility="collapsed",
            on_change=_forget_stretch,
            persist_state="page",
        )
    line = view.time_line(Unit(st.session_state[UNIT]))
    figure = time_line_chart(line, view.label_names, picked=_stretch(), label=st.session_state.get(LABEL) or None)
    alt = f"Episodes by {line.unit}, {sum(line.episodes.values()):,} in all"
    pieces.pickable(figure, CHART, alt, _pick)
    st.html(markup.dim(explained(rows_of(line), len(line.labels))))


def _pick(parts: Sequence[str]) -> None:
    """A bar picks its stretch, a dot its label too; what is picked already is let go."""
    first, label = parts[0], parts[1]
    same = st.session_state.get(STRETCH) == first and (not label or st.session_state.get(LABEL) == label)
    st.session_state[STRETCH] = "" if same else first
    if label:
        st.session_state[LABEL] = None if same else label
    address.close()


def _forget_stretch() -> None:
    st.session_state[STRETCH] = ""


def _stretch() -> date | None:
    text = str(st.session_state.get(STRETCH) or "")
    return date.fromisoformat(text) if text else None


def _range(view: MemoryView) -> TimeRange:
    first = _stretch()
    if first is None:
        return TimeRange()
    last = Unit(st.session_state[UNIT]).last_day(first)
    return moment_range(first.isoformat(), last.isoformat(), view.stores.zone)


def _filters(view: MemoryView) -> str:
    find, label = st.columns([3, 2])
    with find:
        text = pieces.search_field("episode_words", "Find by words or id")
    sizes = view.label_sizes()
    options = {id_: f"{safe_text.one_line(name, 40)} · {sizes[id_][0]:,}" for id_, name in view.label_names.items()}
    # The widget tells its options apart by their words.
    repeated = {text for text, count in Counter(options.values()).items() if count > 1}
    options = {id_: f"{option} · {id_}" if option in repeated else option for id_, option in options.items()}
    with label:
        st.selectbox(
            "Label",
            sorted(view.label_names, key=lambda label_id: (-sizes[label_id][0], label_id)),
            format_func=lambda label_id: options[label_id],
            index=None,
            key=LABEL,
            placeholder="any label",
            label_visibility="collapsed",
            persist_state="page",
        )
    if (first := _stretch()) is not None:
        st.button(
            f"Only {words(Unit(st.session_state[UNIT]), first)}",
            key="forget_stretch",
            icon=":material/close:",
            icon_position="right",
            on_click=_forget_stretch,
        )
    return text


def _list(view: MemoryView, text: str) -> Chosen | None:
    label = st.session_state.get(LABEL)
    scope = Scope(at=view.now, time=_range(view), label_ids=(label,) if label else ())
    above = st.container()
    total = browse.episodes(view.stores, scope, text, 0, 0).total
    offset = pieces.offset_of_page(total, "episode_pages", text, label, _stretch())
    ids = browse.episodes(view.stores, scope, text, offset, pieces.ROWS).ids
    known = view.graph.episodes(ids)
    rows = [
        {
            "when": view.when(episode.valid_at),
            "labels": ", ".join(safe_text.one_line(name, 30) for name in view.names_of_labels(episode.label_ids)),
            "text": safe_text.one_line(episode.content, pieces.TEXT),
        }
        for episode in (known[uuid] for uuid in ids)
    ]
    keys = [(ItemKind.EPISODE.value, uuid) for uuid in ids]
    columns = {
        "when": st.column_config.TextColumn(width=118),
        "labels": st.column_config.TextColumn(width=130),
        "text": st.column_config.TextColumn(width=400),
    }
    with above:
        order = "best first" if text else "newest first"
        most = f" (the best {browse.FOUND_BY_WORDS})" if text and total >= browse.FOUND_BY_WORDS else ""
        st.html(markup.dim(f"{total:,} episode{'' if total == 1 else 's'}{most}, {order}"))
        pieces.listing(rows, keys, "episode_list", columns)
    return keys[0] if keys else None
