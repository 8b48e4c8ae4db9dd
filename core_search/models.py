"""Every value that flows between stages: frozen, typed, camelCase on the wire (SPEC 1, 2 and 6).

Instants are `datetime`s with a zone; a naive one is refused. In Python the names are snake_case,
in JSON they are camelCase: `model_dump(mode="json", by_alias=True)` writes them, both are read.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

Uuid = Annotated[str, StringConstraints(min_length=1, max_length=512)]


class Value(BaseModel):
    """Base of all values: frozen, no unknown fields, snake_case here and camelCase on the wire."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        ser_json_inf_nan="constants",
    )

    def wire(self) -> dict[str, Any]:
        """Plain JSON data with camelCase keys."""
        return self.model_dump(mode="json", by_alias=True)


class QueryType(StrEnum):
    ASPECT_QUERY = "aspect_query"
    ENTITY_LOOKUP = "entity_lookup"
    TEMPORAL = "temporal"
    TEMPORAL_FACETS = "temporal_facets"
    EXPLORATORY = "exploratory"
    RELATIONSHIP = "relationship"


class Aspect(StrEnum):
    """What kind of fact a statement is. The first six are voice aspects, the others graph aspects."""

    DIRECTIVE = "Directive"
    PREFERENCE = "Preference"
    HABIT = "Habit"
    BELIEF = "Belief"
    GOAL = "Goal"
    TASK = "Task"
    IDENTITY = "Identity"
    KNOWLEDGE = "Knowledge"
    DECISION = "Decision"
    EVENT = "Event"
    PROBLEM = "Problem"
    RELATIONSHIP = "Relationship"


VOICE_ASPECTS = frozenset({Aspect.DIRECTIVE, Aspect.PREFERENCE, Aspect.HABIT, Aspect.BELIEF, Aspect.GOAL, Aspect.TASK})


class EntityType(StrEnum):
    PERSON = "Person"
    ORGANIZATION = "Organization"
    PLACE = "Place"
    EVENT = "Event"
    PROJECT = "Project"
    TASK = "Task"
    TECHNOLOGY = "Technology"
    PRODUCT = "Product"
    STANDARD = "Standard"
    CONCEPT = "Concept"
    PREDICATE = "Predicate"


class EpisodeType(StrEnum):
    CONVERSATION = "CONVERSATION"
    DOCUMENT = "DOCUMENT"


class Namespace(StrEnum):
    """The vector namespaces (SPEC 1)."""

    ENTITY = "ENTITY"
    STATEMENT = "STATEMENT"
    EPISODE = "EPISODE"
    LABEL = "LABEL"
    ASPECT = "ASPECT"
    COMPACTED_SESSION = "COMPACTED_SESSION"


class LookupMode(StrEnum):
    ATTRIBUTE = "attribute"
    BROAD = "broad"


class Facet(StrEnum):
    TOPICS = "topics"
    ENTITIES = "entities"
    ASPECTS = "aspects"


class TemporalType(StrEnum):
    RECENT = "recent"
    RANGE = "range"
    BEFORE = "before"
    AFTER = "after"
    ALL = "all"


class ItemKind(StrEnum):
    EPISODE = "episode"
    DOCUMENT = "document"
    STATEMENT = "statement"
    ENTITY = "entity"
    LABEL = "label"


# ---------------------------------------------------------------- the memory


class Label(Value):
    """A topic tag on episodes and documents."""

    id: Uuid
    name: Annotated[str, StringConstraints(min_length=1)]
    description: str = ""
    color: str = ""


class Episode(Value):
    """One ingested piece of text, verbatim. `valid_at` is when it happened, `created_at` when it was stored."""

    uuid: Uuid
    content: str
    source: str = ""
    channel: str = ""
    type: EpisodeType = EpisodeType.CONVERSATION
    session_id: str = ""
    end_user_id: str = ""
    created_at: AwareDatetime
    valid_at: AwareDatetime
    label_ids: tuple[Uuid, ...] = ()


class Entity(Value):
    """A named thing. Attributes are strings by name."""

    uuid: Uuid
    name: Annotated[str, StringConstraints(min_length=1)]
    aliases: tuple[str, ...] = ()
    type: EntityType
    attributes: dict[str, str] = Field(default_factory=dict)


class Statement(Value):
    """One fact. `subject`, `predicate` and `object` are entity uuids; voice aspects need none of them."""

    uuid: Uuid
    fact: Annotated[str, StringConstraints(min_length=1)]
    aspect: Aspect
    valid_at: AwareDatetime
    invalid_at: AwareDatetime | None = None
    invalidated_by: Uuid | None = None
    event_date: AwareDatetime | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    subject: Uuid | None = None
    predicate: Uuid | None = None
    object: Uuid | None = None
    episode_uuids: tuple[Uuid, ...] = ()


class Document(Value):
    """The compacted text of one session."""

    id: Uuid
    session_id: str
    title: str = ""
    content: str
    label_ids: tuple[Uuid, ...] = ()
    created_at: AwareDatetime
    updated_at: AwareDatetime


class Memory(Value):
    """Everything that one workspace stores, before it is written to the engines."""

    labels: tuple[Label, ...] = ()
    episodes: tuple[Episode, ...] = ()
    entities: tuple[Entity, ...] = ()
    statements: tuple[Statement, ...] = ()
    documents: tuple[Document, ...] = ()


# ---------------------------------------------------------------- the route


class Temporal(Value):
    """The time scope in the words of the extraction. Dates are ISO 8601, with or without a time of day."""

    type: TemporalType = TemporalType.ALL
    days: int | None = None
    start_date: str | None = None
    end_date: str | None = None


class MatchedLabel(Value):
    label_id: str
    label_name: str
    score: float


class Extraction(Value):
    """What the extractor says of a query: the JSON of the seed, with known values only."""

    aspects: tuple[Aspect, ...] = ()
    query_type: QueryType = QueryType.EXPLORATORY
    temporal: Temporal = Temporal()
    should_search: bool = True
    entity_hints: tuple[str, ...] = ()
    selected_labels: tuple[str, ...] = ()
    lookup_mode: LookupMode = LookupMode.BROAD
    attribute_hint: str | None = None
    facets: tuple[Facet, ...] = ()
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.0


class RouterOutput(Extraction):
    """The extraction together with the label search (SPEC 2, stage 1)."""

    matched_labels: tuple[MatchedLabel, ...] = ()
    routing_time_ms: float = 0.0


class TimeRange(Value):
    """A half-open range of instants, `[start, end)`. None means open on that side."""

    start: datetime | None = None
    end: datetime | None = None

    def __contains__(self, instant: datetime) -> bool:
        return (self.start is None or instant >= self.start) and (self.end is None or instant < self.end)

    @property
    def is_open(self) -> bool:
        """True when nothing is excluded."""
        return self.start is None and self.end is None


def is_current(invalid_at: datetime | None, at: datetime) -> bool:
    """Whether a statement holds at `at` (SPEC 1): the one predicate, for every path that has the value in Python."""
    return invalid_at is None or invalid_at > at
