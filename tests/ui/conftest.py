"""What the tests of the pages share: one home with small memories, and a page over it that runs without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.errors import SearchFailed
from core_search.ingest.values import Bundle, Header
from core_search.records import Records
from core_search.ui import session
from tests.small import NOW, bundle, episode

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 120

OpenPage = Callable[..., AppTest]

HOSTILE = (
    "<script>document.title='broken'</script><img src=x onerror=alert(1)> **bold** "
    "![picture](https://example.com/pixel.png) :red[red] $x^2$ \u202emarked right to left\u202c שלום עולם 🙂"
)


@pytest.fixture(scope="session")
def ui_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A small memory stands in for the sample, so that a first visit takes seconds."""
    home = tmp_path_factory.mktemp("ui_home")
    empty = Bundle(header=Header(name="empty", clock=NOW))
    hostile = bundle("hostile", episodes=(episode("h1", HOSTILE, 2), episode("h2", "x" * 50_000, 3)), statements=())
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample"))
        engine.load(hostile.model_copy(update={"memory": hostile.memory.model_copy(update={"documents": ()})}))
        engine.load(empty)
    yield home
    st.cache_resource.clear()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, ui_home: Path) -> pytest.MonkeyPatch:
    monkeypatch.setenv("CORE_SEARCH_HOME", str(ui_home))
    monkeypatch.chdir(ROOT)
    return monkeypatch


@pytest.fixture
def shared(environment: pytest.MonkeyPatch) -> SearchEngine:
    """The engine that the pages use."""
    return session.engine()


@pytest.fixture
def records(shared: SearchEngine) -> Records:
    return Records(shared.settings)


@pytest.fixture
def kept_run(shared: SearchEngine, records: Records) -> Callable[..., str]:
    """`kept_run(query, router_output, limit=…)` searches the small memory and keeps the run; its id."""

    def search(query: str, output: dict[str, Any] | None = None, workspace: str = "sample", **changes: Any) -> str:
        request = SearchRequest(query=query, workspace=workspace, router_output=output, set=changes)
        return records.save(shared.search(request))

    return search


@pytest.fixture
def failed_run(shared: SearchEngine, records: Records, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run that failed in `handle`, because the graph refused."""
    from core_search.stores.kuzu_graph import KuzuGraph

    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError("the disk is gone")

    request = SearchRequest(query="my view on code review", workspace="sample")
    with monkeypatch.context() as patch:
        patch.setattr(KuzuGraph, "episodes_by_aspect", refuse)
        with pytest.raises(SearchFailed) as caught:
            shared.search(request)
    return records.save_failed(request, caught.value, options=shared.default_options())


@pytest.fixture
def open_page(environment: pytest.MonkeyPatch) -> OpenPage:
    """`open_page(run=…, stage=…)` runs the Inspect page at that address."""

    def open_at(path: str = "app.py", **address: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / path), default_timeout=TIMEOUT_S)
        for name, value in address.items():
            page.query_params[name] = value
        return page.run()

    return open_at
