"""Zips: what is accepted, and every way in which one may attack the reader."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core_search.errors import BundleError, UsageError
from core_search.ingest import read_bundle, source


@pytest.fixture
def pack(write_files, tmp_path: Path) -> Callable[..., Path]:
    """The small bundle as a zip, its files under `prefix`, then the extra members."""

    def packed(prefix: str = "", extra: list[tuple[zipfile.ZipInfo | str, bytes]] | None = None) -> Path:
        folder, path = write_files(), tmp_path / "memory.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.iterdir()):
                archive.write(file, prefix + file.name)
            for member, content in extra or []:
                archive.writestr(member, content)
        return path

    return packed


def problems(path: Path) -> tuple[str, ...]:
    with pytest.raises(BundleError) as caught:
        read_bundle(path)
    return caught.value.problems


def typed(name: str, kind: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name)
    member.external_attr = (kind | 0o644) << 16
    return member


@pytest.mark.parametrize("prefix", ["", "memory/", "./"])
def test_files_at_the_top_or_in_one_top_folder_are_read(pack, prefix):
    junk = [("__MACOSX/._memory", b""), (prefix + ".DS_Store", b"")]

    assert len(read_bundle(pack(prefix, junk)).memory.episodes) == 2


def test_a_zip_made_by_an_archiver_with_folder_entries_is_read(write_files, tmp_path: Path):
    folder = write_files()
    made = shutil.make_archive(str(tmp_path / "made"), "zip", root_dir=folder.parent, base_dir=folder.name)

    assert read_bundle(Path(made)) == read_bundle(folder)


def test_files_two_folders_deep_are_not_found(pack):
    assert problems(pack("a/b/"))[0].startswith("workspace.json: file: missing")


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("../escape.txt", "path climbs out"),
        ("a/../../escape.txt", "path climbs out"),
        ("/etc/passwd", "absolute path"),
        ("C:/windows", "absolute path"),
        ("..\\escape", "path climbs out"),
        (typed("link", stat.S_IFLNK), "is a link"),
        (typed("pipe", stat.S_IFIFO), "is not a regular file"),
    ],
)
def test_a_suspicious_entry_refuses_the_whole_zip(pack, tmp_path: Path, member, reason):
    before = set(tmp_path.parent.rglob("*"))

    found = problems(pack(extra=[(member, b"x")]))

    assert any(reason in problem for problem in found)
    assert {path.name for path in set(tmp_path.parent.rglob("*")) - before}.isdisjoint({"escape.txt", "link", "pipe"})


def test_a_name_that_stands_twice_is_refused(pack):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = pack(extra=[("labels.jsonl", b"")])

    assert "stands twice" in problems(path)[0]


def test_another_packing_method_is_refused(pack):
    member = zipfile.ZipInfo("big.bin")
    member.compress_type = zipfile.ZIP_LZMA

    assert "packed by a method other than deflate" in problems(pack(extra=[(member, b"x" * 100)]))[0]


def test_an_encrypted_entry_is_refused(pack):
    path = pack()
    raw = bytearray(path.read_bytes())
    raw[raw.index(b"PK\x01\x02") + 8] |= 0x1  # the flag of the first entry of the directory
    path.write_bytes(raw)

    assert "is encrypted" in problems(path)[0]


def test_a_bomb_is_refused_before_it_is_unpacked(pack):
    path = pack(extra=[("zeros.jsonl", b"0" * (source.RATIO_FREE_BYTES + 1))])

    assert problems(path) == ("memory.zip: size: packed more than 200 times, like a zip bomb; load the folder instead",)


def test_the_unpacked_size_has_a_limit(pack, monkeypatch):
    monkeypatch.setattr(source, "MAX_UNPACKED_BYTES", 100)

    assert "at most 100 are read" in problems(pack())[0]


def test_the_number_of_entries_has_a_limit(pack, monkeypatch):
    monkeypatch.setattr(source, "MAX_MEMBERS", 5)

    assert "entries: 8 of them" in problems(pack())[0]


def test_a_size_that_lies_cannot_make_it_read_on(pack):
    path = pack(extra=[("queries2.jsonl", os.urandom(10))])
    raw = bytearray(path.read_bytes())
    start = raw.index(b"PK\x01\x02")
    raw[start + 24 : start + 28] = (3).to_bytes(4, "little")  # the unpacked size of the first entry, documents.jsonl
    path.write_bytes(raw)

    assert any(problem.startswith("documents.jsonl:1: file: cannot be read") for problem in problems(path))


def test_a_file_that_is_no_zip_is_a_bundle_error(tmp_path: Path):
    path = tmp_path / "memory.zip"
    path.write_bytes(b"PK\x03\x04 and nothing more")

    assert "cannot be read as a zip" in problems(path)[0]


def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(UsageError, match="no file or folder"):
        read_bundle(tmp_path / "pipe")
