"""The copy of the rows says what the graph says (see conftest for the memory)."""

from __future__ import annotations

from pathlib import Path

import pytest

from core_search.errors import WorkspaceDamaged
from core_search.models import Memory
from core_search.stores.kuzu_graph import KuzuGraph
from core_search.stores.kuzu_rows import DOCUMENT, ENTITY, EPISODE, STATEMENT
from core_search.stores.mapped_rows import MappedRows


@pytest.fixture
def folder(small_memory: Memory, tmp_path: Path) -> Path:
    MappedRows.write(tmp_path / "rows", small_memory)
    return tmp_path / "rows"


def test_it_gives_the_rows_that_were_written(small_memory: Memory, folder: Path):
    rows = MappedRows.open(folder)
    assert rows is not None
    for table, values in (
        (EPISODE, small_memory.episodes),
        (STATEMENT, small_memory.statements),
        (DOCUMENT, small_memory.documents),
    ):
        keys = [getattr(value, "uuid", None) or value.id for value in reversed(values)]
        found = dict(rows.find(table, keys))
        assert list(found) == keys
        assert [table.value(row) for row in found.values()] == list(reversed(values))
    assert not rows.has(ENTITY)


@pytest.mark.parametrize("key", ["", "a", "e", "e10", "zz", "é", "\x00"])
def test_an_unknown_key_is_left_out(folder: Path, key: str):
    rows = MappedRows.open(folder)
    assert rows is not None
    assert [key for key, _ in rows.find(EPISODE, ["e2", key, "e1"])] == ["e2", "e1"]


def test_the_graph_answers_from_it(small_memory: Memory, small_graph: KuzuGraph, folder: Path, tmp_path: Path):
    with KuzuGraph.create(tmp_path / "graph.db") as graph:
        graph.write(small_memory)
    with KuzuGraph.open(tmp_path / "graph.db", rows=MappedRows.open(folder)) as graph:
        assert graph.episodes(["e3", "no", "e1", "e3"]) == small_graph.episodes(["e3", "no", "e1"])
        assert graph.statements(["t09", "t02"]) == small_graph.statements(["t09", "t02"])
        assert graph.documents(["d2"]) == small_graph.documents(["d2"])
        assert graph.entities(["bob"]) == small_graph.entities(["bob"])


def test_a_memory_of_before_has_none(tmp_path: Path):
    assert MappedRows.open(tmp_path / "rows") is None


def test_a_table_without_rows_is_left_to_the_graph(tmp_path: Path):
    MappedRows.write(tmp_path / "rows", Memory())
    rows = MappedRows.open(tmp_path / "rows")
    assert rows is not None
    assert not rows.has(EPISODE)


def test_a_damaged_file_is_told(folder: Path):
    (folder / "Episode.arrow").write_bytes(b"no such thing")
    with pytest.raises(WorkspaceDamaged, match="rebuild"):
        MappedRows.open(folder)
