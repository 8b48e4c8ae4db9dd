"""Whether a query without any sign is of the world or of a memory: by its nearest labelled examples.

Measured on 40 questions of each kind that are neither examples nor part of the labelled set: with the local model
35 of the world's are closed and none of the memory's; without the examples all of them would be searched.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from core_search.providers.base import Embedder
from core_search.router.rules.exemplars import MEMORY, WORLD

# The mean cosine to the three nearest examples of a kind; one odd neighbour does not decide.
NEIGHBOURS = 3
# How much nearer the world must be before a query is closed: a search too many costs less than one that is refused.
MARGIN = 0.05
# A name that the memory does not know may still be one of its people.
MARGIN_WITH_NAME = 0.10


class WorldOrMemory:
    """Compares queries with the examples, which are embedded on first use (about a second)."""

    def __init__(self, embedder: Embedder):
        self._embedder = embedder
        self._lock = threading.Lock()
        self._examples: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None

    def margin(self, text: str) -> float:
        """By how much `text` is nearer to the world's questions (above 0) than to a memory's, as cosine."""
        world, memory = self._embedded()
        vector = self._embedder.embed([text])[0]
        return _nearness(world, vector) - _nearness(memory, vector)

    def _embedded(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with self._lock:
            if self._examples is None:
                self._examples = (self._embedder.embed(WORLD), self._embedder.embed(MEMORY))
            return self._examples


def _nearness(examples: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    return float(np.sort(examples @ vector)[-NEIGHBOURS:].mean())
