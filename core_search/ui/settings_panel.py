"""Every setting of a search with its default, what was changed, and presets."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

import streamlit as st
from annotated_types import Ge, Le

from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError, SettingError
from core_search.options import SearchOptions
from core_search.ui import markup, safe_text, session

# All options, in groups. A test holds that none is missing.
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Answer": ("limit", "token_budget", "sort", "compact", "deadline_s"),
        "Ranking": ("rerank", "rerank_floor", "exploratory_floor", "backstop", "backstop_limit", "fallback"),
        "Scope": ("label_ids", "end_user_ids", "start", "end"),
        "Route": ("confidence_gate", "label_threshold", "label_limit", "label_fallback"),
        "Paths": (
            "hint_threshold",
            "hint_limit",
            "hint_entities",
            "lookup_threshold",
            "lookup_entities",
            "episode_threshold",
            "voice_threshold",
            "voice_limit",
            "episode_limit",
            "session_limit",
            "statement_limit",
        ),
    }
)
HELP: Mapping[str, str] = MappingProxyType(
    {
        "limit": "Episodes and documents that reranking keeps.",
        "token_budget": "Tokens of o200k_base that the answer may have.",
        "sort": "The order of the answer.",
        "deadline_s": "Seconds that a search may take.",
        "compact": "Three or more episodes of one session give way to its document.",
        "rerank": "Order candidates by relevance.",
        "rerank_floor": "What scores less than this is left out.",
        "exploratory_floor": "The floor for exploratory queries.",
        "backstop": "V1 search adds candidates before reranking.",
        "backstop_limit": "Candidates that the backstop adds at most.",
        "fallback": "V1 answers when V2 finds nothing; not in V3 workspaces.",
        "label_ids": "Label ids, with commas. They replace what the route selects.",
        "end_user_ids": "Only episodes of these end users; ids, with commas.",
        "start": "ISO 8601 date or instant; replaces the time that the route read.",
        "end": "ISO 8601 date or instant; a date includes its day.",
        "confidence_gate": "Below this confidence nothing is searched.",
        "label_threshold": "Cosine that a label must reach to match.",
        "label_limit": "Labels that may match.",
        "label_fallback": "Without a selected label, matched ones with this score scope the search.",
        "hint_threshold": "Cosine that an entity must reach for a hint.",
        "hint_limit": "Hints that are followed.",
        "hint_entities": "Entities per hint.",
        "lookup_threshold": "As hint_threshold, for entity look-up.",
        "lookup_entities": "Entities per hint of a look-up.",
        "episode_threshold": "Cosine that an episode must reach.",
        "voice_threshold": "Cosine that a voice statement must reach.",
        "voice_limit": "Voice statements beside the episodes.",
        "episode_limit": "Episodes that each path may bring.",
        "session_limit": "Session documents of an exploratory query.",
        "statement_limit": "Statements of a relationship query.",
    }
)
KEY = "setting_{}"


def settings_panel(engine: SearchEngine, read_only: bool) -> None:
    defaults = engine.default_options()
    changed = session.changes()
    # A label that changes would close the panel: what was changed stands under it.
    panel = st.expander("Settings", key="settings_panel", on_change="rerun")
    if changed:
        st.html(markup.dim(f"{len(changed)} changed: {', '.join(changed)}"))
    if not panel.open:
        return  # some thirty widgets that nobody looks at
    with panel:
        if read_only:
            st.caption("This installation is read-only: settings cannot be changed.")
        if problem := st.session_state.pop("setting_problem", None):
            st.error(safe_text.markdown(problem, 300))
        if changed:
            st.html(markup.caption("changed"))
            rows = [(key, _shown(getattr(defaults, key)), _shown(value)) for key, value in changed.items()]
            st.html(markup.table(("setting", "default", "now"), rows))
            st.button("Reset all", key="reset_settings", on_click=session.set_changes, args=({},), disabled=read_only)
        for group, names in GROUPS.items():
            st.html(markup.caption(group))
            for name in names:
                _control(name, defaults, changed.get(name, getattr(defaults, name)), read_only)
        _presets(changed, read_only)


def _control(name: str, defaults: SearchOptions, value: Any, disabled: bool) -> None:
    """The widget that fits the type of one option."""
    default = getattr(defaults, name)
    common: dict[str, Any] = {
        "label": name,
        "key": KEY.format(name),
        "help": f"{HELP[name]} Default: {_shown(default) or 'none'}.",
        "on_change": _changed,
        "args": (name, default),
        "disabled": disabled,
    }
    key = common["key"]
    if isinstance(default, bool):
        st.session_state[key] = value
        st.toggle(**common)
    elif isinstance(default, (int, float)):
        bounds = SearchOptions.model_fields[name].metadata
        low: Any = next((bound.ge for bound in bounds if isinstance(bound, Ge)), None)
        high: Any = next((bound.le for bound in bounds if isinstance(bound, Le)), None)
        number = type(default)
        st.session_state[key] = number(value)
        look: dict[str, Any] = {"step": 1} if number is int else {"step": 0.01, "format": "%.3f"}
        low, high = (None if bound is None else number(bound) for bound in (low, high))
        st.number_input(min_value=low, max_value=high, **look, **common)
    elif choices := get_args(SearchOptions.model_fields[name].annotation) if isinstance(default, str) else ():
        st.session_state[key] = value
        st.selectbox(options=choices, **common)
    else:
        st.session_state[key] = _shown(value)
        st.text_input(**common)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (tuple, list)):
        return ",".join(map(str, value))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _changed(name: str, default: Any) -> None:
    """Take over one changed value, or say what is wrong with it."""
    value = st.session_state[KEY.format(name)]
    others = {key: known for key, known in session.changes().items() if key != name}
    try:
        checked = getattr(SearchOptions().with_changes({name: value}), name)
    except SettingError as error:
        st.session_state["setting_problem"] = str(error)
        return
    session.set_changes(others if checked == default else {**others, name: checked})


# ---------------------------------------------------------------- presets


def _presets(changed: dict[str, Any], read_only: bool) -> None:
    kept = session.presets()
    names = kept.names()
    st.html(markup.caption("presets"))
    if names:
        st.selectbox("Preset", names, key="preset_choice", index=None, placeholder="choose one", on_change=_load_preset)
    chosen = st.session_state.get("preset_choice")
    if chosen and not read_only:
        st.button("Delete this preset", key="delete_preset", type="tertiary", on_click=_delete_preset, args=(chosen,))
    if changed and not read_only:
        st.text_input("Save these settings as", key="preset_name", placeholder="name", on_change=_save_preset)


def _load_preset() -> None:
    name = st.session_state.get("preset_choice")
    if name:
        _attempt(lambda: session.set_changes(_checked(session.presets().load(name))))


def _checked(changes: dict[str, Any]) -> dict[str, Any]:
    options = SearchOptions().with_changes(changes)
    return {key: getattr(options, key) for key in changes}


def _save_preset() -> None:
    name = str(st.session_state.get("preset_name") or "")
    if name.strip():
        _attempt(lambda: session.presets().save(name, session.changes()))
        st.session_state["preset_name"] = ""


def _delete_preset(name: str) -> None:
    _attempt(lambda: session.presets().delete(name))
    st.session_state["preset_choice"] = None


def _attempt(change: Any) -> None:
    try:
        change()
    except CoreSearchError as error:
        st.session_state["setting_problem"] = str(error)
