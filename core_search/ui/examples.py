"""Queries to begin with: one of each query type, from the memory's own query set."""

from __future__ import annotations

import streamlit as st

from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import CoreSearchError
from core_search.models import QueryType
from core_search.workspace import read_query_set

WELCOME = "what is my view on code review"
# For the sample memory, should its query set lack a type.
SAMPLE_QUERIES = {
    QueryType.ASPECT_QUERY: WELCOME,
    QueryType.ENTITY_LOOKUP: "what is my wife's birthday",
    QueryType.TEMPORAL: "what did I work on last week",
    QueryType.TEMPORAL_FACETS: "what topics did I discuss this month",
    QueryType.EXPLORATORY: "summarize recent work",
    QueryType.RELATIONSHIP: "how do Alice and Bob know each other",
}
MOST = 6


def examples(engine: SearchEngine, workspace: str) -> list[str]:
    """At most six queries, each of another type where the memory says which type its queries have."""
    try:
        generation = engine.folder(workspace).generation()
    except CoreSearchError:
        return []
    return list(_examples(workspace, str(generation), engine))


def _read(workspace: str, generation: str, _engine: SearchEngine) -> tuple[str, ...]:
    queries, _ = read_query_set(_engine.folder(workspace).generation())
    by_type: dict[str, str] = {}
    for query in queries:
        if query.type:
            by_type.setdefault(query.type, query.query)
    if workspace == SAMPLE:
        by_type = {kind.value: by_type.get(kind.value, text) for kind, text in SAMPLE_QUERIES.items()}
        by_type[QueryType.ASPECT_QUERY.value] = WELCOME
    found = [by_type[kind.value] for kind in QueryType if kind.value in by_type]
    return tuple((found or [query.query for query in queries])[:MOST])


_examples = st.cache_resource(show_spinner=False, max_entries=64)(_read)
