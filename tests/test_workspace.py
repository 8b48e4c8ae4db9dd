from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from core_search import SearchEngine, Settings
from core_search.errors import StampMismatch, UnknownWorkspace, UsageError, WorkspaceDamaged, WorkspaceLocked
from core_search.models import Label
from core_search.workspace import META, WorkspaceFolder, checked_name
from tests.small import ask, bundle, route


@pytest.fixture
def engine(tmp_path):
    with SearchEngine(Settings(home=tmp_path)) as engine:
        yield engine


def files(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if "tiktoken" not in str(path))


def test_a_loaded_workspace_is_listed_with_its_stamp_and_counts(engine):
    engine.load(bundle())
    [meta] = engine.workspaces()
    assert meta.counts == {"episodes": 6, "entities": 7, "statements": 9, "labels": 2, "documents": 1}
    assert (meta.embedding_model, meta.embedding_dimension) == ("all-MiniLM-L6-v2-int8", 384)
    assert len(meta.fingerprint) == 16


def test_a_failed_load_leaves_nothing_behind_and_keeps_what_was_there(engine, tmp_path):
    engine.load(bundle())
    before = files(tmp_path)

    def fail(what, done, total):
        if what == "vectors":
            raise RuntimeError("stopped in the middle")

    with pytest.raises(RuntimeError):
        engine.load(bundle(documents=()), replace=True, progress=fail)
    assert files(tmp_path) == before
    assert len(engine.export("small").memory.documents) == 1


def test_an_existing_workspace_is_only_replaced_when_asked(engine):
    engine.load(bundle())
    with pytest.raises(UsageError, match="--replace"):
        engine.load(bundle())
    assert ask(engine, "small", "soup").router.matched_labels[0].label_name == "cooking"
    engine.load(bundle(labels=(Label(id="l-food", name="meals"), Label(id="l-review", name="review"))), replace=True)
    assert {label.label_name for label in ask(engine, "small", "meals", label_threshold=-1).router.matched_labels} == {
        "meals",
        "review",
    }


def test_a_reader_keeps_the_old_memory_while_a_new_one_is_loaded(engine):
    engine.load(bundle())
    with engine.memory("small") as old:
        engine.load(bundle(documents=()), replace=True)
        assert old.stores.graph.counts()["documents"] == 1
        with engine.memory("small") as new:
            assert new.stores.graph.counts()["documents"] == 0
    assert ask(engine, "small", "soup", route("exploratory")).episodes


def test_searches_go_on_while_another_thread_loads(engine):
    engine.load(bundle())
    errors: list[BaseException] = []
    done = threading.Event()

    def search():
        while not done.is_set():
            try:
                assert ask(engine, "small", "code review", route("aspect_query")).episodes
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        engine.load(bundle(), replace=True)
    done.set()
    for thread in threads:
        thread.join()
    assert errors == []


def test_rebuild_gives_the_same_answers(engine):
    engine.load(bundle())
    before = ask(engine, "small", "code review").wire()
    engine.rebuild("small")
    after = ask(engine, "small", "code review").wire()
    assert [e["uuid"] for e in before["episodes"]] == [e["uuid"] for e in after["episodes"]]
    assert [e["score"] for e in before["episodes"]] == [e["score"] for e in after["episodes"]]
    assert before["fingerprint"] == after["fingerprint"]


def test_export_gives_back_what_was_loaded(engine):
    engine.load(bundle())
    exported = engine.export("small")
    for kind in ("labels", "episodes", "entities", "statements", "documents"):
        key = "id" if kind in ("labels", "documents") else "uuid"
        assert sorted(getattr(exported.memory, kind), key=lambda item: getattr(item, key)) == sorted(
            getattr(bundle().memory, kind), key=lambda item: getattr(item, key)
        )


def test_a_workspace_of_another_embedding_model_is_refused_with_both_names(engine, tmp_path):
    engine.load(bundle())
    path = WorkspaceFolder(tmp_path, "small").generation() / META
    path.write_text(path.read_text("utf-8").replace("all-MiniLM-L6-v2-int8", "another-model"), "utf-8")
    with SearchEngine(Settings(home=tmp_path)) as other, pytest.raises(StampMismatch) as refused:
        ask(other, "small", "soup")
    assert "another-model" in str(refused.value)
    assert "all-MiniLM" in str(refused.value)
    assert "reembed" in str(refused.value)


def test_rename_and_remove(engine, tmp_path):
    engine.load(bundle())
    engine.rename("small", "tiny")
    assert ask(engine, "tiny", "soup").workspace == "tiny"
    assert [meta.name for meta in engine.workspaces()] == ["tiny"]
    with pytest.raises(UnknownWorkspace, match="small"):
        ask(engine, "small", "soup")
    engine.remove("tiny")
    assert engine.workspaces() == []


def test_a_second_loader_is_refused_while_the_first_works(engine):
    with engine.folder("small").writing(), pytest.raises(WorkspaceLocked, match="another process"):
        engine.load(bundle())


def test_two_processes_may_read_at_once(engine, tmp_path):
    engine.load(bundle())
    ask(engine, "small", "soup")
    code = (
        "from pathlib import Path; from core_search import *; import sys;"
        "e = SearchEngine(Settings(home=Path(sys.argv[1])));"
        "print(len(e.search(SearchRequest(query='soup', workspace='small')).episodes)); e.close()"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 0


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 65, "a b", "nul\0"])
def test_names_that_are_no_folder_names_are_refused(name):
    with pytest.raises(UsageError, match="cannot name a workspace"):
        checked_name(name)


@pytest.mark.parametrize("broken", ["current", "workspace.json", "graph.db", "columns", "lexical"])
def test_a_damaged_workspace_says_so_and_the_others_go_on(engine, tmp_path, broken):
    import shutil

    engine.load(bundle())
    engine.load(bundle("other"))
    folder = WorkspaceFolder(tmp_path, "small")
    path = folder.folder / broken if broken == "current" else folder.generation() / broken
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.write_bytes(b"garbage")
    with pytest.raises((WorkspaceDamaged, UnknownWorkspace), match=r"small|graph.db|columns|lexical"):
        ask(engine, "small", "soup")
    assert ask(engine, "other", "soup").episodes


def test_read_only_refuses_every_change(tmp_path):
    with SearchEngine(Settings(home=tmp_path, read_only=True)) as engine:
        for change in (
            lambda: engine.load(bundle()),
            lambda: engine.remove("small"),
            lambda: engine.rename("small", "x"),
            lambda: engine.rebuild("small"),
        ):
            with pytest.raises(UsageError, match="read-only"):
                change()
