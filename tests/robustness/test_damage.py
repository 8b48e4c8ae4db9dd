"""Point 2: files that are not what was written. The graph is the truth; everything else comes back by `rebuild`."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core_search import SearchEngine, Settings
from core_search.errors import CoreSearchError, StoreError, WorkspaceDamaged
from core_search.providers.build import build_providers
from core_search.records import Records
from core_search.stores.seal import SEAL
from core_search.workspace import WorkspaceFolder
from tests.small import ask, bundle, episode, route, uuids

Break = Callable[[Path], object]


def garbage(path: Path) -> None:
    """A third of the file, from its middle on, in other bytes; its size stays."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(random.Random(7).randbytes(max(1, size // 3)))


def half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


WAYS: tuple[Break, ...] = (garbage, half, empty, Path.unlink)
REBUILT = (
    ("columns/statements.arrow", garbage),
    ("columns/episodes.arrow", Path.unlink),
    ("lexical/episode/ids.json", half),
    ("lexical/window/data.csc.index.npy", garbage),
    ("lexical/statement/vocab.index.json", empty),
    ("rows/Episode.arrow", garbage),
    ("vector-copy/EPISODE.f32", garbage),
    ("vector-copy/LABEL.ids.json", Path.unlink),
    *(("vectors/chroma.sqlite3", way) for way in WAYS),
)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_graph_is_told_before_the_engine_meets_it(generation, engine, way):
    way(generation / "graph.db")
    for attempt in (
        lambda: ask(engine, "small", "soup"),
        lambda: engine.export("small"),
        lambda: engine.rebuild("small"),
    ):
        with pytest.raises(WorkspaceDamaged, match=r"'small': 'graph.db' .*--replace"):
            attempt()
    assert ask(engine, "other", "soup", route("exploratory")).episodes  # the others and the process go on
    engine.load(bundle(), replace=True)
    assert ask(engine, "small", "soup", route("exploratory")).episodes


@pytest.mark.parametrize(("file", "way"), REBUILT)
def test_what_is_made_from_the_graph_is_made_again_from_it(generation, engine, made, file, way):
    way(generation / file)
    # SQLite checks a page when it reads it: what this search did not read may be wrong, and nobody notices.
    unread = contextlib.nullcontext() if (file, way) == ("vectors/chroma.sqlite3", garbage) else None
    with unread or pytest.raises(CoreSearchError, match="core-search rebuild"), contextlib.ExitStack() as passes:
        if unread:
            passes.enter_context(contextlib.suppress(WorkspaceDamaged))
        ask(engine, "small", "soup", route("exploratory"))
    engine.rebuild("small")
    with SearchEngine(Settings(home=made)) as whole:
        for output in (route("exploratory"), route("aspect_query", aspects=["Belief"])):
            assert uuids(ask(engine, "small", "soup", output)) == uuids(ask(whole, "small", "soup", output))


def test_a_stray_write_log_is_not_replayed_and_a_rebuild_leaves_it_behind(generation, engine):
    (generation / "graph.db.wal").write_bytes(random.Random(7).randbytes(5_000))
    with pytest.raises(WorkspaceDamaged, match=r"graph.db.wal.*core-search rebuild"):
        ask(engine, "small", "soup")
    engine.rebuild("small")
    assert engine.export("small").memory == engine.export("other").memory


def test_strange_files_beside_the_stores_change_nothing(generation, engine):
    for name in ("graph.db.shadow", "graph.db.tmp", "vectors/left.over", "lexical/x", "columns/.y"):
        (generation / name).write_bytes(b"\0garbage" * 1_000)
    assert ask(engine, "small", "soup", route("exploratory")).episodes


def test_a_copied_folder_is_the_same_memory(copied, tmp_path):
    shutil.copytree(copied, tmp_path / "moved", copy_function=shutil.copyfile)  # with other times
    with SearchEngine(Settings(home=tmp_path / "moved")) as engine:
        assert ask(engine, "small", "soup", route("exploratory")).episodes


def test_without_a_seal_the_stores_are_read_in_another_process_first(generation, engine):
    (generation / SEAL).unlink()
    (WorkspaceFolder(engine.settings.home, "other").generation() / SEAL).unlink()
    garbage(generation / "graph.db")
    with pytest.raises(WorkspaceDamaged, match=r"'graph.db' cannot be read.*--replace"):
        ask(engine, "small", "soup")
    assert ask(engine, "other", "soup", route("exploratory")).episodes


def test_a_seal_that_cannot_be_read_says_what_to_do(generation, engine):
    half(generation / SEAL)
    with pytest.raises(WorkspaceDamaged, match=r"'seal.json' cannot be read.*delete that file"):
        ask(engine, "small", "soup")


class Spread:
    """Stands in for the embedding model: the vector of a text follows from its length."""

    model, dimension = "spread", 8

    def __init__(self, profile):
        self.profile = profile

    def embed(self, texts):
        vectors = np.array([np.sin(np.arange(1, 9) * (1 + len(text))) for text in texts], dtype=np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True) if len(texts) else np.empty((0, 8), np.float32)


def test_garbage_in_an_index_of_chroma_does_not_end_the_process(tmp_path):
    settings = Settings(home=tmp_path)
    providers = build_providers(settings)
    providers = dataclasses.replace(providers, embedder=Spread(providers.embedder.profile))
    many = tuple(episode(f"e{i}", "soup " * (1 + i % 90), i % 40) for i in range(2_100))  # Chroma writes at 1,000
    with SearchEngine(settings, providers) as engine:
        engine.load(bundle(episodes=many, statements=(), documents=()))
        [index] = [
            path.parent / "data_level0.bin"
            for path in engine.folder("small").generation().glob("vectors/*/index_metadata.pickle")
        ]
        before = uuids(ask(engine, "small", "soup", route("exploratory")))
        engine.close()
        garbage(index)
        with pytest.raises(WorkspaceDamaged, match="core-search rebuild"):
            ask(engine, "small", "soup")
        engine.rebuild("small")
        assert uuids(ask(engine, "small", "soup", route("exploratory"))) == before


@pytest.mark.parametrize("way", [garbage, half, empty])
def test_a_damaged_database_of_runs_costs_no_memory(copied, engine, way):
    records = Records(Settings(home=copied))
    result = ask(engine, "small", "soup")
    for _ in range(20):
        records.save(result)
    records.database.close()
    with sqlite3.connect(copied / "records.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    way(copied / "records.db")
    fine = contextlib.nullcontext() if way is empty else pytest.raises(StoreError, match=r"a copy|the search again")
    with fine, contextlib.closing(records.database):
        for head in records.recent():
            records.load(head.id)
    assert ask(engine, "small", "soup", route("exploratory")).episodes


@pytest.mark.parametrize("file", ["queries.jsonl", "qrels.txt", "workspace.json"])
def test_damaged_small_files_are_named_and_the_others_listed(generation, engine, file):
    (generation / file).write_bytes(b"\xff\xfe{ not this")
    with pytest.raises(WorkspaceDamaged, match=file):
        engine.export("small")
    assert "other" in [meta.name for meta in engine.workspaces()]
    assert len(engine.unreadable()) == (file == "workspace.json")


def test_a_pointer_that_is_garbage_says_how_to_go_on(copied, engine):
    (copied / "workspaces" / "small" / "current").write_bytes(b"\xff\xfe\0")
    with pytest.raises(WorkspaceDamaged, match="--replace"):
        ask(engine, "small", "soup")
    engine.load(bundle(), replace=True)
    assert ask(engine, "small", "soup", route("exploratory")).episodes
