"""The extraction as fields: what the route understood, to be understood otherwise."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core_search.models import Aspect, Extraction, Facet, LookupMode, QueryType, TemporalType
from core_search.results import SearchResult
from core_search.ui.words import QUERY_TYPE_WORDS


def extraction_fields(result: SearchResult, said: Extraction, run: str) -> dict[str, Any]:
    """Draw them; the edited extraction as JSON data."""

    def key(name: str) -> str:
        return f"fork_{name}_{run}"

    types = list(QueryType)
    query_type = st.selectbox(
        "Query type",
        types,
        index=types.index(said.query_type),
        format_func=lambda kind: f"{kind.value}: {QUERY_TYPE_WORDS[kind]}",
        key=key("type"),
    )
    aspects = st.multiselect("Aspects", list(Aspect), default=list(said.aspects), key=key("aspects"), placeholder="any")
    hints = st.multiselect(
        "Entity hints",
        list(said.entity_hints),
        default=list(said.entity_hints),
        accept_new_options=True,
        key=key("hints"),
        placeholder="none; type a name",
    )
    matched = list(
        dict.fromkeys([*said.selected_labels, *(label.label_name for label in result.router.matched_labels)])
    )
    selected = st.multiselect(
        "Selected labels",
        matched,
        default=list(said.selected_labels),
        key=key("selected"),
        placeholder="none of those that matched",
    )
    times = list(TemporalType)
    first, second, third, fourth = st.columns([1.2, 0.8, 1.2, 1.2])
    time_type = first.selectbox("Time", times, index=times.index(said.temporal.type), key=key("time"))
    days = second.number_input("Days", 1, 100_000, said.temporal.days, key=key("days"))
    start = third.text_input("From", said.temporal.start_date or "", key=key("start"), placeholder="2026-02-01")
    end = fourth.text_input("To", said.temporal.end_date or "", key=key("end"), placeholder="2026-02-28")
    first, second = st.columns(2)
    modes = list(LookupMode)
    mode = first.selectbox("Look up", modes, index=modes.index(said.lookup_mode), key=key("mode"))
    attribute = second.text_input("Attribute", said.attribute_hint or "", key=key("attribute"), placeholder="birthday")
    facets = st.multiselect(
        "Facets", list(Facet), default=list(said.facets), key=key("facets"), placeholder="all three"
    )
    first, second = st.columns([1, 2], vertical_alignment="center")
    search = first.checkbox("Search", said.should_search, key=key("search"))
    confidence = second.slider("Confidence", 0.0, 1.0, said.confidence, 0.01, key=key("confidence"))
    edited = {
        "aspects": [aspect.value for aspect in aspects],
        "queryType": query_type.value,
        "temporal": {"type": time_type.value, "days": days, "startDate": start or None, "endDate": end or None},
        "shouldSearch": search,
        "entityHints": list(hints),
        "selectedLabels": list(selected),
        "lookupMode": mode.value,
        "attributeHint": attribute or None,
        "facets": [facet.value for facet in facets],
        # The slider has steps; what was not moved keeps every digit.
        "confidence": said.confidence if abs(confidence - said.confidence) < 0.005 else confidence,
    }
    return {name: edited[name] for name in said.wire()}
