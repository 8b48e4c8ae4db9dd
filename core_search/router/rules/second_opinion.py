"""A second opinion on the kind of a query where no rule found a strong sign: a linear model over the embedding.

Ridge regression from the vector of the query (names masked, date words gone) and four cues to a score per kind, aspect
and property, fitted on `opinion_examples.txt`. For the local model the fitted weights lie beside this file, written by
`python -m core_search.router.rules.second_opinion`; for any other model the examples are embedded on first use.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core_search.models import Aspect, QueryType
from core_search.providers.base import Embedder
from core_search.router.rules.exemplars import WORLD
from core_search.router.rules.hints import MASK

EXAMPLES = Path(__file__).with_name("opinion_examples.txt")
WEIGHTS = Path(__file__).with_name("opinion_weights.npz")
# A name that says nothing about its bearer: the model knows no mask.
SOMEBODY = "Anna"
# A cue beside a unit vector, and the strength of the ridge: chosen by cross-validation; twice or half changes little.
CUE, RIDGE = 0.3, 1.0
# Aspects that score this close to the best one are asked for as well.
ASPECT_MARGIN = 0.1
MOST_ASPECTS = 2
# A property is asked for from this score on.
PROPERTY_SCORE = 0.2
# The many examples for properties shall not make every question a look-up.
PROPERTY_WEIGHT = 0.1
KINDS, ASPECTS = tuple(QueryType), tuple(Aspect)


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its kind; None for one of the world, which is of no kind."""

    text: str
    kind: QueryType | None
    aspects: tuple[Aspect, ...] = ()
    dated: bool = False
    attribute: str | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """Scores by kind, about 0 (no) to 1 (yes); the likeliest aspects should it be an aspect query, and the property
    should it be a look-up of one."""

    scores: dict[QueryType, float]
    aspects: tuple[Aspect, ...]
    attribute: str | None

    def best(self, kinds: Sequence[QueryType] = KINDS) -> QueryType:
        return max(kinds, key=lambda kind: self.scores[kind])

    def lead_over(self, kind: QueryType) -> float:
        """By how much the best kind scores above `kind`."""
        return max(self.scores.values()) - self.scores[kind]


class SecondOpinion:
    """The model over one embedder; loads or fits its weights on first use."""

    def __init__(self, embedder: Embedder):
        self._embedder = embedder
        self._lock = threading.Lock()
        self._weights: NDArray[np.float32] | None = None

    def of(self, masked: str, dated: bool) -> Opinion:
        """The opinion on a query with `ʘ` for its names and without its date words."""
        with self._lock:
            if self._weights is None:
                self._weights = stored(self._embedder) if WEIGHTS.exists() else None
            if self._weights is None:
                self._weights = fit(self._embedder)
        scores = (_features(self._embedder, [Example(masked, None, dated=dated)]) @ self._weights)[0]
        by_kind = {kind: float(score) for kind, score in zip(KINDS, scores, strict=False)}
        by_aspect = scores[len(KINDS) : len(KINDS) + len(ASPECTS)]
        by_property = scores[len(KINDS) + len(ASPECTS) :]
        likeliest = int(by_property.argmax())
        attribute = _attributes()[likeliest] if by_property[likeliest] >= PROPERTY_SCORE else None
        order = np.argsort(-by_aspect)[:MOST_ASPECTS]
        near = [index for index in order if by_aspect[index] >= by_aspect[order[0]] - ASPECT_MARGIN]
        return Opinion(by_kind, tuple(ASPECTS[index] for index in near), attribute)


@lru_cache(maxsize=1)
def read_examples() -> tuple[Example, ...]:
    """The labelled examples, and those of the world."""
    found: list[Example] = []
    for line in EXAMPLES.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        label, _, text = line.partition(" | ")
        kind, _, aspects = label.lstrip("@").partition(":")
        kind, _, attribute = kind.partition("=")
        named = tuple(Aspect(aspect) for aspect in aspects.split(",")) if aspects else ()
        found.append(Example(text, QueryType(kind), named, label.startswith("@"), attribute or None))
    return (*found, *(Example(text, None) for text in WORLD))


@lru_cache(maxsize=1)
def _attributes() -> tuple[str, ...]:
    """The properties that the examples ask for."""
    return tuple(sorted({example.attribute for example in read_examples() if example.attribute}))


def fit(embedder: Embedder) -> NDArray[np.float32]:
    """The weights, shape (dimension + 4, kinds + aspects + attributes), by ridge regression; rare kinds weigh more."""
    examples = read_examples()
    features = _features(embedder, examples).astype(np.float64)
    targets = np.array(
        [
            [example.kind is kind for kind in KINDS]
            + [aspect in example.aspects for aspect in ASPECTS]
            + [example.attribute == attribute for attribute in _attributes()]
            for example in examples
        ],
        dtype=np.float64,
    )
    shares = np.array([PROPERTY_WEIGHT if example.attribute else 1.0 for example in examples])
    groups = {kind: sum(shares[[example.kind is kind for example in examples]]) for kind in (*KINDS, None)}
    shares *= [(sum(groups.values()) / len(groups) / groups[example.kind]) ** 0.5 for example in examples]
    properties = len(KINDS) + len(ASPECTS)
    return np.hstack(
        [
            _solved(features, targets[:, :properties], shares),
            _solved(features, targets[:, properties:], np.ones(len(examples))),
        ]
    )


def _solved(
    features: NDArray[np.float64], targets: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float32]:
    weighted = features * shares[:, None]
    gram = weighted.T @ features + RIDGE * np.eye(features.shape[1])
    weights: NDArray[np.float32] = np.linalg.solve(gram, weighted.T @ targets).astype(np.float32)
    return weights


def stored(embedder: Embedder) -> NDArray[np.float32] | None:
    """The weights beside this file; None when they are of another model or of other examples."""
    with np.load(WEIGHTS) as file:
        if str(file["model"]) != embedder.model or str(file["examples"]) != _digest():
            return None
        weights: NDArray[np.float32] = file["weights"].astype(np.float32)
    return weights


def _features(embedder: Embedder, examples: Sequence[Example]) -> NDArray[np.float32]:
    vectors = embedder.embed([example.text.replace(MASK, SOMEBODY) for example in examples])
    cues = [(MASK in item.text, item.dated, item.text.count(MASK) > 1, True) for item in examples]
    return np.hstack([vectors, CUE * np.array(cues, dtype=np.float32)])


def _digest() -> str:
    return hashlib.sha256(repr(read_examples()).encode()).hexdigest()


if __name__ == "__main__":
    from core_search.providers.local_embeddings import LocalEmbedder

    local = LocalEmbedder()
    np.savez_compressed(WEIGHTS, weights=fit(local).astype(np.float16), model=local.model, examples=_digest())
