"""What each of many rows is linked to, as two arrays: sparse rows without values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from core_search.stores.id_filter import Mask

BEFORE = np.iinfo(np.int64).min  # earlier than any instant

Rows = NDArray[np.int64]


class Edges:
    """For each row on the left its rows on the right: those of row n are `ends[starts[n]:starts[n + 1]]`."""

    def __init__(self, starts: Rows, ends: Rows):
        self._starts, self._ends = starts, ends

    @classmethod
    def of(cls, lists: Any, row_by_id: Mapping[str, int]) -> Edges:
        """From a column of lists of ids."""
        column = lists.combine_chunks()
        ends = [row_by_id[id_] for id_ in column.flatten().to_pylist()]
        starts = np.concatenate([[0], np.cumsum(pc.fill_null(pc.list_value_length(column), 0).to_numpy(False))])
        return cls(starts.astype(np.int64), np.array(ends, dtype=np.int64))

    def reversed(self, count: int) -> Edges:
        """The other way round, for `count` rows."""
        order = np.argsort(self._ends, kind="stable")
        lefts = np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))
        starts = np.concatenate([[0], np.cumsum(np.bincount(self._ends, minlength=count))])
        return Edges(starts.astype(np.int64), lefts[order])

    def without_repetitions(self) -> Edges:
        """Without the ends that follow themselves in one row."""
        lefts = np.repeat(np.arange(len(self._starts) - 1), self.counts)
        first = np.ones(len(self._ends), dtype=np.bool_)
        first[1:] = (self._ends[1:] != self._ends[:-1]) | (lefts[1:] != lefts[:-1])
        return Edges(np.concatenate([[0], np.cumsum(first)])[self._starts].astype(np.int64), self._ends[first])

    @cached_property
    def counts(self) -> Rows:
        """For each row on the left, how many it has on the right."""
        counts: Rows = np.diff(self._starts)
        return counts

    @cached_property
    def filled(self) -> Mask:
        """For each row on the left, whether it has any on the right."""
        return self.counts > 0

    def of_row(self, row: int) -> Rows:
        return self._ends[self._starts[row] : self._starts[row + 1]]

    def of_rows(self, rows: Rows) -> Rows:
        """Those of several rows, one after the other."""
        counts = self._starts[rows + 1] - self._starts[rows]
        before = np.cumsum(counts) - counts  # how many there are of the rows before
        found: Rows = self._ends[np.repeat(self._starts[rows] - before, counts) + np.arange(counts.sum())]
        return found

    def highest(self, values: Rows, rows: Rows) -> Rows:
        """For each of the rows on the left, the highest of the values of its rows on the right; `BEFORE` without."""
        highest = np.full(len(rows), BEFORE, dtype=np.int64)
        has = self.filled[rows]
        if has.any():
            counts = self.counts[rows[has]]
            highest[has] = np.maximum.reduceat(values[self.of_rows(rows[has])], np.cumsum(counts) - counts)
        return highest

    def any(self, mask: Mask) -> Mask:
        """For each row on the left, whether the mask holds for one of its rows on the right."""
        hits = np.concatenate([[0], np.cumsum(mask[self._ends])])
        found: Mask = hits[self._starts[1:]] > hits[self._starts[:-1]]
        return found
