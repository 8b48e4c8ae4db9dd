"""The app as a process, and the browser that visits it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
START_S = 90


@contextmanager
def served(home: Path, **variables: str) -> Iterator[str]:
    """The app over `home`; its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "CORE_SEARCH_HOME": str(home), **variables}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", "--server.headless=true"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    address = f"http://localhost:{port}"
    try:
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=2).close()
                break
            except OSError:
                time.sleep(0.3)
        else:
            raise RuntimeError("the app did not start")
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)
