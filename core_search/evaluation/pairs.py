"""Pairs of texts that belong together and pairs that do not, as cosines, for each threshold of an embedding profile.

All come from a memory's judged queries and from its entities. "Good" episodes are those graded 2 or better, or, where
a query has none, those graded 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core_search.engine import OpenMemory, SearchEngine
from core_search.entities import ROLE_ATTRIBUTES, normalise
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.qrels import relevant
from core_search.models import VOICE_ASPECTS, Entity, Namespace
from core_search.results import SearchRequest

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Pairs:
    """Cosines of pairs that belong together and of pairs that do not."""

    right: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)

    def plus(self, other: Pairs) -> Pairs:
        return Pairs(self.right + other.right, self.wrong + other.wrong)


def query_pairs(engine: SearchEngine, judged: JudgedSet) -> Mapping[str, Pairs]:
    """Pairs of queries with `episode`s, `label`s and `voice` statements."""
    pairs = {"episode": Pairs(), "label": Pairs(), "voice": Pairs()}
    with engine.memory(judged.workspace) as memory:
        stores = memory.stores
        episodes = stores.vectors.vectors(Namespace.EPISODE, stores.catalog.episode_ids)
        labels = stores.vectors.vectors(Namespace.LABEL, [label.id for label in stores.labels])
        voice_ids = [id_ for id_ in stores.catalog.statement_ids if stores.catalog.aspect(id_) in VOICE_ASPECTS]
        voice = stores.vectors.vectors(Namespace.STATEMENT, voice_ids)
        for vector, good in _queries(engine, memory, judged):
            _sort_episodes(pairs["episode"], vector, episodes, good)
            _sort_labels(pairs["label"], vector, labels, _carried(memory, good))
            _sort_voice(pairs["voice"], vector, voice, memory, good)
    return pairs


def _queries(engine: SearchEngine, memory: OpenMemory, judged: JudgedSet) -> Iterator[tuple[Vector, set[str]]]:
    for query, grades in judged.judged():
        good = relevant(grades, 2) or relevant(grades)
        if good:
            request = SearchRequest(query=query.query, workspace=judged.workspace, now=query.now)
            yield engine.context(memory, request).vector, good


def _sort_episodes(pairs: Pairs, vector: Vector, episodes: Mapping[str, Vector], good: set[str]) -> None:
    for id_, other in episodes.items():
        (pairs.right if id_ in good else pairs.wrong).append(float(vector @ other))


def _carried(memory: OpenMemory, good: set[str]) -> set[str]:
    """Labels that at least half of the good episodes carry: one episode has labels for its other topics too."""
    stored = memory.stores.graph.episodes(good)
    counts = Counter(label for episode in stored.values() for label in episode.label_ids)
    return {label for label, count in counts.items() if 2 * count >= len(stored)}


def _sort_labels(pairs: Pairs, vector: Vector, labels: Mapping[str, Vector], carried: set[str]) -> None:
    """Of the labels that the good episodes carry the best counts: one that matches scopes the search to them."""
    cosines = {id_: float(vector @ other) for id_, other in labels.items()}
    if carried:
        pairs.right.append(max(cosines[id_] for id_ in carried))
        pairs.wrong.extend(cosine for id_, cosine in cosines.items() if id_ not in carried)


def _sort_voice(pairs: Pairs, vector: Vector, voice: Mapping[str, Vector], memory: OpenMemory, good: set[str]) -> None:
    """Of a good episode the best voice statement counts: it says more than one thing, the query asks for one."""
    best: dict[str, float] = {}
    for id_, other in voice.items():
        cosine = float(vector @ other)
        episodes = good.intersection(memory.stores.catalog.episodes_of(id_))
        for episode in episodes:
            best[episode] = max(best.get(episode, -1.0), cosine)
        if not episodes:
            pairs.wrong.append(cosine)
    pairs.right.extend(best[episode] for episode in sorted(best))


def hint_pairs(engine: SearchEngine, workspace: str) -> Pairs:
    """Hints that no exact match catches, with the entity that they mean and with the nearest other one.

    Hints are made from the entities: each alias, role and word of a name on its own, and each name with its middle
    letter left out, as far as that text is not itself a name of the memory or could mean two entities.
    """
    pairs = Pairs()
    with engine.memory(workspace) as memory:
        entities = memory.stores.graph.all_entities()
        vectors = memory.stores.vectors.vectors(Namespace.ENTITY, [entity.uuid for entity in entities])
        hints = {
            hint: meant
            for hint, meant in _hints(entities).items()
            if len(meant) == 1 and not memory.stores.names.exact(hint)
        }
    if not hints or len(vectors) < 2:
        return pairs
    ids = sorted(vectors)
    cosines = engine.providers.embedder.embed(list(hints)) @ np.stack([vectors[id_] for id_ in ids]).T
    for row, meant in zip(cosines, hints.values(), strict=True):
        place = ids.index(next(iter(meant)))
        pairs.right.append(float(row[place]))
        pairs.wrong.append(float(np.delete(row, place).max()))
    return pairs


def _hints(entities: Sequence[Entity]) -> dict[str, set[str]]:
    """The entities that each made-up hint could mean, hints in the order of the entities."""
    hints: dict[str, set[str]] = {}
    for entity in entities:
        for text in _texts(entity):
            if len(normalise(text)) > 2:
                hints.setdefault(normalise(text), set()).add(entity.uuid)
    return hints


def _texts(entity: Entity) -> Iterator[str]:
    yield from (value for key, value in entity.attributes.items() if key.casefold() in ROLE_ATTRIBUTES)
    for name in (entity.name, *entity.aliases):
        words = name.split()
        if len(words) > 1:
            yield from words
        if len(name) > 4:
            middle = len(name) // 2
            yield name[:middle] + name[middle + 1 :]
