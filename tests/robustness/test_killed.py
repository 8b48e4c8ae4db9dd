"""Point 2: killed in the middle. What counted before counts after; what is left over goes with the next load."""

from __future__ import annotations

import signal
import sqlite3

import pytest

from core_search import SearchEngine, Settings
from core_search.database import Database
from core_search.ingest.values import Query
from core_search.judgments.store import JudgmentStore
from core_search.records import Records
from core_search.workspace import WorkspaceFolder
from tests.small import ask, bundle, route

LOADS = """
import os, signal, sys
from pathlib import Path
from core_search import SearchEngine, Settings
from tests.small import bundle
where = sys.argv[2]
def die(what, done, total):
    if what == where:
        os.kill(os.getpid(), signal.SIGKILL)
if where == "seal":
    import core_search.library as library
    library.write_seal = lambda *rest: die("seal", 0, 0)
with SearchEngine(Settings(home=Path(sys.argv[1]))) as engine:
    engine.load(bundle(sys.argv[3], documents=()), replace=True, progress=die)
"""
# Dies between the statements of one transaction: after the row was written, before it counts.
SAVES = """
import os, signal, sys
from pathlib import Path
from core_search import SearchEngine, Settings
from core_search.database import Database
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import ItemKey
from core_search.models import ItemKind
from core_search.records import Records
from tests.small import ask
settings = Settings(home=Path(sys.argv[1]))
def die(*rest):
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[2] == "run":
    with SearchEngine(settings) as engine:
        result = ask(engine, "small", "soup")
    records = Records(settings)
    print(records.save(result), flush=True)
    records._make_room = die
    records.save(result)
else:
    import core_search.judgments.grades as grades
    store = JudgmentStore.of(Database(settings))
    [set_id] = [head.id for head in store.sets.all()]
    store.grades.give(set_id, ItemKey("q1", ItemKind.EPISODE, "e1"), "ann", 3)
    print("given", flush=True)
    put = grades.put
    grades.put = lambda *rest: (put(*rest), die())
    store.grades.give(set_id, ItemKey("q1", ItemKind.EPISODE, "e2"), "ann", 2)
"""


@pytest.mark.parametrize("where", ["Statement", "vectors", "words", "seal"])
def test_in_the_middle_of_a_load(copied, python, where):
    killed = python(LOADS, copied, where, "small")
    assert killed.wait(120) == -signal.SIGKILL, killed.communicate()
    killed.communicate()
    folder = WorkspaceFolder(copied, "small")
    leftover = {path.name for path in folder.folder.iterdir() if path.is_dir()} - {folder.generation().name}
    assert len(leftover) == 1
    with SearchEngine(Settings(home=copied)) as engine:
        assert len(engine.export("small").memory.documents) == 1  # the old one
        assert ask(engine, "small", "soup", route("exploratory")).episodes
        engine.load(bundle(), replace=True)
        assert ask(engine, "small", "soup", route("exploratory")).episodes
    assert [path.name for path in folder.folder.iterdir() if path.is_dir()] == [folder.generation().name]


def test_in_the_middle_of_the_first_load(tmp_path, python):
    killed = python(LOADS, tmp_path, "vectors", "new")
    assert killed.wait(120) == -signal.SIGKILL, killed.communicate()
    killed.communicate()
    with SearchEngine(Settings(home=tmp_path)) as engine:
        assert engine.workspaces() == []
        engine.load(bundle("new"))  # nothing is there, so that nothing is replaced
        folder = engine.folder("new").folder
        assert len([path for path in folder.iterdir() if path.is_dir()]) == 1


def test_in_the_middle_of_keeping_a_run(copied, python):
    killed = python(SAVES, copied, "run")
    out, errors = killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL, errors
    records = Records(Settings(home=copied))
    assert [head.id for head in records.recent()] == [out.strip()]
    assert records.load(out.strip()).result.query == "soup"
    with SearchEngine(Settings(home=copied)) as engine:
        records.save(ask(engine, "small", "soup"))
    assert len(records.recent()) == 2
    records.database.close()


def test_in_the_middle_of_a_judgment(copied, python):
    database = Database(Settings(home=copied))
    store = JudgmentStore.of(database)
    store.sets.create("set", "small", [Query(id="q1", query="soup")])
    database.close()
    killed = python(SAVES, copied, "grade")
    out, errors = killed.communicate(timeout=120)
    assert (killed.returncode, out) == (-signal.SIGKILL, "given\n"), errors
    [head] = store.sets.all()
    [grade] = store.grades.all(head.id)
    assert (grade.key.item_id, grade.grade) == ("e1", 3)
    database.close()
    with sqlite3.connect(copied / "records.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
