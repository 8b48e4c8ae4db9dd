"""Opening the memories of an installation: one session does not wait for another's."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core_search.engine import SearchEngine
from core_search.generation import Generations
from core_search.settings import Settings
from tests import small


@pytest.fixture
def engine(tmp_path: Path):
    with SearchEngine(Settings(home=tmp_path)) as engine:
        for name in ("large", "small"):
            engine.load(small.bundle(), name)
        yield engine


def opened_slowly(monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[threading.Event, list[str]]:
    """Opening `name` waits for the event; the list has every name that was opened."""
    ready, names = threading.Event(), []
    real = Generations.open

    def slow(self: Generations, of: str, generation: Path) -> Any:
        names.append(of)
        if of == name:
            assert ready.wait(30)
        return real(self, of, generation)

    monkeypatch.setattr(Generations, "open", slow)
    return ready, names


def name_of(engine: SearchEngine, name: str) -> str:
    with engine.memory(name) as memory:
        return memory.meta.name


def test_who_opens_a_small_memory_does_not_wait_for_a_large_one(engine, monkeypatch):
    ready, _ = opened_slowly(monkeypatch, "large")
    with ThreadPoolExecutor() as pool:
        large = pool.submit(name_of, engine, "large")
        assert name_of(engine, "small") == "small"
        assert not large.done()
        ready.set()
        assert large.result(30) == "large"


def test_two_who_ask_for_one_memory_open_it_once(engine, monkeypatch):
    ready, names = opened_slowly(monkeypatch, "large")

    def ask() -> int:
        with engine.memory("large") as memory:
            return id(memory)

    with ThreadPoolExecutor() as pool:
        both = [pool.submit(ask), pool.submit(ask)]
        ready.set()
        assert len({future.result(30) for future in both}) == 1
    assert names == ["large"]
