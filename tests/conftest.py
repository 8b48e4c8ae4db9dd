"""What all tests share: a clean environment, and one installation with the sample memory in it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from core_search import SearchEngine, Settings
from core_search.engine import SAMPLE
from tests.scripted_server import ScriptedServer

# The same cases every time: a failure can be repeated. `pytest --hypothesis-profile=default` looks for new ones.
hypothesis.settings.register_profile("repeatable", derandomize=True)
hypothesis.settings.load_profile("repeatable")

KEYS = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COHERE_API_KEY", "DATABASE_URL", "SEARCH_LABEL_VECTOR_THRESHOLD")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests measured: `record_property("measured: WHAT", text)`."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in getattr(report, "user_properties", ()):
            if report.when == "call" and name.startswith("measured: "):
                terminalreporter.write_line(f"{name.removeprefix('measured: ')}: {value}")


@pytest.fixture(autouse=True, scope="session")
def _no_keys_and_no_home() -> Iterator[None]:
    """Tests see neither the keys nor the memories of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name in KEYS or name.startswith("CORE_SEARCH_"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A home with the sample memory, loaded once and copied for each worker: to embed its texts takes half a minute."""
    own = tmp_path_factory.mktemp("home") / "home"
    if worker_id == "master":
        return own
    prepared = tmp_path_factory.getbasetemp().parent / "sample_home"
    with open(prepared.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not prepared.exists():
            making = prepared.with_suffix(".making")
            with SearchEngine(Settings(home=making)) as engine, engine.memory(SAMPLE):
                pass
            making.rename(prepared)
    shutil.copytree(prepared, own)
    return own


@pytest.fixture(scope="session")
def engine(home: Path) -> Iterator[SearchEngine]:
    """An engine over a home of its own; the sample memory is made when it is first asked for. Do not write to it."""
    with SearchEngine(Settings(home=home)) as engine:
        yield engine


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """A service that says what it is told to, in place of OpenAI's and Cohere's."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    running = ScriptedServer()
    yield running
    running.close()
