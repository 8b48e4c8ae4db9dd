"""Point 2: a folder that cannot be written, and a disk that is full."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from core_search import room
from core_search.errors import WorkspaceError
from core_search.stores.catalog import Catalog
from tests.small import ask, bundle, route

TRIES = """
import sys
from pathlib import Path
from core_search import SearchEngine, Settings
from core_search.errors import CoreSearchError
from core_search.records import Records
from tests.small import ask, bundle, route
home = Path(sys.argv[1])
with SearchEngine(Settings(home=home)) as engine:
    for attempt in (
        lambda: engine.load(bundle(), replace=True),
        lambda: engine.load(bundle("new")),
        lambda: engine.rebuild("small"),
        lambda: engine.remove("small"),
        lambda: ask(engine, "small", "soup", route("exploratory")),
        lambda: Records(Settings(home=home)).recent(),
    ):
        try:
            attempt()
            print("fine")
        except CoreSearchError as error:
            print(str(error).replace(chr(10), " "))
"""


def without_root_rights(*command: object) -> list[str]:
    """Root may write everywhere unless that right is taken away."""
    if os.geteuid():
        return [*map(str, command)]
    if not shutil.which("setpriv"):
        pytest.skip("runs as root, and there is no setpriv to give rights up")
    return ["setpriv", "--bounding-set", "-dac_override", "--inh-caps", "-dac_override", *map(str, command)]


def test_a_folder_that_cannot_be_written(copied):
    for path in [copied, *copied.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(copied.rglob("*"))
    try:
        ran = subprocess.run(
            without_root_rights(sys.executable, "-c", TRIES, copied),
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        for path in before:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert ran.returncode == 0, ran.stderr
    replace, new, rebuild, remove, search, records = ran.stdout.splitlines()
    for said in (replace, new, rebuild, remove):
        assert "cannot be written" in said
        assert "rights" in said
    assert search == "fine" or "check that the folder can be written" in search
    assert "folder can be written" in records
    assert sorted(copied.rglob("*")) == before


def test_a_disk_without_room_is_seen_before_anything_is_written(engine, monkeypatch):
    before = ask(engine, "small", "soup", route("exploratory")).fingerprint
    monkeypatch.setattr(room.shutil, "disk_usage", lambda path: SimpleNamespace(free=5_000_000))
    for change in (lambda: engine.load(bundle(documents=()), replace=True), lambda: engine.rebuild("small")):
        with pytest.raises(WorkspaceError, match=r"needs up to \d+ MB.*5 MB free.*Nothing was changed"):
            change()
    assert ask(engine, "small", "soup", route("exploratory")).fingerprint == before
    assert len([path for path in engine.folder("small").folder.iterdir() if path.is_dir()]) == 1


def test_a_disk_that_fills_up_meanwhile_leaves_the_old_memory(engine, monkeypatch):
    def full(self, folder):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Catalog, "save", full)
        with pytest.raises(WorkspaceError, match=r"No space left.*untouched"):
            engine.load(bundle(documents=()), replace=True)
    assert len(engine.export("small").memory.documents) == 1
    assert len([path for path in engine.folder("small").folder.iterdir() if path.is_dir()]) == 1


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount a small disk")
def test_a_small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "core_search", "load", "sample_data"],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "CORE_SEARCH_HOME": str(disk)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert ran.returncode == 1
        assert ran.stderr.startswith("core-search: workspace 'sample' needs up to")
        assert not list(disk.rglob("graph.db*"))
    finally:
        subprocess.run(["umount", disk], check=True)
