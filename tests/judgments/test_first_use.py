"""Several processes that meet an empty database at the same moment make its tables together."""

from __future__ import annotations

import subprocess
import sys

from core_search import Settings
from core_search.database import Database, metadata

# A process of its own: it forks before any thread runs, and its children start at one barrier.
PROCESSES = 6
SCRIPT = f"""
import multiprocessing, pathlib, sys
from core_search import Settings
from core_search.comparison import set_runs
from core_search.database import Database
from core_search.evaluation import history
from core_search.judgments import tables
from core_search.records import Records
from sqlalchemy import select

home, url = pathlib.Path(sys.argv[1]), sys.argv[2] or None

def meet(barrier, failed):
    barrier.wait()
    try:
        with Database(Settings(home=home, database_url=url)).transaction() as connection:
            connection.execute(select(tables.grades)).all()
    except Exception as error:
        failed.put(str(error))

context = multiprocessing.get_context("fork")
barrier, failed = context.Barrier({PROCESSES}), context.SimpleQueue()
children = [context.Process(target=meet, args=(barrier, failed)) for _ in range({PROCESSES})]
for child in children:
    child.start()
for child in children:
    child.join(60)
while not failed.empty():
    print(failed.get())
"""


def test_processes_that_start_together_make_the_tables_once(settings: Settings) -> None:
    if settings.database_url:  # other tests have been there
        database = Database(settings)
        with database.transaction() as connection:
            metadata.drop_all(connection)
        database.close()
    arguments = [str(settings.home), settings.database_url or ""]
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True, timeout=120
    )
    assert ran.stdout == "", ran.stderr
