"""The look: colours that hold on light and dark, words for codes, and the CSS that Streamlit has no setting for."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core_search.trace import DropCode

# Middle tones: each has a contrast of at least 3:1 on the light and on the dark background.
ACCENT = "#5b7be0"
ACCENT_SOFT = "rgba(91,123,224,0.55)"
MUTED = "rgba(128,136,150,0.38)"
MUTED_SOLID = "#8b93a1"
LINE = "#d0762a"  # thresholds, floors and limits: one colour for every number that cut
INK = "#7a8394"  # chart text beside the theme's own
UP, DOWN = "#2f9e6e", "#c2554d"  # for signed deltas alone, never for scores

# 15 hues at one lightness, neighbours far apart: lines of a bump chart.
SERIES = (
    "#5b7be0", "#d0762a", "#2f9e8f", "#b75cb0", "#8a9a2b", "#c2554d", "#3f8fc4", "#a9782c",
    "#7c68d8", "#4f9a55", "#c0568a", "#5f8794", "#b06f4c", "#6f8f3a", "#9268a8",
)  # fmt: skip

# Kinds of things in a graph.
GRAPH_TINTS = {
    "entity": "#d0762a",
    "episode": "#5b7be0",
    "document": "#7c68d8",
    "label": "#2f9e8f",
    "statement": "#b75cb0",
}

STAGE_TITLES = {
    "overview": "Overview",
    "route": "Route",
    "gate": "Gate",
    "handle": "Handle",
    "merge": "Merge",
    "backstop": "Backstop",
    "rerank": "Rerank",
    "compact": "Compact",
    "budget": "Budget",
    "fallback": "Fallback",
    "result": "Result",
}

CODE_WORDS = {
    DropCode.BELOW_THRESHOLD: "below the similarity threshold",
    DropCode.OUTSIDE_TIME: "outside the time range",
    DropCode.OUT_OF_SCOPE: "out of scope",
    DropCode.INVALIDATED: "no longer true",
    DropCode.HANDLER_LIMIT: "past the path's limit",
    DropCode.DUPLICATE: "found before",
    DropCode.BELOW_RELEVANCE: "below the relevance floor",
    DropCode.RERANK_CUT: "past the limit after reranking",
    DropCode.COMPACTED: "stands in its session's document",
    DropCode.OVER_BUDGET: "over the token budget",
    DropCode.GATE_CLOSED: "the gate is closed",
    DropCode.STAGE_FAILED: "the stage failed",
}

SHORT_CODE_WORDS = {
    DropCode.BELOW_THRESHOLD: "below threshold",
    DropCode.OUTSIDE_TIME: "outside time",
    DropCode.OUT_OF_SCOPE: "out of scope",
    DropCode.INVALIDATED: "no longer true",
    DropCode.HANDLER_LIMIT: "past path limit",
    DropCode.DUPLICATE: "found before",
    DropCode.BELOW_RELEVANCE: "below floor",
    DropCode.RERANK_CUT: "past limit",
    DropCode.COMPACTED: "compacted",
    DropCode.OVER_BUDGET: "over budget",
    DropCode.GATE_CLOSED: "gate closed",
    DropCode.STAGE_FAILED: "stage failed",
}

SOURCE_WORDS = {
    "graph": "graph",
    "entity_hints": "entity hints",
    "episode_vectors": "episode vectors",
    "voice_statements": "voice statements",
    "session_documents": "session documents",
    "entity_episodes": "episodes of the entity",
    "resolve_hints": "hints to entities",
    "connections": "direct connections",
    "chain": "chain",
    "facets": "facets",
    "labels": "label search",
    "extract": "extraction",
    "backstop": "backstop",
    "compact": "compaction",
    "route": "route",
    "bm25_episodes": "BM25, episodes",
    "bm25_statements": "BM25, statements",
    "vector_episodes": "vectors, episodes",
    "vector_statements": "vectors, statements",
    "graph_traversal": "graph traversal",
    "fuse": "rank fusion",
}


def source_words(name: str) -> str:
    return SOURCE_WORDS.get(name, name.replace("_", " "))


def add_style() -> None:
    """Put the style sheet on the page."""
    st.html(Path(__file__).with_name("style.css"))
