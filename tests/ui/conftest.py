"""What the tests of the pages share: one home with two memories, and a page over it that runs without a browser."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core_search import SearchEngine, Settings
from core_search.ui import session

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 120

OpenPage = Callable[..., AppTest]


@pytest.fixture(scope="session")
def ui_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ui_home")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, ui_home: Path) -> pytest.MonkeyPatch:
    monkeypatch.setenv("CORE_SEARCH_HOME", str(ui_home))
    monkeypatch.chdir(ROOT)
    return monkeypatch


@pytest.fixture(scope="session", autouse=True)
def _close_engines() -> Iterator[None]:
    yield
    st.cache_resource.clear()


@pytest.fixture
def shared(environment: pytest.MonkeyPatch) -> SearchEngine:
    """The engine that the pages use."""
    return session.engine()


@pytest.fixture
def open_page(environment: pytest.MonkeyPatch) -> OpenPage:
    """`open_page(run=…, stage=…)` runs the Inspect page at that address."""

    def open_at(path: str = "app.py", **address: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / path), default_timeout=TIMEOUT_S)
        for name, value in address.items():
            page.query_params[name] = value
        with warnings.catch_warnings():
            # The test runner is not a server; Streamlit says so through the loop that it misses.
            warnings.simplefilter("ignore", DeprecationWarning)
            return page.run()

    return open_at


@pytest.fixture
def settings(ui_home: Path) -> Settings:
    return Settings(home=ui_home)


