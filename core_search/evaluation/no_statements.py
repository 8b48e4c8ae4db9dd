"""Stores that hide the statements, for the ablation that asks what statements are worth.

Only vectors and BM25 are hidden: the graph's own paths (aspects, entities, time) need statements to be paths at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core_search.models import Namespace
from core_search.stores.base import LexicalField, LexicalStore, VectorHit, VectorStore

_HIDDEN = frozenset({Namespace.STATEMENT, Namespace.ASPECT})


class VectorsWithoutStatements:
    """A `VectorStore` in which STATEMENT and ASPECT are empty. Reads only."""

    def __init__(self, store: VectorStore):
        self._store = store

    def add(self, *_: Any, **__: Any) -> None:
        raise TypeError("an ablation does not write")

    def search(
        self,
        namespace: Namespace,
        vector: NDArray[np.float32],
        limit: int,
        accepts: Callable[[str], bool] | None = None,
        minimum: float = -1.0,
    ) -> list[VectorHit]:
        return [] if namespace in _HIDDEN else self._store.search(namespace, vector, limit, accepts, minimum)

    def vectors(self, namespace: Namespace, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        return {} if namespace in _HIDDEN else self._store.vectors(namespace, ids)

    def count(self, namespace: Namespace) -> int:
        return 0 if namespace in _HIDDEN else self._store.count(namespace)

    def close(self) -> None:
        """The store belongs to the engine, which closes it."""


class LexicalWithoutStatements:
    """A `LexicalStore` in which STATEMENT is empty. Reads only."""

    def __init__(self, store: LexicalStore):
        self._store = store

    def write(self, *_: Any, **__: Any) -> None:
        raise TypeError("an ablation does not write")

    def search(
        self, field: LexicalField, query: str, limit: int, accepts: Callable[[str], bool] | None = None
    ) -> list[tuple[str, float]]:
        return [] if field is LexicalField.STATEMENT else self._store.search(field, query, limit, accepts)

    def scores(self, field: LexicalField, query: str, ids: Sequence[str]) -> dict[str, float]:
        return {} if field is LexicalField.STATEMENT else self._store.scores(field, query, ids)

    def best_possible(self, field: LexicalField, query: str) -> float:
        return 0.0 if field is LexicalField.STATEMENT else self._store.best_possible(field, query)

    def close(self) -> None:
        """The store belongs to the engine, which closes it."""
