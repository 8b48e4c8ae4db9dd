"""Vectors for a memory that is too large to be embedded in minutes.

The vector of a long text is the sum of those of its topic words, which a real model made, with some noise of its own:
a real query then finds the texts about its topic among its nearest, in clusters as real texts make them. Short texts
(names, labels) are embedded by the real model.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core_search.bench.words import DOMAINS
from core_search.bench.world import SEED
from core_search.options import EmbeddingProfile
from core_search.providers.base import Embedder

REAL_UP_TO = 7  # words: entities and labels have no more, facts no less than 8
NOISE = 0.5  # length of the noise beside a sum of topic words of length 1
_NOISES = 8_192  # rows; a text takes the sum of two, so that hardly any two texts have the same


class SyntheticEmbedder:
    """An `Embedder` that says it is `real`: the memory that it fills is searched with that one."""

    def __init__(self, real: Embedder):
        self.model = real.model
        self.profile: EmbeddingProfile = real.profile
        self._real = real
        words = sorted({word for domain in DOMAINS for word in domain})
        heads = {word: domain[0] for domain in DOMAINS for word in domain}
        self._row = {word: row for row, word in enumerate(words)}
        self._words = real.embed([f"{word.replace('-', ' ')} ({heads[word]})" for word in words])
        noise = np.random.default_rng((SEED, 4)).normal(size=(_NOISES, self.dimension))
        self._noise = (noise / np.linalg.norm(noise, axis=1, keepdims=True)).astype(np.float32)

    @property
    def dimension(self) -> int:
        return self._real.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length; equal texts have equal vectors."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        split = [text.lower().replace(".", "").split() for text in texts]
        short = [i for i, words in enumerate(split) if len(words) <= REAL_UP_TO]
        if short:
            vectors[short] = self._real.embed([texts[i] for i in short])
        for i, words in enumerate(split):
            if len(words) > REAL_UP_TO:
                vectors[i] = self._mixed(texts[i], words)
        return vectors

    def _mixed(self, text: str, words: list[str]) -> NDArray[np.float32]:
        topics = [row for word in words if (row := self._row.get(word)) is not None]
        signal = self._words[topics].sum(axis=0)  # zero for a text that has no topic word: noise alone
        mark = zlib.crc32(text.encode())
        noise = self._noise[mark % _NOISES] + self._noise[(mark >> 13) % _NOISES]
        vector = _unit(signal) + NOISE * _unit(noise)
        return _unit(vector)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(vector)
    return vector if length == 0 else vector / length
