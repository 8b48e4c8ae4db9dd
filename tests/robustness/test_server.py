"""Vectors on a Chroma server: what belonged to a memory that is gone is dropped there, and nothing of others."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import chromadb
import pytest

from core_search import SearchEngine, Settings
from core_search.errors import StoreError, WorkspaceDamaged
from tests.small import ask, bundle, route


@pytest.fixture
def server(tmp_path):
    """The address of a Chroma server, and its process."""
    binary = shutil.which("chroma", path=str(Path(sys.executable).parent)) or shutil.which("chroma")
    if binary is None:
        pytest.skip("the chroma command is not installed: no server to test against")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [binary, "run", "--path", str(tmp_path / "server"), "--host", "127.0.0.1", "--port", str(port)]
    with (tmp_path / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            for _ in range(300):
                try:
                    urllib.request.urlopen(f"{url}/api/v2/heartbeat", timeout=1).close()
                    break
                except (urllib.error.URLError, TimeoutError):
                    time.sleep(0.1)
            yield url, process
        finally:
            process.terminate()


def names(url: str) -> set[str]:
    """The generations that have collections on the server."""
    client = chromadb.HttpClient(host=url, port=8000, settings=chromadb.Settings(anonymized_telemetry=False))
    return {collection.name.rpartition("-")[0] for collection in client.list_collections()}


def test_collections_come_and_go_with_their_generation(server, tmp_path):
    url, process = server
    with SearchEngine(Settings(home=tmp_path / "home", chroma_url=url)) as engine:
        engine.load(bundle())
        engine.load(bundle("other"))
        other = engine.folder("other").generation().name
        assert ask(engine, "small", "soup", route("exploratory")).episodes
        with pytest.raises(RuntimeError):
            engine.load(bundle(), replace=True, progress=fail_in_vectors)
        assert names(url) == {engine.folder("small").generation().name, other}
        engine.load(bundle(), replace=True)
        engine.rename("small", "tiny")
        assert ask(engine, "tiny", "soup", route("exploratory")).episodes
        assert names(url) == {engine.folder("tiny").generation().name, other}
        engine.remove("tiny")
        assert names(url) == {other}
        client = chromadb.HttpClient(host=url, port=8000, settings=chromadb.Settings(anonymized_telemetry=False))
        client.delete_collection(f"{other}-EPISODE")
        with pytest.raises(WorkspaceDamaged, match=r"of 6 vectors of 'EPISODE' 0 are there.*core-search rebuild"):
            ask(engine, "other", "soup")
        engine.rebuild("other")
        assert ask(engine, "other", "soup", route("exploratory")).episodes
        process.terminate()
        process.wait()
        with pytest.raises(StoreError, match="chroma run"):
            engine.remove("other")
        assert engine.folder("other").exists()  # nothing is lost before the server can be told


def fail_in_vectors(what: str, done: int, total: int) -> None:
    if what == "vectors":
        raise RuntimeError("stopped in the middle")
