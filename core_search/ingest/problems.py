"""Collects every problem of an input, so that all are told at once, as `file:line: field: reason`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core_search.errors import BundleError

LISTED = 200  # more than anyone reads; a file in the wrong format would list each of its lines


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `line` counts from 1; None where the file has no meaningful lines."""

    file: str
    line: int | None
    field: str
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.field}: {self.reason}"


class Problems:
    """The problems found so far. The first `LISTED` are kept, all are counted."""

    def __init__(self, order: Sequence[str] = ()):
        self._rank = {file: rank for rank, file in enumerate(order)}
        self._kept: list[Problem] = []
        self.count = 0

    def add(self, file: str, line: int | None, field: str, reason: str) -> None:
        self.count += 1
        if len(self._kept) < LISTED:
            self._kept.append(Problem(file, line, field, reason))

    def raise_if_any(self) -> None:
        """Raise one `BundleError` with all that was found, by file and line."""
        if not self.count:
            return
        ordered = sorted(self._kept, key=lambda problem: (self._rank.get(problem.file, -1), problem.line or 0))
        raise BundleError([str(problem) for problem in ordered], more=self.count - len(ordered))
