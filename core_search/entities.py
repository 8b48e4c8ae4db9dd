"""From a hint in a query to entities of the memory (SPEC 2, "Resolving a hint").

First an exact match of normalised names, then vectors in ENTITY above the threshold. Kinship and role words
("wife", "manager") are found through aliases and through attributes that say what somebody is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core_search.models import Entity, EntityType, Namespace
from core_search.providers.base import Embedder
from core_search.stores.base import VectorStore

# Attributes whose value names a person by what they are, so that "my wife" finds {"relation": "wife"}.
ROLE_ATTRIBUTES = frozenset({"relation", "relationship", "role", "kinship", "title", "position"})
OWNER_WORDS = frozenset({"i", "me", "my", "myself", "mine", "user", "the user"})

_POSSESSIVE = re.compile(r"['’](s|S)?$")
_ARTICLE = re.compile(r"^(the|a|an|my|our|his|her|their)\s+(?=\S)")
_WORD = re.compile(r"\w+(?:['’.\-&+#/]\w+)*[+#]*", re.UNICODE)
_NO_SPACES = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힯฀-๿]")
_USUAL_WORDS = 8  # of a name
_LONGEST_TEXT = 20_000  # characters of a query that are searched for names; agents paste whole files


def normalise(name: str) -> str:
    """NFKC, case folded, Latin diacritics folded, possessive and leading article stripped, spaces joined."""
    text = unicodedata.normalize("NFKC", name).casefold().strip(' \t\n\r.,;:!?"“”()[]')
    if not text.isascii():
        text = "".join(_fold(char) for char in text)
    text = _POSSESSIVE.sub("", text)
    text = " ".join(text.split())
    return _ARTICLE.sub("", text)


def _fold(char: str) -> str:
    """A Latin letter without its marks; other scripts keep theirs, where a mark is part of the letter."""
    base = unicodedata.normalize("NFD", char)
    if len(base) > 1 and "a" <= base[0] <= "z":
        return base[0]
    return {"ø": "o", "ł": "l", "đ": "d", "ı": "i"}.get(char, char)


class EntityNames:
    """The names of a memory, looked up exactly. Predicates label edges and are never found."""

    def __init__(self, entities: Iterable[Entity]):
        self._by_name: dict[str, list[str]] = {}
        self._by_role: dict[str, list[str]] = {}
        self._keys_by_entity: dict[str, frozenset[str]] = {}
        self._name_of: dict[str, str] = {}
        sizes = {1}
        self._unspaced: list[str] = []
        for entity in entities:
            if entity.type is EntityType.PREDICATE:
                continue
            self._name_of[entity.uuid] = entity.name
            self._keys_by_entity[entity.uuid] = frozenset(key.casefold() for key in entity.attributes)
            for name in (entity.name, *entity.aliases):
                self._add(self._by_name, name, entity.uuid)
            for key, value in entity.attributes.items():
                if key.casefold() in ROLE_ATTRIBUTES:
                    self._add(self._by_role, value, entity.uuid)
        self._keys = frozenset().union(*self._keys_by_entity.values())
        for name in self._by_name:
            sizes.add(len(_WORD.findall(name)))
            if _NO_SPACES.search(name):
                self._unspaced.append(name)
        # All sizes that are usual, and of longer names their own, one less and one more for an article: otherwise
        # one name of 160 words costs every long query 160 passes.
        near = {size + more for size in sizes for more in (-1, 0, 1)}
        self._sizes = [n for n in range(max(sizes), 0, -1) if n <= _USUAL_WORDS or n in near]

    @staticmethod
    def _add(index: dict[str, list[str]], name: str, uuid: str) -> None:
        key = normalise(name)
        if key and uuid not in index.setdefault(key, []):
            index[key].append(uuid)

    def __contains__(self, uuid: str) -> bool:
        """Whether an entity has that uuid."""
        return uuid in self._name_of

    def __getitem__(self, uuid: str) -> str:
        """The name of an entity."""
        return self._name_of[uuid]

    def exact(self, hint: str) -> list[str]:
        """Entity uuids whose name or alias is the hint; when there is none, those whose role it is."""
        key = normalise(hint)
        return list(self._by_name.get(key) or self._by_role.get(key) or ())

    def knows(self, name: str) -> bool:
        return bool(self.exact(name))

    def attribute_keys(self) -> frozenset[str]:
        return self._keys

    def attribute_keys_of(self, name: str) -> frozenset[str]:
        """The attribute keys of the entities that have that name or role, lower case."""
        return frozenset().union(*(self._keys_by_entity[uuid] for uuid in self.exact(name)))

    def find_in(self, text: str) -> list[str]:
        """Names and aliases that stand in the text as whole words, as the text writes them, longest first; those of
        a writing without spaces wherever they stand, normalised."""
        text = text[:_LONGEST_TEXT]
        words = list(_WORD.finditer(text))
        found: dict[str, None] = {}
        taken: set[int] = set()
        for size in (size for size in self._sizes if size <= len(words)):
            for first in range(len(words) - size + 1):
                span = range(first, first + size)
                if not taken.isdisjoint(span):
                    continue
                written = text[words[first].start() : words[first + size - 1].end()]
                if normalise(written) in self._by_name:
                    taken.update(span)
                    found[_POSSESSIVE.sub("", written)] = None
        folded = unicodedata.normalize("NFKC", text).casefold()
        for name in self._unspaced:
            if name in folded:
                found.setdefault(name)
        return sorted(found, key=lambda name: (-len(name), name))


@dataclass(frozen=True, slots=True)
class Match:
    """An entity that a hint may mean. `how` is exact, owner or vector; `cosine` is None for the first two."""

    entity: str
    how: str
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """What one hint was resolved to, and the nearest entities that stayed below the threshold."""

    hint: str
    matches: tuple[Match, ...]
    near_misses: tuple[Match, ...] = ()

    @property
    def entity_ids(self) -> tuple[str, ...]:
        return tuple(match.entity for match in self.matches)


NEAR_MISSES = 3  # shown in the trace beside what was resolved


class HintResolver:
    """Resolves hints against one memory."""

    def __init__(self, names: EntityNames, vectors: VectorStore, embedder: Embedder, owner: str | None):
        self._names, self._vectors, self._embedder, self._owner = names, vectors, embedder, owner

    def resolve(self, hints: Sequence[str], threshold: float, limit: int) -> list[Resolution]:
        """Each hint in its order, with at most `limit` entities whose cosine reaches `threshold`."""
        unknown = [hint for hint in hints if not self._exact(hint)]
        embedded = dict(zip(unknown, self._embedder.embed(unknown), strict=True)) if unknown else {}
        resolutions = []
        for hint in hints:
            if exact := self._exact(hint):
                resolutions.append(Resolution(hint, tuple(exact[:limit]), tuple(exact[limit:])))
                continue
            hits = self._vectors.search(Namespace.ENTITY, embedded[hint], limit + NEAR_MISSES)
            matches = [Match(hit.id, "vector", hit.cosine) for hit in hits]
            good = [match for match in matches if match.cosine is not None and match.cosine >= threshold][:limit]
            rest = [match for match in matches if match not in good]
            resolutions.append(Resolution(hint, tuple(good), tuple(rest[:NEAR_MISSES])))
        return resolutions

    def _exact(self, hint: str) -> list[Match]:
        if found := self._names.exact(hint):
            return [Match(uuid, "exact") for uuid in found]
        if self._owner and hint.strip().casefold() in OWNER_WORDS:
            return [Match(self._owner, "owner")]
        return []
