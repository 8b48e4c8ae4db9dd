"""Exact cosine search over the rows of one namespace in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core_search.errors import StoreError
from core_search.stores.base import VectorHit, VectorRecord, Vectors

# More than single precision can err in the cosine of two unit vectors of a few thousand components.
_SLACK = 1e-5


@dataclass(frozen=True, slots=True)
class ExactRows:
    """Ids and records with their vectors, shape (n, dimension), and the length of each vector, shape (n,)."""

    ids: Sequence[str]
    records: Sequence[VectorRecord]
    vectors: Vectors
    lengths: NDArray[np.float32]

    @classmethod
    def of(cls, ids: Sequence[str], records: Sequence[VectorRecord], vectors: Vectors) -> ExactRows:
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))  # a third of the time of numpy's norm
        return cls(ids, records, vectors, np.where(lengths > 0, lengths, 1).astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[ExactRows]) -> ExactRows:
        """The rows of all parts, in their order."""
        return cls(
            [id for part in parts for id in part.ids],
            [record for part in parts for record in part.records],
            np.concatenate([part.vectors for part in parts]),
            np.concatenate([part.lengths for part in parts]),
        )

    def nearest(
        self,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None,
        minimum: float,
    ) -> list[VectorHit]:
        """As `VectorStore.search`. A zero vector has cosine 0 with everything.

        Single precision finds the candidates, down to `_SLACK` below the last one wanted. Their cosines are
        then computed in double precision row by row, so that equal vectors have equal cosines and tie by id.
        """
        if len(vector) != self.vectors.shape[1]:
            raise StoreError(
                f"the vectors have dimension {self.vectors.shape[1]}, the query {len(vector)}; use the embedding model "
                "that the workspace was made with, or run: core-search reembed"
            )
        length = float(np.linalg.norm(vector)) or 1.0
        unit = vector.astype(np.float64) / length
        rough = (self.vectors @ unit.astype(np.float32)) / self.lengths
        chosen = self._above(rough, limit, minimum) if accepts is None else self._taken(rough, limit, accepts, minimum)
        exact = self.vectors[chosen].astype(np.float64)
        cosines = (exact * unit).sum(axis=1) / np.where(exact.any(axis=1), np.linalg.norm(exact, axis=1), 1)
        hits = [
            VectorHit(self.ids[row], cosine, self.records[row])
            for row, cosine in zip(chosen, np.clip(cosines, -1, 1).tolist(), strict=True)
            if cosine >= minimum
        ]
        return best_first(hits)[:limit]

    @staticmethod
    def _above(rough: NDArray[np.float32], limit: int, minimum: float) -> list[int]:
        """The rows that may be among the `limit` best."""
        last = np.partition(rough, -limit)[-limit] if limit < len(rough) else -np.inf
        chosen: list[int] = np.flatnonzero(rough >= max(float(last), minimum) - _SLACK).tolist()
        return chosen

    def _taken(
        self, rough: NDArray[np.float32], limit: int, accepts: Callable[[str], bool], minimum: float
    ) -> list[int]:
        """As `_above`, of those that `accepts` takes; it is asked about the best first, and no more than needed."""
        chosen: list[int] = []
        edge = minimum - _SLACK
        order = np.argsort(-rough, kind="stable")
        for row, cosine in zip(order.tolist(), rough[order].tolist(), strict=True):
            if cosine < edge:
                break
            if accepts(self.ids[row]):
                chosen.append(row)
                if len(chosen) == limit:
                    edge = max(edge, cosine - _SLACK)
        return chosen


def best_first(hits: list[VectorHit]) -> list[VectorHit]:
    """By cosine, ties by id."""
    return sorted(hits, key=lambda hit: (-hit.cosine, hit.id))
