"""What a synthetic memory is about: topics, labels, people and things, drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from uuid import UUID

import numpy as np
from numpy.random import Generator

from core_search.bench.words import (
    COMMON,
    DOMAINS,
    FIRST_NAMES,
    NAME_ENDS,
    NAME_MIDDLES,
    NAME_STARTS,
    PREDICATES,
    SYLLABLES,
)
from core_search.models import Entity, EntityType, Label

SEED = 7
EPISODES_PER_ENTITY = 10  # 10,000 entities at 100,000 episodes
RARE_WORDS = 20_000  # a memory of this size has tens of thousands of words that occur a few times
_TYPES = [EntityType.PERSON, EntityType.ORGANIZATION, EntityType.PLACE, EntityType.PROJECT, EntityType.PRODUCT]
_TYPE_SHARES = (0.5, 0.15, 0.1, 0.15, 0.1)


@dataclass(frozen=True)
class Topic:
    """Two neighbouring words of a domain and the label that stands for that half of the domain."""

    domain: int
    words: tuple[str, str]
    label: int


@dataclass(frozen=True)
class World:
    """Everything but the texts. Equal sizes give equal worlds."""

    episodes: int

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        return tuple(
            Topic(number, pair, 2 * number + (place >= len(words) // 2))
            for number, words in enumerate(DOMAINS)
            for place, pair in enumerate(pairwise(words))
        )

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """Two a domain, named for its first word and for one in its middle."""
        halves = [half for words in DOMAINS for half in (words[: len(words) // 2], words[len(words) // 2 :])]
        return tuple(
            Label(id=f"label-{number:02}", name=half[0], description=", ".join(half[1:]))
            for number, half in enumerate(halves)
        )

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """The owner first; those before others are spoken of more often."""
        random = np.random.default_rng((SEED, 1))
        count = max(20, self.episodes // EPISODES_PER_ENTITY)
        surnames = [start + middle + end for start in NAME_STARTS for middle in NAME_MIDDLES for end in NAME_ENDS]
        pairs = random.choice(len(surnames) * len(FIRST_NAMES), size=count, replace=False)
        kinds = random.choice(len(_TYPES), size=count, p=_TYPE_SHARES)
        attributes = ("birthday", "email", "city", "phone")
        entities = []
        for number, (pair, kind, uuid) in enumerate(
            zip(pairs.tolist(), kinds.tolist(), uuids(random, count), strict=True)
        ):
            first, surname = FIRST_NAMES[pair % len(FIRST_NAMES)], surnames[pair // len(FIRST_NAMES)]
            is_person = number == 0 or _TYPES[kind] is EntityType.PERSON
            entities.append(
                Entity(
                    uuid=uuid,
                    name=f"{first} {surname}" if is_person else f"{surname} {first}",
                    aliases=(surname,) if number % 7 == 0 else (),
                    type=EntityType.PERSON if is_person else _TYPES[kind],
                    attributes={attributes[number % 4]: f"value {number}"} if is_person and number % 3 == 0 else {},
                )
            )
        return tuple(entities)

    @cached_property
    def predicates(self) -> tuple[Entity, ...]:
        return tuple(
            Entity(uuid=f"predicate-{name}", name=name.replace("-", " "), type=EntityType.PREDICATE)
            for name in PREDICATES
        )

    @cached_property
    def filler(self) -> tuple[str, ...]:
        """The words that are of no topic, the most frequent first."""
        random = np.random.default_rng((SEED, 2))
        rare = random.integers(len(SYLLABLES), size=(RARE_WORDS, 4)).tolist()
        return (*COMMON, *dict.fromkeys("".join(SYLLABLES[syllable] for syllable in row) for row in rare))


def zipf(count: int, exponent: float = 1.0) -> Sequence[float]:
    """Shares that fall with the rank, and add up to 1."""
    weights = 1 / np.arange(1, count + 1) ** exponent
    return list(weights / weights.sum())


def uuids(random: Generator, count: int) -> list[str]:
    """Random ids of the usual form and length: keys in no order, as those of a real memory."""
    return [str(UUID(bytes=random.bytes(16), version=4)) for _ in range(count)]
