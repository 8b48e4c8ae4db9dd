"""A run as a value: its line in the list, its body, its file, and what two runs have in common."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal

from pydantic import AwareDatetime, Field

from core_search.models import Value
from core_search.options import SearchOptions
from core_search.results import SearchResult
from core_search.trace import Trace

FORMAT: Final = "core-search run"
FORMAT_VERSION: Final = 1
# Base 32 without the letters that look like digits: an id can be read out and typed. 8 of them are 40 bits.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ID_LENGTH = 8


class Failure(Value):
    """A search that failed: what was asked, and the trace up to there."""

    error: str
    now: AwareDatetime | None = None
    options: SearchOptions
    providers: dict[str, str] = Field(default_factory=dict)
    fingerprint: str = ""
    trace: Trace


class RunBody(Value):
    """What a run consists of: its result, or its failure."""

    result: SearchResult | None = None
    failure: Failure | None = None


class RunFile(Value):
    """A run as one JSON file."""

    format: Literal["core-search run"] = FORMAT
    version: Literal[1] = FORMAT_VERSION
    id: str = Field(min_length=1, max_length=16, pattern=r"^[0-9a-z]+$")
    created_at: AwareDatetime
    workspace: str = Field(max_length=64)
    query: str
    name: str = ""
    parent: str | None = Field(default=None, max_length=32)
    body: RunBody


@dataclass(frozen=True, slots=True)
class RunHead:
    """A run without its body: a line in the list of recent runs. `items` counts what it returned."""

    id: str
    created_at: datetime
    workspace: str
    query: str
    name: str
    pinned: bool
    parent: str | None
    status: Literal["ok", "failed"]
    error: str
    setup: str
    duration_ms: int
    items: int
    size: int

    @property
    def title(self) -> str:
        return self.name or self.query


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A whole run. Exactly one of `result` and `failure` is there."""

    head: RunHead
    result: SearchResult | None
    failure: Failure | None

    @property
    def id(self) -> str:
        return self.head.id

    @property
    def trace(self) -> Trace:
        return self._body.trace

    @property
    def options(self) -> SearchOptions:
        return self._body.options

    @property
    def providers(self) -> dict[str, str]:
        return self._body.providers

    @property
    def fingerprint(self) -> str:
        return self._body.fingerprint

    @property
    def now(self) -> datetime | None:
        return self._body.now

    @property
    def _body(self) -> SearchResult | Failure:
        body = self.result or self.failure
        assert body is not None
        return body


def new_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def setup_of(result: SearchResult) -> str:
    """16 hex digits of everything that decides an answer beside the query: data, clock, settings, models."""
    return setup(result.fingerprint, result.now, result.options, result.providers)


def setup(fingerprint: str, now: datetime, options: SearchOptions, providers: dict[str, str]) -> str:
    parts: Iterable[str] = (
        fingerprint,
        now.astimezone(UTC).isoformat(),
        options.model_dump_json(),
        repr(sorted(providers.items())),
    )
    return hashlib.sha256("\x1e".join(parts).encode()).hexdigest()[:16]


def count_items(result: SearchResult) -> int:
    """How many things a result has: episodes, documents, statements, and an entity."""
    return len(result.episodes) + len(result.statements) + (result.entity is not None)
