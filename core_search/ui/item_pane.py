"""The pane of the chosen item: its text, what it is, its way through the stages. Without one, the answer in short."""

from __future__ import annotations

import streamlit as st

from core_search.models import ItemKind
from core_search.trace import Fate
from core_search.ui import markup, safe_text, session, words
from core_search.ui.fork.fate_card import fate_card
from core_search.ui.items import Item
from core_search.ui.ledger import delta
from core_search.ui.review.in_place import grades_in_place
from core_search.ui.theme import STAGE_TITLES
from core_search.ui.view import View

GLANCE = 6  # items of the answer that the pane lists
STATEMENTS = 12


def pane(view: View) -> None:
    """Draw the chosen item, or the answer when none is chosen."""
    chosen = session.chosen_item()
    if chosen is None:
        answer(view)
    else:
        item(view, *chosen)


def item(view: View, kind: ItemKind, item_id: str) -> None:
    shown = view.items.get(kind, item_id)
    head = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    head.html(markup.caption(f"the chosen {kind.value}"), width="content")
    head.button(
        "Close",
        key="close_item",
        type="tertiary",
        icon=":material/close:",
        on_click=session.set_parameter,
        args=("item", ""),
    )
    if shown.title:
        st.html(f"<strong>{safe_text.span(shown.title)}</strong>")
    if shown.text is not None:
        st.html(safe_text.block(shown.text))
    elif not shown.title:
        st.caption(
            f"Its text is not in this run, and {safe_text.markdown(view.items.missing_because or 'not stored')}."
        )
    if shown.labels:
        st.html(markup.tags(shown.labels))
    st.html(markup.facts(_facts(shown)))
    st.html(markup.item_id(item_id))
    _fate(view, kind, item_id)
    _path(view, kind, item_id)
    grades_in_place(view.run, kind, item_id, [("in this run", words.stood(view, kind, item_id))])
    if kind is ItemKind.EPISODE:
        _statements(view, item_id)


def _facts(shown: Item) -> list[tuple[str, str]]:
    when = [("when", shown.when.strftime("%A, %Y-%m-%d %H:%M"))] if shown.when else []
    state = [] if shown.current else [("state", "no longer true at the time of this search")]
    return [*when, *shown.facts, *state]


def _fate(view: View, kind: ItemKind, item_id: str) -> None:
    sentences = words.path_sentences(view, kind, item_id)
    st.html(markup.caption("fate"))
    fate_card(view, kind, item_id)
    if not sentences:
        st.html(markup.dim("Not among the candidates of this search, as far as its trace tells."))
        return
    st.html("<br>".join(safe_text.span(sentence) for sentence in sentences))


def _path(view: View, kind: ItemKind, item_id: str) -> None:
    path = view.path(kind, item_id)
    if not path:
        return
    rows = []
    for stage, entry in path:
        fate = "kept" if entry.fate is Fate.KEPT else (entry.code or "")
        listed = ", ".join(f"{name} {value:.4f}" for name, value in list(entry.scores.items())[:2])
        ranks = " → ".join("·" if rank is None else str(rank) for rank in (entry.rank_in, entry.rank_out))
        rows.append((STAGE_TITLES[stage.name], ranks, delta(entry), str(fate), listed))
    with st.expander("Its way through the stages", expanded=False, key="item_path"):
        st.html(markup.table(("stage", "rank", "move", "fate", "scores"), rows))
    scores = path[-1][1].scores
    if scores:
        with st.expander(f"Scores by name ({len(scores)})", expanded=False, key="item_scores"):
            st.html(markup.table(("score", "value"), [(n, f"{v:.6f}") for n, v in scores.items()], numbers=(1,)))


def _statements(view: View, episode: str) -> None:
    statements = view.items.statements_of(episode)
    if not statements:
        return
    st.html(markup.caption(f"{len(statements)} statement{'s' if len(statements) > 1 else ''} drawn from it"))
    rows = []
    for statement in statements[:STATEMENTS]:
        aspect = dict(statement.facts).get("aspect", "")
        rows.append((aspect if statement.current else f"{aspect}, no longer true", statement.name))
    st.html(markup.table(("aspect", "fact"), rows, short=(0,)))
    if len(statements) > STATEMENTS:
        st.html(markup.dim(f"and {len(statements) - STATEMENTS} more"))


def answer(view: View) -> None:
    """The answer in short, each item a way to its details."""
    with st.container(key="glance"):
        _answer(view)


def _answer(view: View) -> None:
    result = view.result
    st.html(markup.caption("the answer"))
    if result is None:
        st.html(markup.dim("This search failed before it had one."))
        return
    if not result.gate.open:
        st.html(markup.dim(f"The gate is closed: {result.gate.reason}. No handler ran."))
        return
    if result.is_empty:
        st.html(markup.dim("Nothing was found. The stages above tell where the candidates went."))
        return
    if result.entity:
        picked = result.entity.attribute
        name = f"{result.entity.name} · {picked.key}" if picked else result.entity.name
        _line(ItemKind.ENTITY, result.entity.uuid, name, picked.value if picked else result.entity.type.value, "entity")
    for rank, statement in enumerate(result.statements[:GLANCE], 1):
        _line(ItemKind.STATEMENT, statement.uuid, f"{rank}. {statement.aspect.value}", statement.fact, f"s{rank}")
    for rank, episode in enumerate(result.episodes[:GLANCE], 1):
        score = f" · {episode.score_name} {episode.score:.3f}" if episode.score is not None else ""
        head = f"{rank}. {episode.valid_at:%Y-%m-%d}{score}"
        _line(ItemKind(episode.kind), episode.uuid, head, episode.title or episode.content, f"e{rank}")
    for place, voice in enumerate(result.voice_statements[:3], 1):
        _line(ItemKind.STATEMENT, voice.uuid, voice.aspect.value, voice.fact, f"v{place}")
    if result.facets:
        for topic in result.facets.topics[:GLANCE]:
            _line(
                ItemKind.LABEL,
                topic.label_id,
                topic.label_name,
                f"{topic.episode_count:,} episode{'' if topic.episode_count == 1 else 's'}",
                topic.label_id,
            )
    st.button("All of it", key="open_result", type="tertiary", icon=":material/arrow_forward:", on_click=_open_result)


def _open_result() -> None:
    session.set_parameter("stage", "result")


def _line(kind: ItemKind, item_id: str, head: str, text: str, place: str) -> None:
    st.button(
        safe_text.markdown(head, 80),
        key=f"glance_{place}",
        type="tertiary",
        on_click=session.choose_item,
        args=(kind, item_id),
    )
    st.html(f'<div class="cs-clip" dir="auto">{safe_text.span(text, length=260)}</div>')
