"""What people look through in a memory: long lists a page at a time, their sizes, the surroundings of one thing.

Reads only, and no part of any search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum

from core_search.context import MemoryStores
from core_search.entities import normalise
from core_search.models import VOICE_ASPECTS, Aspect, Entity, EntityType, ItemKind, Namespace
from core_search.stores.base import LexicalField, Link, Scope, Slice

FOUND_BY_WORDS = 200  # whoever does not find it among so many asks with better words
NEWEST_LINKS = 300  # of an entity that is linked thousands of times, the ones its neighbourhood is drawn from
NEIGHBOURS = 16  # more of them cover each other's names


# ---------------------------------------------------------------- lists


def episodes(stores: MemoryStores, scope: Scope, words: str, offset: int, limit: int) -> Slice:
    """Episodes of the scope: newest first, or with `words` those that have them, best first (an id is found too)."""
    if not words:
        return stores.graph.episode_slice(scope, offset, limit)
    in_scope, labels = stores.catalog.admits(scope), set(scope.label_ids)

    def accepts(uuid: str) -> bool:
        return in_scope(uuid) and (not labels or not labels.isdisjoint(stores.catalog.labels(ItemKind.EPISODE, uuid)))

    named = [uuid for uuid in stores.graph.episodes([words]) if accepts(uuid)]
    found = stores.lexical.search(LexicalField.EPISODE, words, FOUND_BY_WORDS, accepts)
    return _cut([*named, *(uuid for uuid, _ in found)], offset, limit)


def statements(
    stores: MemoryStores,
    at: datetime,
    words: str,
    offset: int,
    limit: int,
    *,
    aspects: Sequence[Aspect] = (),
    current: bool | None = None,
    entity: str | None = None,
) -> Slice:
    """Statements: newest first, or with `words` those that have them, best first (an id is found too)."""
    if not words:
        return stores.graph.statement_slice(at, offset, limit, aspects=aspects, current=current, entity=entity)
    holds = stores.catalog.current_at(at)
    about = set(stores.graph.statements_of_entity(entity, _ALL)) if entity else None

    def accepts(uuid: str) -> bool:
        return (
            (not aspects or stores.catalog.aspect(uuid) in aspects)
            and (current is None or holds(uuid) is current)
            and (about is None or uuid in about)
        )

    named = [uuid for uuid in stores.graph.statements([words]) if accepts(uuid)]
    found = stores.lexical.search(LexicalField.STATEMENT, words, FOUND_BY_WORDS, accepts)
    return _cut([*named, *(uuid for uuid, _ in found)], offset, limit)


_ALL = 2**31 - 1  # more than any memory holds


def _cut(ids: Iterable[str], offset: int, limit: int) -> Slice:
    unique = tuple(dict.fromkeys(ids))
    return Slice(unique[offset : offset + limit], len(unique))


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity in a list. `folded` is what a search by words looks into."""

    uuid: str
    name: str
    aliases: tuple[str, ...]
    type: EntityType
    statements: int
    folded: str


def entity_rows(stores: MemoryStores) -> tuple[EntityRow, ...]:
    """Every entity, predicates included, that with the most statements first."""
    counts = stores.graph.mention_counts()
    known = stores.graph.all_entities()
    predicates = stores.graph.entities(counts.keys() - {entity.uuid for entity in known}).values()
    rows = [_row(entity, counts.get(entity.uuid, 0)) for entity in (*known, *predicates)]
    return tuple(sorted(rows, key=lambda row: (-row.statements, row.folded, row.uuid)))


def _row(entity: Entity, statements: int) -> EntityRow:
    folded = "\n".join((*(normalise(name) for name in (entity.name, *entity.aliases)), entity.uuid))
    return EntityRow(entity.uuid, entity.name, entity.aliases, entity.type, statements, folded)


def matching_entities(rows: Iterable[EntityRow], words: str, types: Sequence[EntityType]) -> list[EntityRow]:
    """The rows whose name, alias or id contains the words, however accents and capitals are written.

    Without `types` predicates are left out: they label edges.
    """
    wanted = normalise(words)
    return [
        row
        for row in rows
        if (row.type in types if types else row.type is not EntityType.PREDICATE)
        and (not wanted or wanted in row.folded or words.strip() == row.uuid)
    ]


# ---------------------------------------------------------------- the time line


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"

    def first_day(self, day: date) -> date:
        """The first day of the unit that the day lies in; a week begins on Monday (ISO 8601)."""
        match self:
            case Unit.DAY:
                return day
            case Unit.WEEK:
                return date.fromordinal(max(1, day.toordinal() - day.weekday()))
            case Unit.MONTH:
                return day.replace(day=1)
            case Unit.YEAR:
                return day.replace(month=1, day=1)

    def last_day(self, first: date) -> date:
        """The last day of the unit that begins on `first`."""
        length = {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 32, Unit.YEAR: 367}[self]
        try:
            following = self.first_day(first + timedelta(days=length))
        except OverflowError:
            return date.max
        return following - timedelta(days=1)

    @classmethod
    def fitting(cls, days: int) -> Unit:
        """The unit that divides a span into some dozens of pieces."""
        limits = {cls.DAY: 45, cls.WEEK: 420, cls.MONTH: 4_500}
        return next((unit for unit, most in limits.items() if days <= most), cls.YEAR)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Episodes by the first day of their unit, in all and by label. An episode counts for each of its labels."""

    unit: Unit
    episodes: dict[date, int]
    labels: dict[str, dict[date, int]]

    @property
    def days(self) -> int:
        """From the first unit to the last."""
        return (max(self.episodes) - min(self.episodes)).days + 1 if self.episodes else 0

    def by(self, unit: Unit) -> TimeLine:
        """The same in a unit that is no finer than this one's."""
        labels = {label: _summed(counts, unit) for label, counts in self.labels.items()}
        return TimeLine(unit, _summed(self.episodes, unit), labels)


def _summed(counts: dict[date, int], unit: Unit) -> dict[date, int]:
    summed: Counter[date] = Counter()
    for day, count in counts.items():
        summed[unit.first_day(day)] += count
    return dict(summed)


def time_line(stores: MemoryStores) -> TimeLine:
    """Every episode by its own day, in the memory's local time."""
    catalog, zone = stores.catalog, stores.zone
    whole: Counter[date] = Counter()
    labels: dict[str, Counter[date]] = {}
    for uuid in catalog.episode_ids:
        day = local(catalog.valid_at(uuid), zone).date()
        whole[day] += 1
        for label in dict.fromkeys(catalog.labels(ItemKind.EPISODE, uuid)):
            labels.setdefault(label, Counter())[day] += 1
    return TimeLine(Unit.DAY, dict(whole), {label: dict(counts) for label, counts in labels.items()})


def local(instant: datetime, zone: tzinfo) -> datetime:
    """The instant in the zone; at the very ends of the calendar, where that does not exist, in UTC."""
    try:
        return instant.astimezone(zone)
    except OverflowError:
        return instant.astimezone(UTC)


# ---------------------------------------------------------------- around one entity


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Entities that current statements link with one entity, the closest first, and all links among them."""

    neighbours: tuple[Entity, ...]
    pairs: frozenset[tuple[str, str]]
    left_out: int  # neighbours that were found and are not listed


def neighbourhood(stores: MemoryStores, entity: str, at: datetime, most: int = NEIGHBOURS) -> Neighbourhood:
    """By the newest links of the entity; bounded however many it has."""
    graph, scope = stores.graph, Scope(at=at)
    links, _ = graph.links_of([entity], scope, NEWEST_LINKS)
    weights = Counter(_other(link, entity) for link in links)
    closest = [uuid for uuid, _ in weights.most_common(most)]
    among, _ = graph.links_between(closest, closest, scope)
    kept = {entity, *closest}
    pairs = {(link.subject, link.object) for link in (*links, *among) if {link.subject, link.object} <= kept}
    known = graph.entities(closest)
    return Neighbourhood(
        tuple(known[uuid] for uuid in closest if uuid in known), frozenset(pairs), len(weights) - len(closest)
    )


def _other(link: Link, entity: str) -> str:
    return link.object if link.subject == entity else link.subject


# ---------------------------------------------------------------- are the stores complete


def vector_counts(stores: MemoryStores) -> list[tuple[Namespace, int, int]]:
    """Per namespace, the vectors that are stored and those that the graph asks for; they should be equal."""
    counts = stores.graph.counts()
    aspects = stores.graph.statement_counts(datetime.max.replace(tzinfo=UTC))
    expected = {
        Namespace.LABEL: counts["labels"],
        Namespace.ENTITY: len(stores.graph.all_entities()),
        Namespace.STATEMENT: counts["statements"],
        Namespace.EPISODE: counts["episodes"],
        Namespace.ASPECT: sum(sum(both) for aspect, both in aspects.items() if aspect in VOICE_ASPECTS),
        Namespace.COMPACTED_SESSION: counts["documents"],
    }
    return [(namespace, stores.vectors.count(namespace), wanted) for namespace, wanted in expected.items()]
