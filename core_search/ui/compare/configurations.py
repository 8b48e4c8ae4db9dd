"""Choosing configurations: ready ones, presets, the settings of the sidebar, and what is typed as `limit=5`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import streamlit as st

from core_search.comparison.side import MOST_SIDES, name_of
from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.options import SearchOptions, parse_settings
from core_search.ui import session

DEFAULTS = "defaults"
READY: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        DEFAULTS: {},
        "rerank off": {"rerank": False},
        "backstop off": {"backstop": False},
        "no label scope": {"label_threshold": 1.0},
        "newest first": {"sort": "recency"},
        "limit 5": {"limit": 5},
        "budget 1,000 tokens": {"token_budget": 1_000},
        "compact on": {"compact": True},
    }
)
SIDEBAR = "settings of the sidebar"
OWN = "own_configurations"  # made in this session: name -> changes


def known(engine: SearchEngine) -> dict[str, dict[str, Any]]:
    """Every configuration that can be chosen, by name."""
    kept = session.presets()
    presets = {f"preset {name}": kept.load(name) for name in kept.names()}
    sidebar = {SIDEBAR: session.changes()} if session.changes() else {}
    ready = {name: dict(changes) for name, changes in READY.items()}
    return {**ready, **sidebar, **presets, **st.session_state.get(OWN, {})}


def options_by_name(engine: SearchEngine) -> dict[str, SearchOptions]:
    """The same as whole settings; what does not fit any more is left out."""
    found = {}
    for name, changes in known(engine).items():
        try:
            found[name] = engine.default_options().with_changes(changes)
        except CoreSearchError:
            continue
    return found


def remember(engine: SearchEngine, options: SearchOptions) -> str:
    """The name of a configuration, which can be chosen from now on."""
    for name, other in options_by_name(engine).items():
        if other == options:
            return name
    defaults = engine.default_options()
    name = name_of(options, defaults)
    changed = {
        field: getattr(options, field)
        for field in type(options).model_fields
        if getattr(options, field) != getattr(defaults, field)
    }
    st.session_state[OWN] = {**st.session_state.get(OWN, {}), name: changed}
    return name


def changes_of(engine: SearchEngine, name: str) -> dict[str, Any]:
    """The settings behind a chosen name; a typed one is read as `key=value, key=value`. Errors name what is wrong."""
    found = known(engine).get(name)
    changes = found if found is not None else parse_settings([part for part in name.split(",") if part.strip()])
    options = engine.default_options().with_changes(changes)
    return {key: getattr(options, key) for key in changes}


def choose_configurations(engine: SearchEngine, key: str, first: Sequence[str]) -> list[str]:
    """Draw the choice; the names, the first of which is what the others are compared with."""
    st.session_state.setdefault(key, list(first))
    chosen = st.session_state[key]
    options = list(dict.fromkeys([*known(engine), *chosen]))
    return list(
        st.multiselect(
            "Configurations",
            options,
            key=key,
            max_selections=MOST_SIDES,
            accept_new_options=True,
            placeholder="choose, or type limit=5, rerank=off",
            help="The first is what the others are compared with. Type settings to make a new one, "
            "such as `limit=5, rerank=off`; presets come from the settings in the sidebar.",
        )
    )
