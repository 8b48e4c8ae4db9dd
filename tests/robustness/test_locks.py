"""Point 1: who holds a memory, who may write, and what a reader sees meanwhile."""

from __future__ import annotations

import pytest

from core_search import SearchEngine, Settings
from core_search.errors import WorkspaceLocked
from core_search.workspace import WorkspaceFolder
from tests.small import ask, bundle, episode, route

HOLDS = """
import sys
from pathlib import Path
from core_search.workspace import WorkspaceFolder
with WorkspaceFolder(Path(sys.argv[1]), "small").writing():
    print("holding", flush=True)
    sys.stdin.read()
"""
# Searches until told to stop. Every answer must be of one memory: all texts of one load, and as many as it had.
READS = """
import sys
from pathlib import Path
from core_search import SearchEngine, Settings
from tests.small import ask, route
seen = []
with SearchEngine(Settings(home=Path(sys.argv[1]))) as engine:
    print("ready", flush=True)
    while not Path(sys.argv[2]).exists():
        result = ask(engine, "small", "soup", route("exploratory"), episode_threshold=-1, rerank=False)
        words = sorted(episode.content for episode in result.episodes)
        loads = {word.split()[-1] for word in words}
        assert len(loads) == 1 and len(words) == 3, words
        seen.append(loads.pop())
print(",".join(dict.fromkeys(seen)))
"""


def soups(load: int):
    return bundle(
        episodes=tuple(episode(f"e{i}", f"Soup {i} of load-{load}", i) for i in range(3)),
        statements=(),
        documents=(),
    )


def test_another_process_that_writes_is_named_and_the_memory_can_be_read(copied, engine, python):
    holder = python(HOLDS, copied)
    try:
        assert holder.stdout.readline() == "holding\n"
        with pytest.raises(WorkspaceLocked, match=rf"'small' is being loaded.*process {holder.pid}, since.*try again"):
            engine.load(bundle(), replace=True)
        with pytest.raises(WorkspaceLocked):
            engine.rebuild("small")
        assert ask(engine, "small", "soup", route("exploratory")).episodes
        engine.load(bundle("other"), replace=True)
    finally:
        holder.kill()
        holder.communicate()
    assert engine.load(bundle(), replace=True).name == "small"  # the lock of a killed process is free


def test_readers_in_another_process_see_the_old_or_the_new_and_never_half(copied, engine, python, tmp_path):
    engine.load(soups(0), replace=True)
    stop = tmp_path / "stop"
    reader = python(READS, copied, stop)
    try:
        assert reader.stdout.readline() == "ready\n", reader.communicate()[1]
        for load in (1, 2, 3):
            engine.load(soups(load), replace=True)
    finally:
        stop.touch()
        out, errors = reader.communicate(timeout=120)
    assert reader.returncode == 0, errors
    seen = [int(name.removeprefix("load-")) for name in out.strip().split(",")]
    assert seen == sorted(seen)
    assert seen[-1] <= 3


def test_a_memory_that_is_read_is_deleted_by_its_last_reader(engine, copied):
    folder = WorkspaceFolder(copied, "small")
    old = folder.generation()
    with SearchEngine(Settings(home=copied)) as other:
        ask(other, "small", "soup")
        engine.load(bundle(), replace=True)
        assert old.is_dir()
        assert ask(other, "small", "soup", route("exploratory")).episodes
        assert not old.is_dir()
    assert [path.name for path in folder.folder.iterdir() if path.is_dir()] == [folder.generation().name]


def test_names_with_a_dot_do_not_share_a_lock(engine):
    with engine.folder("a.one").writing():
        assert engine.load(bundle("a.two")).name == "a.two"
