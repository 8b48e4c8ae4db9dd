"""The lines of a TREC file as words, with every fault told by file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from core_search.errors import UsageError
from core_search.ingest.lines import read_lines
from core_search.ingest.problems import Problems
from core_search.ingest.source import Folder


def read_words(path: Path, columns: Sequence[str], problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Line numbers from 1 and words of the lines that have one word a column; blank lines are passed over."""
    if not path.is_file():
        raise UsageError(f"there is no file {str(path)!r}; give the path of a TREC file")
    for line, text in read_lines(Folder(path.parent), path.name, problems):
        words = text.split()
        if len(words) == len(columns):
            yield line, words
        else:
            reason = f"{len(words)} words; write {len(columns)}: {', '.join(columns)}"
            problems.add(path.name, line, "line", reason)
