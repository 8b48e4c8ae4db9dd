"""A memory is built once, in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from core_search import Settings
from core_search.bench import stored as module
from core_search.bench.stored import Build, offline, stored
from core_search.errors import StoreError

EPISODES = 20


def test_built_once(tmp_path: Path):
    settings = offline(Settings(), tmp_path)
    reported: list[str] = []
    first = stored(settings, EPISODES, lambda what, done, total: reported.append(what))
    assert first.seconds > 0
    assert not first.synthetic_vectors
    assert {"Episode", "vectors", "words"} <= set(reported)
    assert stored(settings, EPISODES) == first


def test_a_failure_is_told(tmp_path: Path):
    (tmp_path / "workspaces").write_text("a file where a folder should be")
    with pytest.raises(StoreError, match="20 episodes could not be built"):
        stored(offline(Settings(), tmp_path), EPISODES)


def test_another_generator_builds_anew(tmp_path: Path, bench_settings: Settings, monkeypatch: pytest.MonkeyPatch):
    made = Build(1.0, 2.0, True)
    monkeypatch.setattr(module, "_in_child", lambda *_: made)
    monkeypatch.setattr(module, "description", lambda: "another version")
    assert stored(offline(Settings(), bench_settings.home), 200) == made
