"""A vector store with its rows mapped into memory: the copy answers what it can, the store the rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core_search.errors import StoreError
from core_search.models import Namespace
from core_search.stores import mapped_vectors
from core_search.stores.base import VectorRecord
from core_search.stores.chroma_vectors import ChromaVectors
from core_search.stores.id_filter import IdFilter
from core_search.stores.mapped_vectors import MappedVectors

EPISODE = Namespace.EPISODE
IDS = [f"e{row:03}" for row in range(200)]
ROWS = {id_: row for row, id_ in enumerate(IDS)}


class Counting(ChromaVectors):
    """Counts how often it is asked for vectors or searched."""

    asked = 0

    def vectors(self, *arguments, **named):
        self.asked += 1
        return super().vectors(*arguments, **named)

    def search(self, *arguments, **named):
        self.asked += 1
        return super().search(*arguments, **named)


@pytest.fixture(autouse=True)
def _a_small_store_is_as_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped_vectors, "FOUND_AT_ONCE", 10)


@pytest.fixture
def vectors() -> np.ndarray:
    points = np.random.default_rng(0).standard_normal((len(IDS), 8)).astype(np.float32)
    return points / np.linalg.norm(points, axis=1, keepdims=True)


def open_in(path: Path) -> MappedVectors:
    return MappedVectors(Counting.open(path / "vectors"), path / "copy")


@pytest.fixture
def filled(tmp_path: Path, vectors: np.ndarray) -> Iterator[MappedVectors]:
    """Written in two parts, closed and opened again."""
    store = open_in(tmp_path)
    store.add(EPISODE, IDS[:150], vectors[:150])
    store.add(EPISODE, IDS[150:], vectors[150:])
    store.close()
    store = open_in(tmp_path)
    yield store
    store.close()


def asked(store: MappedVectors) -> int:
    inner = store.store
    assert isinstance(inner, Counting)
    return inner.asked


def taking(*rows: int) -> IdFilter:
    mask = np.zeros(len(IDS), dtype=np.bool_)
    mask[list(rows)] = True
    return IdFilter(IDS, ROWS, mask)


def test_vectors_come_from_the_copy(filled: MappedVectors, vectors: np.ndarray):
    found = filled.vectors(EPISODE, ["e199", "unknown", "e000", "e199"])
    assert list(found) == ["e199", "e000"]
    np.testing.assert_array_equal(np.stack(list(found.values())), vectors[[199, 0]])
    assert asked(filled) == 0


def test_few_rows_behind_a_filter_are_scored_from_the_copy(filled: MappedVectors, vectors: np.ndarray):
    rows = [3, 77, 150, 199]
    hits = filled.search(EPISODE, vectors[77], 3, taking(*rows))
    cosines = {IDS[row]: float(vectors[row] @ vectors[77]) for row in rows}
    assert [hit.id for hit in hits] == sorted(cosines, key=cosines.__getitem__, reverse=True)[:3]
    assert [hit.cosine for hit in hits] == pytest.approx([cosines[hit.id] for hit in hits], abs=1e-6)
    assert filled.search(EPISODE, vectors[77], 3, taking(*rows), minimum=0.99)[0].id == "e077"
    assert filled.search(EPISODE, vectors[77], 3, taking()) == []
    assert asked(filled) == 0


def test_the_store_and_the_copy_agree(filled: MappedVectors, vectors: np.ndarray):
    some = taking(*range(0, 200, 7))
    from_copy = filled.search(EPISODE, vectors[5], 10, some)
    from_store = filled.store.search(EPISODE, vectors[5], 10, some)
    assert [hit.id for hit in from_copy] == [hit.id for hit in from_store]
    assert [hit.cosine for hit in from_copy] == pytest.approx([hit.cosine for hit in from_store], abs=1e-6)


def test_many_rows_are_left_to_the_index(filled: MappedVectors, vectors: np.ndarray, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mapped_vectors, "FEW_ROWS", 5)
    filled.search(EPISODE, vectors[0], 3, taking(*range(6)))
    filled.search(EPISODE, vectors[0], 3)
    filled.search(EPISODE, vectors[0], 3, lambda id_: id_ == "e001")
    monkeypatch.setattr(mapped_vectors, "FEW_ROWS", 12_000)
    filled.search(EPISODE, vectors[0], 3, taking(*range(100)))
    assert asked(filled) == 4


def test_rows_that_come_again_are_read_from_the_store(tmp_path: Path, filled: MappedVectors, vectors: np.ndarray):
    filled.add(EPISODE, ["e000"], vectors[1:2])
    np.testing.assert_allclose(filled.vectors(EPISODE, ["e000"])["e000"], vectors[1], atol=1e-6)
    filled.close()
    again = open_in(tmp_path)
    np.testing.assert_allclose(again.vectors(EPISODE, ["e000"])["e000"], vectors[1], atol=1e-6)
    assert asked(again) == 1
    again.close()


def test_an_id_that_is_written_twice_spoils_the_copy(tmp_path: Path, vectors: np.ndarray):
    store = open_in(tmp_path)
    store.add(EPISODE, IDS, vectors)
    store.add(EPISODE, ["e000"], vectors[1:2])
    store.close()
    assert list((tmp_path / "copy").iterdir()) == []
    again = open_in(tmp_path)
    np.testing.assert_allclose(again.vectors(EPISODE, ["e000"])["e000"], vectors[1], atol=1e-6)
    again.close()


def test_records_are_kept_by_the_store(tmp_path: Path, vectors: np.ndarray):
    store = open_in(tmp_path)
    store.add(EPISODE, IDS, vectors, [VectorRecord(valid_at=row) for row in range(len(IDS))])
    store.close()
    again = open_in(tmp_path)
    assert again.search(EPISODE, vectors[5], 1, taking(5))[0].record == VectorRecord(valid_at=5)
    again.close()


@pytest.mark.parametrize("damage", ["short rows", "no rows", "no ids", "garbage ids", "fewer ids"])
def test_a_copy_that_is_not_whole_is_not_used(tmp_path: Path, filled: MappedVectors, vectors: np.ndarray, damage: str):
    filled.close()
    rows, ids = tmp_path / "copy" / "EPISODE.f32", tmp_path / "copy" / "EPISODE.ids.json"
    if damage == "short rows":
        os.truncate(rows, 100)
    elif damage == "no rows":
        rows.unlink()
    elif damage == "no ids":
        ids.unlink()
    elif damage == "garbage ids":
        ids.write_bytes(b"\xff")
    else:
        ids.write_text('["e000"]')
    again = open_in(tmp_path)
    assert [hit.id for hit in again.search(EPISODE, vectors[5], 1, taking(5, 6))] == ["e005"]
    assert asked(again) == 1
    again.close()


def test_another_dimension_is_refused(filled: MappedVectors):
    with pytest.raises(StoreError, match="reembed"):
        filled.search(EPISODE, np.ones(3, np.float32), 1, taking(1))
    with pytest.raises(StoreError, match="finite"):
        filled.search(EPISODE, np.full(8, np.nan, np.float32), 1, taking(1))


def test_an_empty_namespace(filled: MappedVectors, vectors: np.ndarray):
    assert filled.vectors(Namespace.LABEL, ["a"]) == {}
    assert filled.search(Namespace.LABEL, vectors[0], 1, taking(1)) == []
    assert filled.count(EPISODE) == len(IDS)


def test_closed_twice(filled: MappedVectors):
    filled.close()
    filled.close()
    with pytest.raises(StoreError, match="closed"):
        filled.count(EPISODE)
