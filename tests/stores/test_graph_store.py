"""A graph as a file: written whole or not at all, read by many, locked, damaged, closed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import ModuleType

import pytest

from core_search.errors import StampMismatch, StoreError, WorkspaceDamaged, WorkspaceLocked
from core_search.models import Aspect, Document, Entity, Episode, Label, Memory, Statement
from core_search.stores.base import Scope
from core_search.stores.kuzu_connection import MAGIC, acquire, release
from core_search.stores.kuzu_graph import KuzuGraph

NOON = datetime(2024, 1, 1, 12, tzinfo=UTC)
EMPTY = {"episodes": 0, "entities": 0, "statements": 0, "labels": 0, "documents": 0}


def episode(uuid: str, **more: object) -> Episode:
    return Episode.model_validate({"uuid": uuid, "content": uuid, "created_at": NOON, "valid_at": NOON, **more})


def statement(uuid: str, **more: object) -> Statement:
    return Statement.model_validate({"uuid": uuid, "fact": uuid, "aspect": "Event", "valid_at": NOON, **more})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


# ------------------------------------------------------------ writing


@pytest.mark.parametrize(
    "text",
    [
        "x'}) DETACH DELETE n //",
        'x"}) MATCH (n) DETACH DELETE n RETURN "',
        "$key",
        "\\",
        "`",
        "{uuid: 1}",
        "a\0b",
        "; DROP TABLE Episode;",
        "%s {} \n\r\t",
        "🍵 été שלום",
    ],
)
def test_text_is_never_a_statement(path: Path, graph_engine: str, text: str) -> None:
    memory = Memory(
        labels=[Label(id=text, name=text)],
        episodes=[episode(text, session_id=text, end_user_id=text, label_ids=[text])],
        entities=[Entity(uuid=text, name=text, type="Person", attributes={text: text})],
        statements=[statement(text, subject=text, episode_uuids=[text])],
        documents=[
            Document(id=text, session_id=text, content=text, label_ids=[text], created_at=NOON, updated_at=NOON)
        ],
    )
    scope = Scope(at=NOON, label_ids=(text,), end_user_ids=(text,))
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(memory)
        assert graph.episodes([text]) == {text: memory.episodes[0]}
        assert graph.episodes_by_aspect(scope, [Aspect.EVENT], 5).hits[0].id == text
        assert graph.episodes_by_entity([text], scope, [], 5).hits[0].id == text
        assert graph.documents_by_label(scope, 5).hits[0].id == text
        assert graph.session_episodes(text) == [text]
        assert graph.facets(scope).topics == ((text, 1),)
        assert graph.memory() == memory


def test_a_write_reports_progress(path: Path, graph_engine: str, small_memory: Memory) -> None:
    calls: list[tuple[str, int, int]] = []
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory, lambda *call: calls.append(call))
    assert calls[:2] == [("Label", 3, 3), ("Episode", 8, 8)]


def test_no_write_log_remains(path: Path, graph_engine: str, small_memory: Memory) -> None:
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory)
        assert os.listdir(path.parent) == [path.name]
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    ("memory", "named"),
    [
        (Memory(episodes=[episode("e", label_ids=["gone"])]), "gone"),
        (Memory(episodes=[episode("e")], statements=[statement("s", subject="gone")]), "gone"),
        (Memory(episodes=[episode("e")], statements=[statement("s", episode_uuids=["e", "gone"])]), "gone"),
        (Memory(episodes=[episode("twice"), episode("twice")]), "twice"),
        (Memory(labels=[Label(id="l", name="n")], episodes=[episode("e", content="\ud800")]), "'e'"),
        (Memory(episodes=[episode("e", valid_at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))))]), "'e'"),
    ],
    ids=["label", "entity", "episode", "twice", "lone surrogate", "before year 1"],
)
def test_a_refused_memory_leaves_nothing(
    path: Path, graph_engine: str, small_memory: Memory, memory: Memory, named: str
) -> None:
    with KuzuGraph.create(path, graph_engine) as graph:
        with pytest.raises(StoreError, match=named):
            graph.write(memory)
        assert graph.counts() == EMPTY
        graph.write(small_memory)
        assert graph.memory() == small_memory


def test_an_interrupted_write_leaves_nothing(path: Path, graph_engine: str, small_memory: Memory) -> None:
    def interrupt(what: str, done: int, total: int) -> None:
        if what == "HAS_LABEL":
            raise KeyboardInterrupt

    with KuzuGraph.create(path, graph_engine) as graph:
        with pytest.raises(KeyboardInterrupt):
            graph.write(small_memory, interrupt)
        assert graph.counts() == EMPTY


def test_only_an_empty_new_graph_is_written(path: Path, graph_engine: str, small_memory: Memory) -> None:
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory)
        with pytest.raises(StoreError, match="rows already"):
            graph.write(small_memory)
        with KuzuGraph.open(path, graph_engine) as reader, pytest.raises(StoreError, match="open to read"):
            reader.write(small_memory)
    with pytest.raises(StoreError, match="exists already"):
        KuzuGraph.create(path, graph_engine)
    with pytest.raises(StoreError, match="cannot make a graph"):
        KuzuGraph.create(path.parent / "no" / "folder" / "graph.db", graph_engine)


# ------------------------------------------------------------ many readers, one database


def test_eight_threads_read_the_same(small_graph: KuzuGraph) -> None:
    scope = Scope(at=NOON + timedelta(days=200))

    def read(_: int) -> tuple[object, ...]:
        return (
            small_graph.episodes_by_aspect(scope, [], 20),
            small_graph.episodes_by_entity(["alice", "tea"], scope, [], 20),
            small_graph.links_of(["tea"], scope, 5),
            small_graph.facets(scope),
            small_graph.episodes(["e1", "e2"]),
        )

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(read, range(40)))
    assert all(result == results[0] for result in results)


def test_a_file_is_opened_once_in_a_process(path: Path, graph_engine: str, small_memory: Memory) -> None:
    writer = KuzuGraph.create(path, graph_engine)
    writer.write(small_memory)
    (link := path.with_name("link.db")).symlink_to(path)
    readers = [KuzuGraph.open(path, graph_engine), KuzuGraph.open(link, graph_engine)]
    assert len({id(graph._database) for graph in (writer, *readers)}) == 1
    writer.close()
    writer.close()
    readers[0].close()
    assert readers[1].counts()["episodes"] == 8
    with pytest.raises(StoreError, match="is closed"):
        writer.counts()
    readers[1].close()
    with pytest.raises(StoreError, match="is closed"):
        readers[1].counts()


def test_a_file_that_took_the_place_of_another_is_another(path: Path, graph_engine: str, small_memory: Memory) -> None:
    aside = path.with_name("aside.db")
    for where, memory in ((path, small_memory), (aside, Memory(episodes=[episode("new")]))):
        with KuzuGraph.create(where, graph_engine) as graph:
            graph.write(memory)
    with KuzuGraph.open(path, graph_engine) as old:
        os.replace(aside, path)
        with KuzuGraph.open(path, graph_engine) as new:
            assert (old.counts()["episodes"], new.counts()["episodes"]) == (8, 1)


def test_closing_waits_for_a_request(path: Path, graph_engine: str) -> None:
    KuzuGraph.create(path, graph_engine).close()
    shared = acquire(path, graph_engine)
    closing = threading.Thread(target=release, args=(shared,))
    with shared.session() as session:
        closing.start()
        time.sleep(0.05)
        assert closing.is_alive()
        assert session.run("RETURN 1") == [[1]]
    closing.join(5)
    assert not closing.is_alive()
    with pytest.raises(StoreError, match="is closed"), shared.session():
        pass


def test_a_long_statement_is_stopped(path: Path, graph_engine: str) -> None:
    KuzuGraph.create(path, graph_engine).close()
    shared = acquire(path, graph_engine)
    try:
        with shared.session(timeout_ms=20) as session, pytest.raises(StoreError, match="stopped after 20 ms"):
            session.run("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b % 7)")
    finally:
        release(shared)


# ------------------------------------------------------------ other processes

HOLDER = """
import sys
from pathlib import Path
from core_search.stores.kuzu_graph import KuzuGraph
how, path, engine = sys.argv[1:]
graph = getattr(KuzuGraph, how)(Path(path), engine)
print("ready", flush=True)
sys.stdin.read()
graph.close()
"""


@contextmanager
def held_by_another_process(how: str, path: Path, engine: str) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, how, str(path), engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"ready"
        yield
        holder.communicate()
    assert holder.returncode == 0


def test_a_graph_that_another_process_writes_is_locked(path: Path, graph_engine: str) -> None:
    if graph_engine == "ladybug":
        pytest.skip("ladybug lets others read while one process writes")
    with held_by_another_process("create", path, graph_engine), pytest.raises(WorkspaceLocked, match="another process"):
        KuzuGraph.open(path, graph_engine)
    KuzuGraph.open(path, graph_engine).close()


def test_two_processes_read(path: Path, graph_engine: str, small_memory: Memory) -> None:
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory)
    with held_by_another_process("open", path, graph_engine), KuzuGraph.open(path, graph_engine) as graph:
        assert graph.counts()["episodes"] == 8


# ------------------------------------------------------------ files and engines that do not fit


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("this is no database " * 500)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def missing(path: Path) -> None:
    path.unlink()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:6000])


def with_a_log(path: Path) -> None:
    path.with_name(path.name + ".wal").write_bytes(b"rows of another database")


@pytest.mark.parametrize("damage", [empty, text, folder, missing, truncated, with_a_log])
def test_a_damaged_graph_says_so(
    path: Path, graph_engine: str, small_memory: Memory, damage: Callable[[Path], None]
) -> None:
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory)
    damage(path)
    before = sorted(os.listdir(path.parent))
    with pytest.raises(WorkspaceDamaged, match=r"graph\.db.*(--replace|core-search rebuild)"):
        KuzuGraph.open(path, graph_engine)
    assert sorted(os.listdir(path.parent)) == before


def test_the_file_of_another_engine(path: Path, graph_engine: str) -> None:
    [(other, magic)] = [(name, magic) for name, magic in MAGIC.items() if name != graph_engine]
    path.write_bytes(magic + bytes(5000))
    with pytest.raises(StampMismatch, match=f"CORE_SEARCH_GRAPH={other}"):
        KuzuGraph.open(path, graph_engine)


def test_one_engine_a_process(path: Path, graph_engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(name for name in MAGIC if name != graph_engine)
    monkeypatch.setitem(sys.modules, other, ModuleType(other))
    with pytest.raises(StoreError, match="another process"):
        KuzuGraph.create(path, graph_engine)


def test_an_engine_that_is_not_there(path: Path, graph_engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, graph_engine, None)
    with pytest.raises(StoreError, match="pip install"):
        KuzuGraph.create(path, graph_engine)
    with pytest.raises(StoreError, match="known are kuzu, ladybug"):
        KuzuGraph.create(path, "neo4j")
