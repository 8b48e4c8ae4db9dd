"""Where the files of a bundle come from: a folder, or a zip that is read in place and never unpacked to disk."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol, cast

from core_search.errors import UsageError
from core_search.ingest.problems import Problems

MAX_UNPACKED_BYTES = 1_000_000_000
MAX_MEMBERS = 1_000  # a bundle has eight files; the rest is what archivers and people add
# Text of real memories packs 3 to 15 times; a bomb several hundred times. Small files may pack well by chance.
MAX_RATIO = 200
RATIO_FREE_BYTES = 10_000_000
# What archivers add by themselves, at the top of the archive.
_JUNK = ("__MACOSX", ".DS_Store")
# All that zipfile and its decompressors raise for a file that is not what it says.
READ_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    OverflowError,
    RuntimeError,
    struct.error,
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
)


class Source(Protocol):
    """Named files to read as bytes."""

    def names(self) -> frozenset[str]:
        """The names of the files at the top."""

    def open(self, name: str) -> BinaryIO: ...


class Folder:
    """The files of a folder."""

    def __init__(self, path: Path):
        self._path = path

    def names(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self._path.iterdir() if entry.is_file())

    def open(self, name: str) -> BinaryIO:
        return (self._path / name).open("rb")


class Archive:
    """The files of a zip that was checked; those of its one top folder when all lie in it."""

    def __init__(self, archive: zipfile.ZipFile):
        self._archive = archive
        files = {PurePosixPath(info.filename).parts: info for info in archive.infolist() if not info.is_dir()}
        files = {parts: info for parts, info in files.items() if parts and not _is_junk(parts)}
        tops = {parts[0] for parts in files}
        if len(tops) == 1 and all(len(parts) > 1 for parts in files):
            files = {parts[1:]: info for parts, info in files.items()}
        self._members = {parts[0]: info for parts, info in files.items() if len(parts) == 1}

    def names(self) -> frozenset[str]:
        return frozenset(self._members)

    def open(self, name: str) -> BinaryIO:
        return cast(BinaryIO, self._archive.open(self._members[name]))


def _is_junk(parts: tuple[str, ...]) -> bool:
    return parts[0] in _JUNK or parts[-1] in _JUNK


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """The files of the folder or zip at `path`.

    No file is a `UsageError`; a zip with anything suspicious in it is a `BundleError`.
    """
    if path.is_dir():
        _check_links(path)
        yield Folder(path)
        return
    if not path.is_file():
        raise UsageError(f"there is no file or folder {str(path)!r}; give the bundle's folder or zip")
    problems = Problems()
    try:
        archive = zipfile.ZipFile(path)
    except READ_ERRORS as error:
        problems.add(path.name, None, "file", f"cannot be read as a zip ({error}); pack the bundle's folder anew")
        problems.raise_if_any()
        raise  # not reached: there is a problem
    with archive:
        _check(archive, path.name, problems)
        problems.raise_if_any()
        yield Archive(archive)


def _check_links(folder: Path) -> None:
    """Refuse a link that leads out of the folder: a bundle from a stranger would read files of whoever loads it."""
    problems = Problems()
    try:
        inside = folder.resolve()
        links = [entry for entry in folder.iterdir() if entry.is_symlink()]
        leaving = [link.name for link in links if not link.resolve().is_relative_to(inside)]
    except (
        OSError,
        RuntimeError,
    ):  # a folder that cannot be read is told by its reader; links in a circle are no files
        return
    for name in leaving:
        problems.add(name, None, "file", "is a link that leads out of the folder; put the file itself there")
    problems.raise_if_any()


def _check(archive: zipfile.ZipFile, file: str, problems: Problems) -> None:
    """Refuse what no archiver makes of a bundle's folder. Sizes are those declared; zipfile reads no further."""
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        problems.add(
            file, None, "entries", f"{len(members)} of them, at most {MAX_MEMBERS} are read; pack the bundle only"
        )
        return
    seen = set()
    for info in members:
        for reason in _faults(info):
            problems.add(file, None, info.filename, f"{reason}; pack the bundle's folder anew")
        if info.filename in seen:
            problems.add(file, None, info.filename, "stands twice in the zip; pack the bundle's folder anew")
        seen.add(info.filename)
    unpacked = sum(info.file_size for info in members)
    packed = sum(info.compress_size for info in members)
    if unpacked > MAX_UNPACKED_BYTES:
        problems.add(
            file,
            None,
            "size",
            f"{unpacked} bytes unpacked, at most {MAX_UNPACKED_BYTES} are read; load the folder instead",
        )
    elif unpacked > RATIO_FREE_BYTES and unpacked > MAX_RATIO * packed:
        problems.add(
            file, None, "size", f"packed more than {MAX_RATIO} times, like a zip bomb; load the folder instead"
        )


def _faults(info: zipfile.ZipInfo) -> Iterator[str]:
    name = info.orig_filename  # zipfile cuts `filename` at a NUL
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or name[1:2] == ":":
        yield "absolute path"
    if ".." in path.parts:
        yield "path climbs out with '..'"
    if "\\" in name or "\0" in name:
        yield "name with a backslash or NUL"
    kind = stat.S_IFMT(info.external_attr >> 16)  # 0 when packed on a system without file modes
    if kind == stat.S_IFLNK:
        yield "is a link"
    elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        yield "is not a regular file"
    if info.flag_bits & 0x1:
        yield "is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield "is packed by a method other than deflate"
