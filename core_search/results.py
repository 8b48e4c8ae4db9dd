"""What a search is asked and what it returns: the wire format of SPEC 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from core_search.models import Aspect, EntityType, RouterOutput, Value
from core_search.options import SearchOptions
from core_search.trace import Trace


class Replay(Value):
    """Start from a stage of an earlier search: everything before `stage` is taken over from `trace` (SPEC 4)."""

    stage: str
    trace: Trace
    run_id: str | None = None


class SearchRequest(Value):
    """One question to one memory. `set` has changed options by name; values may be text."""

    query: str
    workspace: str = "sample"
    now: AwareDatetime | None = None
    set: Mapping[str, Any] = Field(default_factory=dict)
    # The JSON of the seed, to run everything but the extraction on it. Repaired like the answer of a model.
    router_output: Mapping[str, Any] | None = None
    # Open or close the gate whatever the route says.
    force_gate: bool | None = None
    replay: Replay | None = None


class GateDecision(Value):
    open: bool
    reason: str
    confidence: float
    threshold: float


class EpisodeResult(Value):
    """An episode or a session document of the answer, best first."""

    uuid: str
    kind: Literal["episode", "document"]
    content: str
    title: str = ""
    source: str = ""
    created_at: AwareDatetime
    valid_at: AwareDatetime
    session_id: str
    label_ids: tuple[str, ...]
    labels: tuple[str, ...]
    score: float | None
    score_name: str | None
    scores: dict[str, float]
    sources: tuple[str, ...]
    tokens: int


class AttributeResult(Value):
    key: str
    value: str


class EntityResult(Value):
    uuid: str
    name: str
    aliases: tuple[str, ...] = ()
    type: EntityType
    attributes: dict[str, str]
    attribute: AttributeResult | None


class EntityName(Value):
    uuid: str
    name: str


class StatementResult(Value):
    uuid: str
    fact: str
    aspect: Aspect
    valid_at: AwareDatetime
    invalid_at: AwareDatetime | None
    invalidated_by: str | None = None
    event_date: AwareDatetime | None = None
    subject: EntityName | None
    predicate: EntityName | None
    object: EntityName | None
    episode_uuids: tuple[str, ...]
    score: float | None = None
    score_name: str | None = None


class TopicCount(Value):
    label_id: str
    label_name: str
    episode_count: int


class EntityCount(Value):
    entity_uuid: str
    entity_name: str
    mention_count: int


class AspectCount(Value):
    aspect: Aspect
    statement_count: int
    statements: tuple[str, ...]


class FacetStats(Value):
    episodes: int
    statements: int
    start: AwareDatetime | None
    end: AwareDatetime | None


class FacetsResult(Value):
    topics: tuple[TopicCount, ...]
    entities: tuple[EntityCount, ...]
    aspects: tuple[AspectCount, ...]
    stats: FacetStats


class BudgetResult(Value):
    """Tokens of `o200k_base`; `kept` and `dropped` count items."""

    limit: int
    used: int
    kept: int
    dropped: int


class SearchResult(Value):
    """The whole answer with its trace. `degraded` has a sentence for everything that is not what was asked for."""

    query: str
    workspace: str
    now: AwareDatetime
    router: RouterOutput
    gate: GateDecision
    episodes: tuple[EpisodeResult, ...] = ()
    entity: EntityResult | None = None
    statements: tuple[StatementResult, ...] = ()
    # Statement uuids from the first entity to the last when `statements` is a chain through others.
    chain: tuple[str, ...] = ()
    voice_statements: tuple[StatementResult, ...] = ()
    facets: FacetsResult | None = None
    invalidated_facts: tuple[StatementResult, ...] = ()
    budget: BudgetResult
    degraded: tuple[str, ...] = ()
    options: SearchOptions
    fingerprint: str = ""  # of the memory's data: two runs over the same data have the same
    providers: dict[str, str] = Field(default_factory=dict)
    parent: str | None = None  # the run or trace that this one was forked from
    trace: Trace

    @property
    def is_empty(self) -> bool:
        """Nothing of any kind: what the V1 fallback asks (SPEC 2)."""
        return not (self.episodes or self.entity or self.statements or self.voice_statements or self.facets)
