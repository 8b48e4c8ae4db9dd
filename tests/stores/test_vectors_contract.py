"""The contract of `VectorStore`, held by the embedded Chroma and by a real Chroma server."""

from __future__ import annotations

import itertools
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core_search.errors import StoreError, WorkspaceDamaged
from core_search.models import Namespace
from core_search.stores import chroma_vectors
from core_search.stores.base import VectorRecord, VectorStore
from core_search.stores.chroma_vectors import ChromaVectors

EPISODE = Namespace.EPISODE
_PREFIXES = (f"generation-{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Chroma server that runs for this module."""
    binary = shutil.which("chroma", path=os.path.dirname(sys.executable)) or shutil.which("chroma")
    if binary is None:
        pytest.skip("the chroma command is not installed: no server to test against")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    command = [binary, "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(300):
                if process.poll() is not None:
                    pytest.fail(f"chroma run ended: {(folder / 'log').read_text()[-2000:]}")
                try:
                    urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=1).close()
                    break
                except (urllib.error.URLError, TimeoutError):
                    time.sleep(0.1)
            else:
                pytest.fail("the Chroma server did not answer within 30 s")
            yield url
        finally:
            process.terminate()


@pytest.fixture(params=["embedded", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChromaVectors]:
    """An empty store."""
    if request.param == "embedded":
        opened = ChromaVectors.open(tmp_path / "vectors")
    else:
        opened = ChromaVectors.connect(request.getfixturevalue("server"), next(_PREFIXES))
    yield opened
    opened.close()


def clustered(rows: int, seed: int, dimension: int = 32, clusters: int = 20) -> np.ndarray:
    """Unit vectors around a few centres, as the embeddings of real texts are; the centres do not depend on the seed."""
    centres = np.random.default_rng(0).standard_normal((clusters, dimension))
    chance = np.random.default_rng(seed)
    points = centres[chance.integers(clusters, size=rows)] + 0.5 * chance.standard_normal((rows, dimension))
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


def fill(store: VectorStore, vectors: np.ndarray) -> list[str]:
    ids = [f"e{row:05d}" for row in range(len(vectors))]
    store.add(EPISODE, ids, vectors)
    return ids


def by_hand(vectors: np.ndarray, query: np.ndarray, rows: list[int], limit: int) -> list[str]:
    """The ids of the `limit` nearest of the given rows, ties by id."""
    cosines = (vectors[rows].astype(np.float64) * query.astype(np.float64)).sum(axis=1)
    return [f"e{row:05d}" for _, row in sorted(zip((-cosines).tolist(), rows, strict=True))[:limit]]


def unit(*values: float) -> np.ndarray:
    vector = np.asarray(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_cosine_order_and_ties_by_id(store: ChromaVectors) -> None:
    rows = np.stack([unit(1, 0), unit(0, 1), unit(1, 1), unit(0, 1), unit(-1, 0)])
    store.add(EPISODE, ["a", "d", "b", "c", "e"], rows)
    hits = store.search(EPISODE, unit(1, 0), 5)
    assert [hit.id for hit in hits] == ["a", "b", "c", "d", "e"]
    assert [hit.cosine for hit in hits] == pytest.approx([1, 0.5**0.5, 0, 0, -1], abs=1e-7)


def test_minimum_is_reached_or_passed(store: ChromaVectors) -> None:
    store.add(EPISODE, ["near", "far"], np.stack([unit(1, 0), unit(0, 1)]))
    assert [hit.id for hit in store.search(EPISODE, unit(1, 0), 5, minimum=1.0)] == ["near"]
    assert store.search(EPISODE, unit(-1, 0), 5, minimum=0.5) == []
    assert store.search(EPISODE, unit(1, 0), 0) == []


def test_an_empty_namespace_has_nothing(store: ChromaVectors) -> None:
    assert store.search(EPISODE, unit(1, 0), 5) == []
    assert store.vectors(EPISODE, ["a"]) == {}
    assert store.count(EPISODE) == 0
    store.add(EPISODE, [], np.empty((0, 2), np.float32), [])
    assert store.count(EPISODE) == 0


def test_namespaces_are_apart(store: ChromaVectors) -> None:
    store.add(Namespace.ENTITY, ["x"], unit(1, 0)[None])
    store.add(Namespace.LABEL, ["x"], unit(0, 0, 1)[None])
    assert store.count(EPISODE) == 0
    assert [hit.cosine for hit in store.search(Namespace.LABEL, unit(0, 0, 1), 5)] == pytest.approx([1])


def test_adding_again_overwrites(store: ChromaVectors) -> None:
    store.add(EPISODE, ["a"], unit(1, 0)[None], [VectorRecord(valid_at=1)])
    assert store.search(EPISODE, unit(0, 1), 1)[0].cosine == pytest.approx(0, abs=1e-7)
    store.add(EPISODE, ["a"], unit(0, 1)[None], [VectorRecord(valid_at=2, end_user_id="u", aspect="Goal")])
    (hit,) = store.search(EPISODE, unit(0, 1), 5)
    assert (hit.id, hit.record) == ("a", VectorRecord(2, "u", "Goal"))
    assert hit.cosine == pytest.approx(1)


def test_records_and_vectors_come_back(store: ChromaVectors) -> None:
    record = VectorRecord(valid_at=1_767_225_599_999_999, end_user_id="u\0'\"; é 🐍", aspect="Preference")
    store.add(EPISODE, ["a"], unit(1, 2, 3)[None], [record])
    assert store.search(EPISODE, unit(1, 0, 0), 1)[0].record == record
    found = store.vectors(EPISODE, ["a", "unknown", "a"])
    store.add(EPISODE, ["b"], unit(-1, 0, 0)[None])
    assert store.search(EPISODE, unit(-1, 0, 0), 1)[0].record == VectorRecord()
    assert list(found) == ["a"]
    assert store.vectors(EPISODE, ["unknown"]) == store.vectors(EPISODE, []) == {}
    np.testing.assert_allclose(found["a"], unit(1, 2, 3), rtol=0, atol=1e-7)
    assert found["a"].dtype == np.float32


@pytest.mark.parametrize(
    "id", ["'; DROP TABLE embeddings; --", '{"$ne": ""}', "会議 🐍 é", "a\0b", "x" * 512, " ", "%"]
)
def test_any_id_works(store: ChromaVectors, id: str) -> None:
    store.add(EPISODE, [id, "other"], np.stack([unit(1, 0), unit(0, 1)]))
    assert [hit.id for hit in store.search(EPISODE, unit(1, 0), 1)] == [id]
    assert list(store.vectors(EPISODE, [id])) == [id]


def test_small_namespaces_are_exact_even_where_texts_repeat(store: ChromaVectors) -> None:
    vectors = clustered(3_000, seed=1)
    vectors[500:1_000] = vectors[500]
    fill(store, vectors)
    for query in [*clustered(10, seed=2), vectors[500]]:
        hits = store.search(EPISODE, query, 20)
        assert [hit.id for hit in hits] == by_hand(vectors, query, list(range(3_000)), 20)
    assert len({hit.id for hit in store.search(EPISODE, vectors[0], 5_000)}) == 3_000


def test_the_filter_does_not_act_on_a_cut_list(store: ChromaVectors) -> None:
    vectors = clustered(1_000, seed=3)
    fill(store, vectors)
    query = clustered(1, seed=4)[0]
    wanted = set(np.argsort(vectors @ query)[:5].tolist())  # the least similar of all
    hits = store.search(EPISODE, query, 3, accepts=lambda id: int(id[1:]) in wanted)
    assert [hit.id for hit in hits] == by_hand(vectors, query, sorted(wanted), 3)
    assert store.search(EPISODE, query, 3, accepts=lambda id: False) == []


@pytest.fixture
def indexed(store: ChromaVectors, monkeypatch: pytest.MonkeyPatch) -> ChromaVectors:
    """A store that answers with Chroma's index what has more than 500 rows."""
    monkeypatch.setattr(chroma_vectors, "EXACT_UP_TO", 500)
    return store


def test_large_namespaces_find_nearly_all(indexed: ChromaVectors) -> None:
    vectors = clustered(3_000, seed=5)
    fill(indexed, vectors)
    found = 0
    for query in clustered(20, seed=6):
        hits = indexed.search(EPISODE, query, 20)
        assert [hit.cosine for hit in hits] == sorted((hit.cosine for hit in hits), reverse=True)
        found += len({hit.id for hit in hits} & set(by_hand(vectors, query, list(range(3_000)), 20)))
    assert found >= 0.95 * 20 * 20


def test_large_namespaces_page_on_behind_a_filter(indexed: ChromaVectors) -> None:
    vectors = clustered(3_000, seed=7)
    fill(indexed, vectors)
    query = clustered(1, seed=8)[0]
    order = np.argsort(vectors @ query)[::-1]
    within_reach = set(order[300:310].tolist())
    hits = indexed.search(EPISODE, query, 10, accepts=lambda id: int(id[1:]) in within_reach)
    assert [hit.id for hit in hits] == by_hand(vectors, query, sorted(within_reach), 10)
    last = set(order[-5:].tolist())
    hits = indexed.search(EPISODE, query, 10, accepts=lambda id: int(id[1:]) in last)
    assert [hit.id for hit in hits] == by_hand(vectors, query, sorted(last), 5)


def test_large_namespaces_give_every_row_when_asked(indexed: ChromaVectors) -> None:
    vectors = clustered(3_000, seed=9)
    vectors[:400] = vectors[0]  # rows that the index does not reach
    fill(indexed, vectors)
    assert len({hit.id for hit in indexed.search(EPISODE, vectors[1_000], 3_000)}) == 3_000
    assert [hit.id for hit in indexed.search(EPISODE, vectors[0], 400)] == [f"e{row:05d}" for row in range(400)]


def test_large_namespaces_stop_at_the_minimum(indexed: ChromaVectors) -> None:
    vectors = clustered(1_000, seed=10)
    fill(indexed, vectors)
    query = vectors[0]
    near = [row for row in range(1_000) if vectors[row] @ query >= 0.9]
    assert 0 < len(near) < 200
    assert [hit.id for hit in indexed.search(EPISODE, query, 200, minimum=0.9)] == by_hand(vectors, query, near, 200)


def test_more_rows_than_a_batch(store: ChromaVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma_vectors, "_BATCH", 7)
    monkeypatch.setattr(chroma_vectors, "_BATCH_BYTES", 5 * 32 * 4)
    vectors = clustered(100, seed=11)
    ids = fill(store, vectors)
    assert store.count(EPISODE) == 100
    found = store.vectors(EPISODE, ids)
    np.testing.assert_allclose(np.stack([found[id] for id in ids]), vectors, rtol=0, atol=1e-7)
    assert len(store.search(EPISODE, vectors[0], 1_000)) == 100


def test_a_zero_vector_is_like_nothing(store: ChromaVectors) -> None:
    store.add(EPISODE, ["zero", "one"], np.asarray([[0, 0], [1, 0]], np.float32))
    assert {hit.id: hit.cosine for hit in store.search(EPISODE, unit(1, 0), 2)} == {"zero": 0.0, "one": 1.0}
    assert [hit.cosine for hit in store.search(EPISODE, np.zeros(2, np.float32), 2)] == [0.0, 0.0]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused(store: ChromaVectors, value: float) -> None:
    bad = np.asarray([1, value], np.float32)
    with pytest.raises(StoreError, match="'bad'"):
        store.add(EPISODE, ["good", "bad"], np.stack([unit(1, 0), bad]))
    assert store.count(EPISODE) == 0
    with pytest.raises(StoreError, match="finite"):
        store.search(EPISODE, bad, 5)


@pytest.mark.parametrize("exact", [True, False])
def test_another_dimension_is_refused_with_both(
    store: ChromaVectors, monkeypatch: pytest.MonkeyPatch, exact: bool
) -> None:
    monkeypatch.setattr(chroma_vectors, "EXACT_UP_TO", 500 if exact else 0)
    store.add(EPISODE, ["a"], unit(1, 0)[None])
    with pytest.raises(StoreError, match=r"(?s)\b2\b.*\b3\b.*reembed"):
        store.add(EPISODE, ["b"], unit(1, 0, 0)[None])
    if not exact:
        monkeypatch.setattr(chroma_vectors, "EXACT_UP_TO", 8)
        monkeypatch.setattr(ChromaVectors, "count", lambda self, namespace: 9)
    with pytest.raises(StoreError, match=r"(?s)\b2\b.*\b3\b.*reembed"):
        store.search(EPISODE, unit(1, 0, 0), 1)


def test_rows_must_fit_together(store: ChromaVectors) -> None:
    with pytest.raises(StoreError, match="2 ids, 1 of them distinct"):
        store.add(EPISODE, ["a", "a"], np.stack([unit(1, 0)] * 2))
    with pytest.raises(StoreError, match="1 ids"):
        store.add(EPISODE, ["a"], np.stack([unit(1, 0)] * 2))
    with pytest.raises(StoreError, match="1 records"):
        store.add(EPISODE, ["a", "b"], np.stack([unit(1, 0)] * 2), [VectorRecord()])
    with pytest.raises(StoreError, match="shape"):
        store.search(EPISODE, np.zeros((1, 2), np.float32), 1)


def test_a_surrogate_is_a_store_error(store: ChromaVectors) -> None:
    with pytest.raises(StoreError):
        store.add(EPISODE, ["\ud800"], unit(1, 0)[None])


def test_many_threads_read_the_same(store: ChromaVectors) -> None:
    vectors = clustered(500, seed=12)
    fill(store, vectors)
    query = clustered(1, seed=13)[0]
    expected = by_hand(vectors, query, list(range(500)), 10)
    answers: list[list[str]] = []

    def search() -> None:
        for _ in range(5):
            answers.append([hit.id for hit in store.search(EPISODE, query, 10)])

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 20


def test_dropped_rows_are_gone(store: ChromaVectors) -> None:
    fill(store, clustered(10, seed=14))
    store.drop()
    assert store.count(EPISODE) == 0
    store.add(EPISODE, ["a"], unit(1, 0)[None])
    assert [hit.id for hit in store.search(EPISODE, unit(1, 0), 5)] == ["a"]


def test_a_closed_store_says_so(store: ChromaVectors) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.search(EPISODE, unit(1, 0), 1)


# ---------------------------------------------------------------- embedded


def test_rows_outlive_the_client(tmp_path: Path) -> None:
    first = ChromaVectors.open(tmp_path / "ve ü")
    vectors = clustered(1_200, seed=15)
    fill(first, vectors)
    before = first.search(EPISODE, vectors[7], 20)
    first.close()
    again = ChromaVectors.open(tmp_path / "ve ü")
    assert again.search(EPISODE, vectors[7], 20) == before
    again.close()


def test_one_client_a_folder_however_it_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "vectors")
    first = ChromaVectors.open(tmp_path / "vectors")
    second = ChromaVectors.open(tmp_path / "link" / ".." / "vectors")
    third = ChromaVectors.open(tmp_path / "link")
    first.add(EPISODE, ["a"], unit(1, 0)[None])
    assert [hit.id for hit in second.search(EPISODE, unit(1, 0), 1)] == ["a"]
    second.add(EPISODE, ["a"], unit(0, 1)[None])
    assert third.search(EPISODE, unit(0, 1), 1)[0].cosine == pytest.approx(1)
    first.close()
    second.close()
    assert third.search(EPISODE, unit(0, 1), 1)[0].cosine == pytest.approx(1)
    third.close()


def test_threads_that_open_at_once(tmp_path: Path) -> None:
    opened: list[ChromaVectors] = []
    threads = [
        threading.Thread(target=lambda: opened.append(ChromaVectors.open(tmp_path / "vectors"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.count(EPISODE) for store in opened] == [0] * 8
    for store in opened:
        store.close()


def test_a_folder_replaced_under_an_open_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    store = ChromaVectors.open(path)
    path.rename(tmp_path / "old")
    with pytest.raises(StoreError, match="replaced"):
        ChromaVectors.open(path)
    store.close()
    fresh = ChromaVectors.open(path)
    assert fresh.count(EPISODE) == 0
    fresh.close()


@pytest.mark.parametrize("damage", ["no database", "empty database", "garbage database", "no segment", "short vectors"])
def test_damaged_files_name_the_remedy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "vectors"
    store = ChromaVectors.open(path)
    fill(store, clustered(1_200, seed=16))
    store.close()
    database = path / "chroma.sqlite3"
    (segment,) = (entry for entry in path.iterdir() if entry.is_dir())
    if damage == "no database":
        database.unlink()
    elif damage == "empty database":
        os.truncate(database, 0)
    elif damage == "garbage database":
        database.write_bytes(os.urandom(database.stat().st_size))
    elif damage == "no segment":
        shutil.rmtree(segment)
    else:
        os.truncate(segment / "data_level0.bin", 1_000)
    with pytest.raises(WorkspaceDamaged, match="core-search rebuild") as caught:
        ChromaVectors.open(path).search(EPISODE, clustered(1, seed=17)[0], 5)
    assert str(path) in str(caught.value)


# ---------------------------------------------------------------- server


def test_prefixes_are_apart(server: str) -> None:
    old, new = ChromaVectors.connect(server, "ws.1"), ChromaVectors.connect(server + "/", "ws.2")
    old.add(EPISODE, ["a"], unit(1, 0)[None])
    new.add(EPISODE, ["b"], unit(1, 0)[None])
    old.drop()
    assert (old.count(EPISODE), new.count(EPISODE)) == (0, 1)
    old.close()
    new.close()


def test_a_server_takes_large_vectors_in_parts(server: str) -> None:
    store = ChromaVectors.connect(server, "large")
    vectors = clustered(2_500, seed=18, dimension=3_072)
    fill(store, vectors)
    assert store.count(EPISODE) == 2_500
    store.close()


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", ""])
def test_what_is_not_an_address(url: str) -> None:
    with pytest.raises(StoreError, match="http://localhost:8000"):
        ChromaVectors.connect(url, "x")


def test_no_server_and_no_password_in_the_message() -> None:
    with pytest.raises(StoreError, match="chroma run") as caught:
        ChromaVectors.connect("http://user:hunter2@127.0.0.1:1", "x")
    assert "hunter2" not in str(caught.value)


def test_a_prefix_that_is_no_name(server: str) -> None:
    with pytest.raises(StoreError, match="'a b'"):
        ChromaVectors.connect(server, "a b")
