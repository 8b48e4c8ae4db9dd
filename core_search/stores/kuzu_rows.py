"""The values of a memory as rows of the graph, and back. No Cypher here.

An instant is a 64-bit number of microseconds since 1970 UTC: dates of the engine drop their zone. Attributes are
one JSON text. A column has the name that the field has on the wire.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from core_search.errors import StoreError
from core_search.models import Document, Entity, Episode, Label, Memory, Statement, Value

Row = tuple[Any, ...]
ValueType = TypeVar("ValueType", bound=Value)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Column(StrEnum):
    """What a column holds; the value is the type of the engine."""

    TEXT = "STRING"
    TEXTS = "STRING[]"
    INSTANT = "INT64"


@dataclass(frozen=True)
class NodeTable(Generic[ValueType]):
    """A table of values of one model. Columns have the names of the fields on the wire; the first is the key."""

    name: str
    model: type[ValueType]
    columns: Mapping[str, Column]

    @property
    def key(self) -> str:
        return next(iter(self.columns))

    @cached_property
    def _fields(self) -> tuple[str, ...]:
        """The fields of the model, in the order of the columns."""
        names = {field.alias: name for name, field in self.model.model_fields.items()}
        return tuple(names[column] for column in self.columns)

    def row(self, value: ValueType) -> Row:
        """The cells of a value, in the order of the columns."""
        return tuple(_cell(value, getattr(value, name)) for name in self._fields)

    def value(self, row: Sequence[Any]) -> ValueType:
        """The value of a row."""
        cells = dict(zip(self.columns, row, strict=True))
        for name, column in self.columns.items():
            if column is Column.INSTANT and cells[name] is not None:
                cells[name] = instant(cells[name])
        if "attributes" in cells:
            cells["attributes"] = json.loads(cells["attributes"])
        return self.model.model_validate(cells)


@dataclass(frozen=True)
class EdgeTable:
    """A table of edges between two node tables."""

    name: str
    ends: tuple[str, str]
    columns: Mapping[str, Column]


AnyTable = NodeTable[Any] | EdgeTable

TEXT, TEXTS, INSTANT = Column.TEXT, Column.TEXTS, Column.INSTANT

LABEL = NodeTable("Label", Label, {"id": TEXT, "name": TEXT, "description": TEXT, "color": TEXT})
EPISODE = NodeTable(
    "Episode",
    Episode,
    {
        "uuid": TEXT,
        "content": TEXT,
        "source": TEXT,
        "channel": TEXT,
        "type": TEXT,
        "sessionId": TEXT,
        "endUserId": TEXT,
        "createdAt": INSTANT,
        "validAt": INSTANT,
        "labelIds": TEXTS,
    },
)
ENTITY = NodeTable("Entity", Entity, {"uuid": TEXT, "name": TEXT, "aliases": TEXTS, "type": TEXT, "attributes": TEXT})
STATEMENT = NodeTable(
    "Statement",
    Statement,
    {
        "uuid": TEXT,
        "fact": TEXT,
        "aspect": TEXT,
        "validAt": INSTANT,
        "invalidAt": INSTANT,
        "invalidatedBy": TEXT,
        "eventDate": INSTANT,
        "attributes": TEXT,
        "subject": TEXT,
        "predicate": TEXT,
        "object": TEXT,
        "episodeUuids": TEXTS,
    },
)
DOCUMENT = NodeTable(
    "Document",
    Document,
    {
        "id": TEXT,
        "sessionId": TEXT,
        "title": TEXT,
        "content": TEXT,
        "labelIds": TEXTS,
        "createdAt": INSTANT,
        "updatedAt": INSTANT,
    },
)

HAS_LABEL = EdgeTable("HAS_LABEL", ("Episode", "Label"), {})
DOC_LABEL = EdgeTable("DOC_LABEL", ("Document", "Label"), {})
# An episode of the session that a document compacts.
IN_SESSION = EdgeTable("IN_SESSION", ("Episode", "Document"), {})
HAS_SUBJECT = EdgeTable("HAS_SUBJECT", ("Statement", "Entity"), {})
HAS_PREDICATE = EdgeTable("HAS_PREDICATE", ("Statement", "Entity"), {})
HAS_OBJECT = EdgeTable("HAS_OBJECT", ("Statement", "Entity"), {})
# The next three repeat what other rows say, so that a search need not walk there: 8 ms instead of 30 to 120.
HAS_PROVENANCE = EdgeTable("HAS_PROVENANCE", ("Episode", "Statement"), {"aspect": TEXT, "invalidAt": INSTANT})
# Subject or object, once a statement.
MENTIONS = EdgeTable("MENTIONS", ("Episode", "Entity"), {"statement": TEXT, "aspect": TEXT, "invalidAt": INSTANT})
# Subject to object, never an entity to itself, once for each end user of the statement's episodes (null: no episode).
LINK = EdgeTable(
    "LINK",
    ("Entity", "Entity"),
    {"statement": TEXT, "validAt": INSTANT, "eventDate": INSTANT, "invalidAt": INSTANT, "endUserId": TEXT},
)


def micros(instant: datetime) -> int:
    """Microseconds since 1970 UTC, exact."""
    return (instant - _EPOCH) // _MICROSECOND


def instant(value: int) -> datetime:
    """The instant, in UTC."""
    return _EPOCH + value * _MICROSECOND


def _cell(owner: Value, value: Any) -> Any:
    if value is None or type(value) is str:
        return value
    if isinstance(value, datetime):
        try:
            return micros(value.astimezone(UTC))
        except OverflowError:
            raise StoreError(f"{owner!r} has an instant outside the years 1 to 9999 UTC: {value.isoformat()}") from None
    if isinstance(value, dict):
        return json.dumps(value)
    if isinstance(value, StrEnum):
        return value.value
    return list(value) if isinstance(value, tuple) else value


def _edges(source: str, targets: Sequence[str | None]) -> Iterator[Row]:
    return ((source, target) for target in _unique(targets))


def _unique(values: Sequence[str | None]) -> list[str]:
    return [value for value in dict.fromkeys(values) if value is not None]


@dataclass(frozen=True)
class MemoryRows:
    """The rows of a memory, table by table."""

    memory: Memory

    def tables(self) -> list[tuple[AnyTable, Sequence[Any], Callable[[Any], Iterable[Row]]]]:
        """Each table, the values that it is made from, and the rows of one of them; nodes before edges."""
        of = self.memory
        return [
            (LABEL, of.labels, lambda label: [LABEL.row(label)]),
            (EPISODE, of.episodes, lambda episode: [EPISODE.row(episode)]),
            (ENTITY, of.entities, lambda entity: [ENTITY.row(entity)]),
            (STATEMENT, of.statements, lambda statement: [STATEMENT.row(statement)]),
            (DOCUMENT, of.documents, lambda document: [DOCUMENT.row(document)]),
            (HAS_LABEL, of.episodes, lambda episode: _edges(episode.uuid, episode.label_ids)),
            (DOC_LABEL, of.documents, lambda document: _edges(document.id, document.label_ids)),
            (IN_SESSION, of.episodes, self._in_session),
            (HAS_SUBJECT, of.statements, lambda statement: _edges(statement.uuid, [statement.subject])),
            (HAS_PREDICATE, of.statements, lambda statement: _edges(statement.uuid, [statement.predicate])),
            (HAS_OBJECT, of.statements, lambda statement: _edges(statement.uuid, [statement.object])),
            (HAS_PROVENANCE, of.statements, self._provenance),
            (MENTIONS, of.statements, self._mentions),
            (LINK, of.statements, self._links),
        ]

    @cached_property
    def _episodes(self) -> dict[str, Episode]:
        return {episode.uuid: episode for episode in self.memory.episodes}

    @cached_property
    def _documents_by_session(self) -> dict[str, list[str]]:
        sessions: dict[str, list[str]] = {}
        for document in self.memory.documents:
            sessions.setdefault(document.session_id, []).append(document.id)
        sessions.pop("", None)  # an empty session id is no session
        return sessions

    def _in_session(self, episode: Episode) -> Iterator[Row]:
        return _edges(episode.uuid, self._documents_by_session.get(episode.session_id, ()))

    def _provenance(self, statement: Statement) -> Iterator[Row]:
        for episode in self._episodes_of(statement):
            yield episode.uuid, statement.uuid, statement.aspect.value, _micros_or_none(statement.invalid_at)

    def _mentions(self, statement: Statement) -> Iterator[Row]:
        invalid_at = _micros_or_none(statement.invalid_at)
        for entity in _unique([statement.subject, statement.object]):
            for episode in self._episodes_of(statement):
                yield episode.uuid, entity, statement.uuid, statement.aspect.value, invalid_at

    def _links(self, statement: Statement) -> Iterator[Row]:
        subject, object_ = statement.subject, statement.object
        if subject is None or object_ is None or subject == object_:
            return
        instants = (
            micros(statement.valid_at),
            _micros_or_none(statement.event_date),
            _micros_or_none(statement.invalid_at),
        )
        users: list[str | None] = list(dict.fromkeys(episode.end_user_id for episode in self._episodes_of(statement)))
        for user in users or [None]:
            yield subject, object_, statement.uuid, *instants, user

    def _episodes_of(self, statement: Statement) -> list[Episode]:
        try:
            return [self._episodes[uuid] for uuid in _unique(statement.episode_uuids)]
        except KeyError as error:
            raise StoreError(
                f"statement {statement.uuid!r} names the episode {error.args[0]!r}, which the memory does not have"
            ) from None


def _micros_or_none(value: datetime | None) -> int | None:
    return None if value is None else micros(value)
