"""The lines of a text file, in bounded memory: UTF-8 with or without a byte order mark, ended by a line feed."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

from core_search.ingest.problems import Problems
from core_search.ingest.source import READ_ERRORS, Source

MAX_LINE_BYTES = 10_000_000
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_lines(source: Source, file: str, problems: Problems) -> Iterator[tuple[int, str]]:
    """Line numbers from 1 and texts of the lines that are not blank.

    The first bytes that are not UTF-8 are reported; the rest is read with replacement characters, so that the
    file's other problems are found too.
    """
    number = 0
    try:
        with source.open(file) as stream:
            for number, text in _decoded(stream, file, problems):
                if text.strip():
                    yield number, text
    except READ_ERRORS as error:
        problems.add(file, number + 1, "file", f"cannot be read ({error}); make the file anew")


def _decoded(stream: BinaryIO, file: str, problems: Problems) -> Iterator[tuple[int, str]]:
    position, clean = 0, True
    for number, raw, size in _raw_lines(stream, file, problems):
        start, position = position, position + size
        if number == 1 and raw.startswith(_UTF16):
            problems.add(file, 1, "encoding", "UTF-16 from byte 0 on; save the file as UTF-8")
            return
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw, start = raw[len(codecs.BOM_UTF8) :], len(codecs.BOM_UTF8)
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            if clean:
                problems.add(
                    file, number, "encoding", f"not UTF-8 at byte {start + error.start}; save the file as UTF-8"
                )
            clean = False
            yield number, raw.decode(errors="replace")


def _raw_lines(stream: BinaryIO, file: str, problems: Problems) -> Iterator[tuple[int, bytes, int]]:
    """Number, bytes and size of each line; of one that is too long, no bytes."""
    number = 0
    while raw := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        size = len(raw)
        if size > MAX_LINE_BYTES:
            problems.add(
                file, number, "line", f"longer than {MAX_LINE_BYTES:,} bytes; split the text over several records"
            )
            while not raw.endswith(b"\n") and (raw := stream.readline(MAX_LINE_BYTES)):
                size += len(raw)
            raw = b""
        yield number, raw, size
