"""Memories that the tests break: one is made once, and copied for each way to break it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from core_search.workspace import WorkspaceFolder
from tests.small import bundle

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with the small memory, loaded once. Do not write to it."""
    home = tmp_path_factory.mktemp("made")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle())
        engine.load(bundle("other"))
    return home


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of that installation to break."""
    home = tmp_path / "home"
    shutil.copytree(made, home)
    return home


@pytest.fixture
def generation(copied: Path) -> Path:
    """The folder of the memory `small` in the copy."""
    return WorkspaceFolder(copied, "small").generation()


@pytest.fixture
def engine(copied: Path) -> Iterator[SearchEngine]:
    with SearchEngine(Settings(home=copied)) as engine:
        yield engine


@pytest.fixture(scope="session")
def python() -> Callable[..., subprocess.Popen[str]]:
    """Start Python on some code that sees the project, its arguments in `sys.argv`, its input open."""

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    return start
