"""A filter over the ids of a memory that knows all that it takes: asked id by id, or for a whole store at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class IdFilter:
    """Takes the ids whose place in `mask` is true, and no unknown ones.

    `ids` is one and the same list for all filters over the same items; `rows` has the place of each id in it.
    """

    ids: Sequence[str]
    rows: Mapping[str, int]
    mask: Mask

    def __call__(self, id_: str) -> bool:
        row = self.rows.get(id_)
        return row is not None and bool(self.mask[row])

    @property
    def share(self) -> float:
        """How much of everything it takes, 0..1."""
        return float(self.mask.mean()) if len(self.mask) else 0.0

    def __and__(self, other: IdFilter) -> IdFilter:
        """Takes what both take; both are over the same items."""
        return IdFilter(self.ids, self.rows, self.mask & other.mask)

    def __sub__(self, other: IdFilter) -> IdFilter:
        """Takes what this one takes and the other does not; both are over the same items."""
        return IdFilter(self.ids, self.rows, self.mask & ~other.mask)


class Places:
    """Where the ids of a store stand among those of a filter: found once, then every filter is a mask of the store."""

    def __init__(self, ids: Sequence[str], filter_: IdFilter):
        self._filter_ids = filter_.ids
        self._rows = np.fromiter((filter_.rows.get(id_, -1) for id_ in ids), dtype=np.int64, count=len(ids))

    def fits(self, filter_: IdFilter) -> bool:
        return filter_.ids is self._filter_ids

    def mask(self, filter_: IdFilter) -> Mask:
        """For each id of the store whether the filter takes it. Ids that the filter does not know stand at -1."""
        mask: Mask = np.append(filter_.mask, False)[self._rows]
        return mask
