"""The answer on the page, as an agent would get it, and each item with why it is there."""

from __future__ import annotations

import json

import streamlit as st

from core_search.models import ItemKind
from core_search.results import EpisodeResult, SearchResult, StatementResult
from core_search.ui import markup, payload, safe_text, session, words
from core_search.ui.stages.handle import connection, entity_card, facets
from core_search.ui.view import View

PREVIEW_CHARACTERS = 200_000  # of a payload on the page; the download has all of it


def draw(view: View) -> None:
    result = view.result
    if result is None:
        st.caption("This search failed and has no result. The stages before the failure are drawn.")
        return
    items, markdown, as_json = st.tabs(["Items", "Markdown", "JSON"], key="result_tabs", on_change="rerun")
    with items:
        if items.open:
            _items(view, result)
    with markdown:
        if markdown.open:
            _payload(view, payload.as_markdown(result), "markdown", "md", "text/markdown")
    with as_json:
        if as_json.open:
            text = json.dumps(payload.as_json(result), indent=2, ensure_ascii=False)
            _payload(view, text, "json", "json", "application/json")


def _items(view: View, result: SearchResult) -> None:
    if not result.gate.open:
        st.info(f"No search was run: {safe_text.markdown(result.gate.reason)}.", icon=":material/block:")
        return
    if result.is_empty:
        st.info("Nothing was found. Overview shows where the candidates went.", icon=":material/search_off:")
        return
    if result.entity:
        entity_card(result)
    if result.facets:
        facets(result.facets)
    if result.statements:
        connection(result)
    for rank, statement in enumerate(result.statements, 1):
        _statement(view, statement, str(rank), "ranked")
    for rank, episode in enumerate(result.episodes, 1):
        _episode(view, episode, rank)
    if result.voice_statements:
        st.html(markup.caption("voice statements, beside the episodes"))
        for statement in result.voice_statements:
            _statement(view, statement, statement.aspect.value, "voice")
    if result.invalidated_facts:
        st.html(markup.caption("said in these episodes, no longer true"))
        rows = [
            (s.fact, s.invalid_at.strftime("%Y-%m-%d") if s.invalid_at else "", s.invalidated_by or "")
            for s in result.invalidated_facts
        ]
        st.html(markup.table(("fact", "until", "replaced by"), rows))


def _episode(view: View, episode: EpisodeResult, rank: int) -> None:
    with st.container(border=True, gap="xsmall"):
        score = f"{episode.score_name} {episode.score:.4f}" if episode.score is not None else "no score"
        parts = (
            f"{rank}",
            f"{episode.valid_at:%Y-%m-%d %H:%M}",
            score,
            f"{episode.tokens:,} tokens",
            episode.session_id,
        )
        _head(view, ItemKind(episode.kind), episode.uuid, " · ".join(filter(None, parts)), "ranked")
        if episode.title:
            st.html(f"<strong>{safe_text.span(episode.title)}</strong>")
        st.html(safe_text.block(episode.content))
        if episode.labels:
            st.html(markup.tags(episode.labels))


def _statement(view: View, statement: StatementResult, lead: str, place: str) -> None:
    with st.container(border=True, gap="xsmall"):
        score = f"{statement.score_name} {statement.score:.4f}" if statement.score is not None else ""
        parts = (lead, f"{statement.valid_at:%Y-%m-%d}", score)
        _head(view, ItemKind.STATEMENT, statement.uuid, " · ".join(filter(None, parts)), place)
        st.html(safe_text.block(statement.fact))
        ends = [end.name for end in (statement.subject, statement.predicate, statement.object) if end]
        if ends:
            st.html(markup.tags(ends))


def _head(view: View, kind: ItemKind, item_id: str, text: str, place: str) -> None:
    left, right = st.columns([4, 1], vertical_alignment="center")
    left.html(markup.dim(text))
    with right.popover("Why is it here", type="tertiary", key=f"why_{place}_{kind}_{item_id}"):
        for sentence in words.path_sentences(view, kind, item_id):
            st.html(safe_text.span(sentence))
        st.button(
            "Open its details",
            key=f"open_{place}_{kind}_{item_id}",
            on_click=session.choose_item,
            args=(kind, item_id),
        )


def _payload(view: View, text: str, language: str, ending: str, mime: str) -> None:
    tokens = view.items.engine.providers.tokens.count(text)
    left, right = st.columns([3, 1], vertical_alignment="center")
    left.html(markup.dim(f"{tokens:,} tokens as the agent gets it · copy with the button in the corner"))
    right.download_button(
        "Download",
        text,
        file_name=f"{view.run.id}.{ending}",
        mime=mime,
        icon=":material/download:",
        key=f"download_{ending}",
        on_click="ignore",
    )
    shown = text[:PREVIEW_CHARACTERS]
    st.code(shown, language=language if len(shown) < 40_000 else None, wrap_lines=True, height=560)
    if len(shown) < len(text):
        st.caption(f"The first {PREVIEW_CHARACTERS:,} of {len(text):,} characters; the download has all.")
