"""The same tests on ladybug, in a process of their own: the two engines cannot be imported into one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.skipif(
    importlib.util.find_spec("ladybug") is None, reason="ladybug is not installed; pip install 'core-search[ladybug]'"
)
@pytest.mark.skipif(os.environ.get("TEST_GRAPH_ENGINE") == "ladybug", reason="runs on ladybug already")
def test_the_graph_on_ladybug() -> None:
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"),
            *(str(HERE / f"test_graph_{name}.py") for name in ("contract", "roundtrip", "store")),
        ],
        env={**os.environ, "TEST_GRAPH_ENGINE": "ladybug"},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
