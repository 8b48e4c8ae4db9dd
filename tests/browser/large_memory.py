"""A memory of 20,000 episodes, built in seconds: short texts, and vectors from a seed instead of a model."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core_search import SearchEngine, Settings
from core_search.ingest.values import Bundle
from core_search.models import Episode
from core_search.providers.base import Embedder
from core_search.providers.build import build_providers
from tests.small import ENTITIES, LABELS, NOW, bundle, fact

EPISODES = 20_000
STATEMENTS = 2_000
THINGS = ("code review", "pull request", "soup", "chess", "garden", "train", "invoice", "meeting", "holiday", "roof")
VERBS = ("Ann wrote about", "Bob asked for", "Cy planned", "Dee forgot", "Max finished", "everybody discussed")
PLACES = ("in the kitchen", "at the office", "on the train", "by phone", "over lunch", "in Lyon", "at the club")


class SeededVectors:
    """An `Embedder` that says it is `real` and makes a vector of one of 50 directions and some noise."""

    def __init__(self, real: Embedder):
        self.model, self.dimension, self.profile, self._real = real.model, real.dimension, real.profile, real
        self._directions = np.random.default_rng(7).normal(size=(50, self.dimension))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length; a few texts (names, labels) by the real model."""
        if len(texts) < 30:
            return self._real.embed(texts)
        marks = [zlib.crc32(text.encode()) for text in texts]
        noise = np.random.default_rng(marks).normal(size=(len(texts), self.dimension))
        vectors = self._directions[[mark % 50 for mark in marks]] + 0.7 * noise
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def large_bundle() -> Bundle:
    """Three years of episodes, a tenth of them with a statement."""
    return bundle("sample", episodes=tuple(map(_episode, range(EPISODES))), statements=_statements(), documents=())


def _episode(number: int) -> Episode:
    text = f"{VERBS[number % 6].capitalize()} the {THINGS[number % 10]} {PLACES[number % 7]}, note {number}."
    when = NOW - timedelta(minutes=78 * number + 1)
    labels = (LABELS[number % 2].id,) if number % 10 < 3 else ()
    return Episode(
        uuid=f"e{number}",
        content=text,
        created_at=when,
        valid_at=when,
        session_id=f"s{number // 8}",
        label_ids=labels,
    )


def _statements():
    people = [entity.uuid for entity in ENTITIES[:5]]
    return tuple(
        fact(
            f"st{number}",
            f"Max prefers the {THINGS[number % 10]} {PLACES[number % 7]}, fact {number}.",
            ("Preference", "Belief", "Knowledge")[number % 3],
            number / 2,
            f"e{number * 10}",
            subject=people[number % 5],
            object=people[(number + 1) % 5] if number % 3 == 2 else None,
        )
        for number in range(STATEMENTS)
    )


def build(home: Path) -> None:
    """Load it as the sample of that home."""
    settings = Settings(home=home)
    providers = build_providers(settings)
    with SearchEngine(settings, replace(providers, embedder=SeededVectors(providers.embedder))) as engine:
        engine.load(large_bundle())
