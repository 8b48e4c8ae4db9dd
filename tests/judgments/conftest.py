"""A database to judge in, SQLite and PostgreSQL, and a query set in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core_search import Settings
from core_search.database import Database, metadata
from core_search.ingest.values import Query
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import ItemKey, QuerySet
from core_search.models import ItemKind

QUERIES = (
    Query(id="q1", query="what is my view on code review", need="what holds now", tags=("seed",)),
    Query(id="q2", query="who is Ann"),
)


def _server_programs() -> Path | None:
    """Where PostgreSQL's `initdb` and `postgres` are: on the path, or where Debian puts them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    on_path = shutil.which("initdb")
    return found[0].parent if found else Path(on_path).parent if on_path else None


def _as_other_user() -> str | None:
    """PostgreSQL refuses to run as root."""
    return "postgres" if os.geteuid() == 0 else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a real server with an empty database, on a socket in a folder of its own."""
    pytest.importorskip("psycopg", reason="the driver comes with pip install core-search[postgres]")
    programs = _server_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    user = _as_other_user()
    folder = Path(tempfile.mkdtemp(prefix="core-search-pg-"))
    try:
        if user:
            shutil.chown(folder, user)
        run = {"user": user, "cwd": folder, "check": True, "stdout": subprocess.DEVNULL, "timeout": 120}
        data = folder / "data"
        subprocess.run([programs / "initdb", "-D", data, "-U", "judge", "--auth=trust", "--no-sync"], **run)
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        start = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"]
        subprocess.run(start, **run)
        try:
            yield f"postgresql+psycopg://judge@/postgres?host={folder}"
        finally:
            subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    if request.param == "sqlite":
        return Settings(home=tmp_path)
    return Settings(home=tmp_path, database_url=request.getfixturevalue("postgres"))


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    opened = Database(settings)
    yield opened
    with opened.transaction() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    opened.close()


@pytest.fixture
def store(database: Database) -> JudgmentStore:
    return JudgmentStore.of(database)


@pytest.fixture
def query_set(store: JudgmentStore) -> QuerySet:
    return store.sets.create("small set", "small", QUERIES)


@pytest.fixture
def key() -> Callable[..., ItemKey]:
    """A card of an episode."""
    return lambda item_id, query_id="q1": ItemKey(query_id, ItemKind.EPISODE, item_id)
