"""Chroma itself: one client a folder and process, or a server; and its errors in our words. Nothing else imports it."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import chromadb
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from chromadb.errors import InternalError, NotFoundError

from core_search.errors import CoreSearchError, StoreError, WorkspaceDamaged, redact

# ef_construction 50 and ef_search 200 build in two thirds of the time of the defaults and find more (.976 for .957).
_INDEX = {"hnsw": {"space": "cosine", "ef_construction": 50, "ef_search": 200}}
_SERVER_TIMEOUT_S = 60.0  # the largest batch takes a small server about 2 s
_PREFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,400}")  # with a namespace behind it, a name that Chroma takes
_DATABASE = "chroma.sqlite3"

# Two clients on one folder lose vectors, and two threads that make a client at once fail.
_OPEN: dict[str, ChromaClient] = {}
_OPEN_LOCK = threading.Lock()


class ChromaClient:
    """A client with its collections, shared by all who opened the same folder. Safe from several threads."""

    def __init__(self, client: Any, name: str, prefix: str, embedded: bool):
        self.name = name  # the folder, or the server's address without its user
        self.writes = 0  # counted by those who add: what others have read before is out of date
        self._client = client
        self._prefix = prefix
        self.embedded = embedded
        self._identity = _identity(name) if embedded else None
        self._users = 1
        self._lock = threading.Lock()
        self._collections: dict[str, Collection] = {}
        with self.border("open"):
            self.max_batch = client.get_max_batch_size()

    @classmethod
    def open(cls, path: Path) -> ChromaClient:
        """The client of a folder; the folder is made when there is none."""
        real = os.path.realpath(path)
        with _OPEN_LOCK:
            known = _OPEN.get(real)
            if known is None:
                _OPEN[real] = known = cls(_open_folder(real), real, "", embedded=True)
            elif known._identity != _identity(real):
                raise StoreError(
                    f"the vectors in {real!r} were replaced while this process had them open; "
                    "close the workspace everywhere, then open it again"
                )
            else:
                known._users += 1
            return known

    @classmethod
    def connect(cls, url: str, prefix: str) -> ChromaClient:
        """A client of the server at `url`, for the collections whose names start with `prefix`."""
        parts = urlsplit(url)
        shown = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise StoreError(f"{shown!r} is not the address of a Chroma server; give one like 'http://localhost:8000'")
        if not _PREFIX.fullmatch(prefix):
            raise StoreError(f"{prefix!r} cannot start a collection's name; use letters, digits, '.', '_' and '-'")
        settings = _settings(chroma_server_host=url, chroma_server_http_port=8000)  # a port in the address goes first
        try:
            client = chromadb.HttpClient(host=url, port=8000, settings=settings)
        except Exception as error:  # chromadb raises ValueError, httpx errors and bare Exceptions alike
            raise StoreError(
                f"no Chroma server answers at {shown!r}: {redact(str(error), parts.password)}; "
                "start it (chroma run), or unset CORE_SEARCH_CHROMA_URL to use the embedded store"
            ) from None
        cast(Any, client)._server._session.timeout = _SERVER_TIMEOUT_S  # by itself Chroma waits for ever
        return cls(client, shown, prefix + "-", embedded=False)

    def collection(self, name: str, create: bool = False) -> Collection | None:
        """The collection of that name; None when there is none."""
        found = self._collections.get(name)
        if found is not None:
            return found
        full = self._prefix + name
        with self._lock, self.border(f"open {name!r}"):
            try:
                # No embedding function: Chroma's default one downloads a model.
                self._collections[name] = (
                    self._client.get_or_create_collection(
                        full, embedding_function=None, configuration=cast(Any, _INDEX)
                    )
                    if create
                    else self._client.get_collection(full, embedding_function=None)
                )
            except NotFoundError:
                return None
            return self._collections[name]

    def drop(self, name: str) -> None:
        """Delete the collection of that name, if there is one."""
        if self.collection(name) is not None:
            with self._lock, self.border(f"drop {name!r}"):
                self._collections.pop(name, None)
                self._client.delete_collection(self._prefix + name)
            self.writes += 1

    def close(self) -> None:
        """One user less; the last one closes."""
        with _OPEN_LOCK:
            self._users -= 1
            if self._users == 0:
                if _OPEN.get(self.name) is self:
                    del _OPEN[self.name]
                self._client.close()
                if not self.embedded:
                    for client in (self._client, self._client._admin_client):
                        client._server._session.close()  # Chroma leaves its connections open

    @contextmanager
    def border(self, action: str, reads: bool = False) -> Iterator[None]:
        """Errors of Chroma leave as ours. What an embedded store cannot read by itself is damaged."""
        try:
            yield
        except CoreSearchError:
            raise
        except Exception as error:  # chromadb raises ValueError, TypeError, httpx errors and bare Exceptions alike
            reason = redact(str(error)) or type(error).__name__
            if reads and self.embedded and isinstance(error, InternalError):
                raise _damaged(self.name, reason) from error
            remedy = "check the server" if not self.embedded else "check the folder's rights and the disk"
            if "expecting embedding with dimension" in reason:
                remedy = "use the embedding model that the workspace was made with, or run: core-search reembed"
            raise StoreError(f"the vector store {self.name!r} refused to {action}: {reason}; {remedy}") from error


def _open_folder(real: str) -> Any:
    database = Path(real, _DATABASE)
    # Without its database Chroma takes the folder for a new one, and every search would find nothing.
    if any(Path(real).glob("*")) and not (database.exists() and database.stat().st_size):
        raise _damaged(real, f"{_DATABASE!r} is missing or empty")
    settings = _settings(chroma_api_impl="chromadb.api.rust.RustBindingsAPI")
    try:
        return chromadb.PersistentClient(real, settings=settings)
    except InternalError as error:
        if "readonly database" not in str(error):
            raise _damaged(real, redact(str(error))) from error
        raise StoreError(
            f"the vectors in {real!r} are in a folder that nobody may write, and Chroma writes there also to read; "
            "check that the folder can be written, or copy the workspace to one that can"
        ) from error
    except Exception as error:
        raise StoreError(
            f"cannot open the vectors in {real!r}: {redact(str(error))}; check that the folder can be written"
        ) from error


def _settings(**values: Any) -> Settings:
    return Settings(_env_file=None, anonymized_telemetry=False, **values)


def _identity(real: str) -> tuple[int, int] | None:
    """Which file the database is: another one at the same path is another store."""
    try:
        stat = os.stat(os.path.join(real, _DATABASE))
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _damaged(name: str, reason: str) -> WorkspaceDamaged:
    return WorkspaceDamaged(
        f"the vectors in {name!r} cannot be read: {reason}; make them anew from the graph: core-search rebuild"
    )
