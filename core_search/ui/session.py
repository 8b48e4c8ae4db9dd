"""What one browser session looks at, and the engine that all sessions share.

The address is the state: `run`, `stage` and `item` stand in the query parameters as ids, so that a link, a refresh
and the back button all show the same. Nothing of it is shared between sessions.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import streamlit as st

from core_search.assemble import models_in_use
from core_search.engine import SAMPLE, OpenMemory, SearchEngine
from core_search.errors import CoreSearchError, SearchFailed
from core_search.models import ItemKind
from core_search.presets import Presets
from core_search.records import Records
from core_search.results import SearchRequest
from core_search.settings import Settings
from core_search.ui.items import Items
from core_search.ui.view import View

RUNS_IN_MEMORY = 32  # opened runs that all sessions share; a rich one takes a few megabytes
CHANGES, WORKSPACE, PENDING, PROBLEM = "changes", "workspace", "pending_search", "problem"


def engine() -> SearchEngine:
    """The engine of this installation, one for all sessions."""
    settings = Settings.from_environment()
    shared: SearchEngine = _engine(repr(settings), settings)
    return shared


def _build_engine(key: str, _settings: Settings) -> SearchEngine:
    built = SearchEngine(_settings)
    built.providers.tokens.count("")  # reads its ranks now, not on the clock of the first search
    return built


_engine = st.cache_resource(show_spinner=False, on_release=SearchEngine.close)(_build_engine)


def records() -> Records:
    return Records(engine().settings)


def presets() -> Presets:
    return Presets(records().database)


def _open(run_id: str, settings: str, _engine: SearchEngine) -> View:
    run = Records(_engine.settings).load(run_id)
    return View(run, Items(run, _engine))


_opened = st.cache_resource(show_spinner=False, max_entries=RUNS_IN_MEMORY)(_open)


def open_run(run_id: str) -> View:
    """A kept run, ready to be drawn. `UnknownItem` when there is none of that id."""
    shared = engine()
    opened: View = _opened(run_id, repr(shared.settings), shared)
    return opened


def forget_opened_runs() -> None:
    """After a run was renamed, pinned or removed."""
    _opened.clear()


# ---------------------------------------------------------------- the address


def parameter(name: str) -> str:
    return str(st.query_params.get(name, ""))


def set_parameter(name: str, value: str) -> None:
    if value:
        st.query_params[name] = value
    else:
        st.query_params.pop(name, None)


def link_parameters() -> dict[str, str]:
    """What a link to another page carries on."""
    return {name: parameter(name) for name in ("run", "stage", "item") if parameter(name)}


def choose_item(kind: ItemKind | str, item_id: str) -> None:
    set_parameter("item", f"{kind}:{item_id}")


def chosen_item() -> tuple[ItemKind, str] | None:
    kind, _, item_id = parameter("item").partition(":")
    try:
        return (ItemKind(kind), item_id) if item_id else None
    except ValueError:
        return None


# ---------------------------------------------------------------- workspace and settings of the next search


def workspace() -> str:
    """The memory that the next search goes to."""
    return str(st.session_state.get(WORKSPACE) or SAMPLE)


def set_workspace(name: str) -> None:
    st.session_state[WORKSPACE] = name


def changes() -> dict[str, Any]:
    """The settings of the next search that are not the defaults."""
    return dict(st.session_state.get(CHANGES, {}))


def set_changes(new: dict[str, Any]) -> None:
    st.session_state[CHANGES] = new


def clock(memory: OpenMemory) -> datetime:
    """The memory's own now, in its zone; the wall clock when it has none."""
    zone = memory.stores.zone
    return (memory.meta.header.clock or datetime.now(zone)).astimezone(zone)


# ---------------------------------------------------------------- searching


def ask(request: SearchRequest) -> None:
    """Search in the next run of the page, where progress can be shown."""
    st.session_state[PENDING] = request


def pending() -> SearchRequest | None:
    request: SearchRequest | None = st.session_state.pop(PENDING, None)
    return request


def search(request: SearchRequest) -> str:
    """Run a search and keep it, a failed one too; its run id. Other errors go upwards: nothing was searched."""
    shared, kept = engine(), records()
    try:
        return kept.save(shared.search(request))
    except SearchFailed as error:
        options = shared.default_options().with_changes(request.set)
        return kept.save_failed(
            request,
            error,
            options=options,
            providers=models_in_use(shared.providers),
            fingerprint=_fingerprint(request),
        )


def _fingerprint(request: SearchRequest) -> str:
    try:
        return engine().folder(request.workspace).meta().fingerprint
    except CoreSearchError:
        return ""
