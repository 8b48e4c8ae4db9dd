"""A synthetic memory of any size: seeded, with the lengths and the skew of a real one.

Texts have 20 to 120 words, a quarter of them of one topic and its domain, the others with Zipf's frequencies. Sessions
have about 6 episodes and a document. An episode has three statements, a tenth of which another one invalidates later.
Topics, labels and entities are skewed; the owner is the subject of a fifth of all statements and more.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.random import Generator

from core_search.bench.words import DOMAINS, PREDICATES
from core_search.bench.world import SEED, World, uuids, zipf
from core_search.ingest.values import Bundle, Header
from core_search.models import VOICE_ASPECTS, Aspect, Document, Episode, Memory, Statement

STATEMENTS_PER_EPISODE = 3
SESSION_SIZES = (3, 10)  # 6 on average
WORDS = (20, 120)  # an episode; most have about 60
FACT_WORDS = (6, 14)
PAIR_SHARE, DOMAIN_SHARE = 0.14, 0.12  # of the words of a text: of its topic, of the domain around it
INVALIDATED_SHARE = 0.1
INVALIDATED_WITHIN = 3_000  # statements that come between one and the other at most
OWNER_SHARE = 0.2
CLOCK = datetime(2026, 1, 1, tzinfo=UTC)
YEARS = 3
USERS = ("user-1", "user-2", "user-3")
# In the order of `Aspect`: two fifths are voice aspects, as in memories of assistants.
_ASPECT_SHARES = (0.04, 0.12, 0.08, 0.06, 0.05, 0.05, 0.10, 0.20, 0.08, 0.10, 0.05, 0.07)
_ASPECTS = tuple(Aspect)


def description() -> str:
    """What a stored memory was made by: another text means that it must be made anew."""
    return f"synthetic memory, version 3, seed {SEED}"


def synthetic_bundle(name: str, episodes: int) -> Bundle:
    """The memory of that many episodes, with its clock and owner. Its version is V2, so that V1 answers too."""
    world = World(episodes)
    random = np.random.default_rng((SEED, 3))
    header = Header(name=name, version="V2", clock=CLOCK, owner=world.entities[0].uuid, description=description())
    texts = _Texts(world, random)
    sessions = list(_sessions(random, episodes))
    topics = _repeated(random.choice(len(world.topics), size=len(sessions), p=zipf(len(world.topics), 0.7)), sessions)
    instants = _instants(random, sessions)
    made = _episodes(world, random, texts, sessions, topics, instants)
    statements = _statements(world, random, texts, made, topics)
    documents = _documents(random, texts, made, sessions, topics)
    memory = Memory(
        labels=world.labels,
        episodes=tuple(made),
        entities=(*world.entities, *world.predicates),
        statements=tuple(statements),
        documents=tuple(documents),
    )
    return Bundle(header=header, memory=memory)


class _Texts:
    """Runs of words about a topic."""

    def __init__(self, world: World, random: Generator):
        self._random = random
        self._filler = world.filler
        self._shares = np.cumsum(zipf(len(world.filler)))
        self._topics = [(topic.words, DOMAINS[topic.domain]) for topic in world.topics]

    def about(self, topics: list[int], lengths: list[int]) -> list[str]:
        """A text for each topic and length in words."""
        total = sum(lengths)
        filler = np.searchsorted(self._shares, self._random.random(total) * self._shares[-1]).tolist()
        dice = self._random.random(total).tolist()
        texts, start = [], 0
        for topic, length in zip(topics, lengths, strict=True):
            part = slice(start, start + length)
            words = [self._word(topic, rare, die) for rare, die in zip(filler[part], dice[part], strict=True)]
            texts.append(" ".join(words).capitalize() + ".")
            start += length
        return texts

    def _word(self, topic: int, filler: int, die: float) -> str:
        """A word of the topic, of its domain or of any text, by a number in 0..1."""
        pair, domain = self._topics[topic]
        if die < PAIR_SHARE:
            return pair[die > PAIR_SHARE / 2]
        if die < PAIR_SHARE + DOMAIN_SHARE:
            return domain[int((die - PAIR_SHARE) / DOMAIN_SHARE * len(domain))]
        return self._filler[filler]


def _sessions(random: Generator, episodes: int) -> Iterator[int]:
    """Sizes of sessions that add up to the number of episodes."""
    while episodes > 0:
        size = min(int(random.integers(*SESSION_SIZES)), episodes)
        episodes -= size
        yield size


def _repeated(values: Any, sessions: list[int]) -> list[int]:
    """The value of each session, for each of its episodes."""
    repeated: list[int] = np.repeat(values, sessions).tolist()
    return repeated


def _instants(random: Generator, sessions: list[int]) -> list[datetime]:
    """Sessions begin all over the years, in order; their episodes follow each other by minutes."""
    begins = np.sort(random.integers(YEARS * 365 * 24 * 60, size=len(sessions))).tolist()
    first = CLOCK - timedelta(days=YEARS * 365)
    return [
        first + timedelta(minutes=begin + 2 * turn)
        for begin, size in zip(begins, sessions, strict=True)
        for turn in range(size)
    ]


def _episodes(
    world: World, random: Generator, texts: _Texts, sessions: list[int], topics: list[int], instants: list[datetime]
) -> list[Episode]:
    count = len(topics)
    lengths = np.clip(random.lognormal(np.log(55), 0.5, size=count), *WORDS).astype(int).tolist()
    contents = texts.about(topics, lengths)
    numbers = _repeated(np.arange(len(sessions)), sessions)
    users = random.choice(len(USERS), size=count, p=(0.8, 0.15, 0.05)).tolist()
    others = random.choice(len(world.labels), size=count, p=zipf(len(world.labels))).tolist()
    episodes = []
    for row, uuid in enumerate(uuids(random, count)):
        labels = {world.topics[topics[row]].label, others[row]} if row % 3 else {world.topics[topics[row]].label}
        episodes.append(
            Episode(
                uuid=uuid,
                content=contents[row],
                source="bench",
                session_id=f"session-{numbers[row]:06}",
                end_user_id=USERS[users[row]],
                created_at=instants[row],
                valid_at=instants[row],
                label_ids=tuple(world.labels[label].id for label in sorted(labels)),
            )
        )
    return episodes


def _statements(
    world: World, random: Generator, texts: _Texts, episodes: list[Episode], topics: list[int]
) -> list[Statement]:
    count = STATEMENTS_PER_EPISODE * len(episodes)
    lengths = random.integers(*FACT_WORDS, size=count).tolist()
    about = texts.about([topic for topic in topics for _ in range(STATEMENTS_PER_EPISODE)], lengths)
    shares = zipf(len(world.entities), 0.8)
    ends = random.choice(len(world.entities), size=(count, 2), p=shares)
    ends[random.random(count) < OWNER_SHARE, 0] = 0
    predicates = random.choice(len(PREDICATES), size=count, p=zipf(len(PREDICATES))).tolist()
    aspects = random.choice(len(_ASPECTS), size=count, p=_ASPECT_SHARES).tolist()
    keys = uuids(random, count)
    invalidators = _invalidators(random, count)
    statements = []
    for row, (subject, object_) in enumerate(ends.tolist()):
        episode = episodes[row // STATEMENTS_PER_EPISODE]
        aspect = _ASPECTS[aspects[row]]
        voice = aspect in VOICE_ASPECTS
        later = invalidators.get(row)
        predicate = world.predicates[predicates[row]]
        words = about[row][:-1].lower()
        subject_name, object_name = world.entities[subject].name, world.entities[object_].name
        statements.append(
            Statement(
                uuid=keys[row],
                fact=f"{subject_name}: {words}" if voice else f"{subject_name} {predicate.name} {object_name}: {words}",
                aspect=aspect,
                valid_at=episode.valid_at,
                invalid_at=None if later is None else episodes[later // STATEMENTS_PER_EPISODE].valid_at,
                invalidated_by=None if later is None else keys[later],
                event_date=episode.valid_at + timedelta(days=2) if aspect is Aspect.EVENT else None,
                subject=world.entities[subject].uuid,
                predicate=None if voice else predicate.uuid,
                object=None if voice else world.entities[object_].uuid,
                episode_uuids=(episode.uuid,),
            )
        )
    return statements


def _invalidators(random: Generator, count: int) -> dict[int, int]:
    """For a share of the statements, the later one that ends them."""
    reach = min(INVALIDATED_WITHIN, count // 4)
    ended = np.flatnonzero(random.random(count) < INVALIDATED_SHARE)
    later = ended + random.integers(STATEMENTS_PER_EPISODE, reach, size=len(ended))
    return {row: by for row, by in zip(ended.tolist(), later.tolist(), strict=True) if by < count}


def _documents(
    random: Generator, texts: _Texts, episodes: list[Episode], sessions: list[int], topics: list[int]
) -> list[Document]:
    lasts = (np.cumsum(sessions) - 1).tolist()
    about = [topics[last] for last in lasts]
    lengths = random.integers(60, 200, size=len(sessions)).tolist()
    contents = texts.about(about, lengths)
    documents = []
    for number, last in enumerate(lasts):
        of = episodes[last - sessions[number] + 1 : last + 1]
        documents.append(
            Document(
                id=f"document-{number:06}",
                session_id=of[0].session_id,
                title=" ".join(contents[number].split()[:4]),
                content=contents[number],
                label_ids=tuple(sorted({label for episode in of for label in episode.label_ids})),
                created_at=of[-1].valid_at,
                updated_at=of[-1].valid_at,
            )
        )
    return documents
