"""The one way in: which reader is taken, and what a caller may decide."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core_search.errors import UsageError
from core_search.ingest import read, read_bundle, write_bundle

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "Hi."}],
            "session_1_date_time": "1:56 pm on 8 May, 2023",
        },
    }
]


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO))
    return path


def test_the_format_is_seen_from_the_path(write_files, locomo, tmp_path: Path):
    folder = write_files()
    packed = write_bundle(read_bundle(folder), tmp_path / "memory.zip")
    nameless = packed.rename(tmp_path / "nameless")

    assert [bundle.header.name for path in (folder, nameless, locomo) for bundle in read(path)] == [
        "home",
        "home",
        "conv-1",
    ]


def test_a_given_format_is_taken(locomo, tmp_path: Path):
    path = locomo.rename(tmp_path / "data.txt")

    assert read(path, "locomo")[0].header.name == "conv-1"


def test_name_zone_and_clock_of_the_caller_go_first(write_files, locomo):
    clock = datetime(2025, 1, 1, tzinfo=UTC)

    for path in (write_files(), locomo):
        (bundle,) = read(path, workspace="mine", timezone="Asia/Tokyo", clock=clock)
        assert (bundle.header.name, bundle.header.timezone, bundle.header.clock) == ("mine", "Asia/Tokyo", clock)
    assert bundle.memory.episodes[0].valid_at == datetime(2023, 5, 8, 4, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"format": "csv"}, "unknown format 'csv'; known are bundle, locomo"),
        ({"timezone": "Mars/Base"}, "unknown time zone 'Mars/Base'"),
        ({"clock": datetime(2025, 1, 1)}, "clock"),
        ({"workspace": ""}, "name ''"),
    ],
)
def test_what_does_not_exist_or_fit_is_a_usage_error(write_files, given, message):
    with pytest.raises(UsageError, match=message):
        read(write_files(), **given)


def test_a_path_without_a_known_format_lists_the_formats(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("hello")

    with pytest.raises(UsageError, match="say which of bundle, locomo"):
        read(tmp_path / "notes.txt")
    with pytest.raises(UsageError, match="there is no file or folder"):
        read(tmp_path / "nowhere.json")
