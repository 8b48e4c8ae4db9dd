"""A small valid bundle, and a way to write it with some files changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core_search.errors import BundleError
from core_search.ingest import read_bundle

FILES = {
    "workspace.json": (
        '{"name": "home", "timezone": "Europe/Berlin", "clock": "2024-06-01T12:00:00+02:00", "owner": "ann"}\n'
    ),
    "labels.jsonl": '{"id": "work", "name": "Work"}\n',
    "episodes.jsonl": (
        '{"uuid": "e1", "content": "Ann likes tea.", "sessionId": "s1", "validAt": "2024-05-01T09:00:00Z",'
        ' "labelIds": ["work"]}\n'
        '{"uuid": "e2", "content": "Ann moved.", "createdAt": "2024-05-02T09:00:00Z"}\n'
    ),
    "entities.jsonl": '{"uuid": "ann", "name": "Ann", "type": "Person", "attributes": {"birthday": "1 May"}}\n',
    "statements.jsonl": (
        '{"uuid": "f1", "fact": "Ann likes tea.", "aspect": "Preference", "validAt": "2024-05-01T09:00:00Z",'
        ' "subject": "ann", "episodeUuids": ["e1"]}\n'
    ),
    "documents.jsonl": (
        '{"id": "d1", "sessionId": "s1", "content": "Tea.", "labelIds": ["work"],'
        ' "createdAt": "2024-05-01T09:00:00Z", "updatedAt": "2024-05-01T09:00:00Z"}\n'
    ),
    "queries.jsonl": '{"id": "q1", "query": "what does Ann drink"}\n',
    "qrels.txt": "q1 0 e1 2\n",
}


@pytest.fixture
def write_files(tmp_path: Path) -> Callable[..., Path]:
    """Write the small bundle to a folder. `changes` replaces files by name; None leaves one out."""

    def write(changes: dict[str, str | bytes | None] | None = None) -> Path:
        folder = tmp_path / "memory"
        folder.mkdir()
        for name, text in {**FILES, **(changes or {})}.items():
            if text is not None:
                (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder

    return write


@pytest.fixture
def problems_of(write_files: Callable[..., Path]) -> Callable[..., tuple[str, ...]]:
    """The problems of the small bundle with some files changed."""

    def problems(changes: dict[str, str | bytes | None]) -> tuple[str, ...]:
        with pytest.raises(BundleError) as caught:
            read_bundle(write_files(changes))
        return caught.value.problems

    return problems
