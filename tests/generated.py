"""Hypothesis strategies for memories, router outputs and settings: small, but with every kind of item and every
way in which an item can fall out of a search."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import Phase
from hypothesis import strategies as st

from core_search import SearchResult
from core_search.ingest.values import Bundle, Header
from core_search.models import (
    VOICE_ASPECTS,
    Aspect,
    Document,
    Entity,
    EntityType,
    Episode,
    Facet,
    Label,
    Memory,
    QueryType,
    Statement,
)

# Every step of shrinking loads a memory, which takes half a second; an example is small enough to be read as it is.
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)
LONGEST_AGO_DAYS = 40
NAMES = ("Ann Lee", "Bob Stone", "Chess Club", "Rust", "wife", "Porto")
USERS = ("", "u1")
TOPICS = ("code review", "cooking soup", "chess", "running", "money")
WORDS = ("Ann Lee", "Bob", "soup", "salt", "review", "small pull requests", "chess", "Sunday", "race", "budget", "Rust")
QUERIES = (
    "what is my view on code review",
    "who is Ann Lee",
    "soup with salt last week",
    "how do Ann Lee and Bob Stone know each other",
    "chess",
    "what topics did I discuss this month",
)

days_ago = st.integers(0, LONGEST_AGO_DAYS).map(lambda days: NOW - timedelta(days=days, hours=1))
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


def some(values: tuple[Any, ...], most: int, least: int = 0) -> st.SearchStrategy[tuple[Any, ...]]:
    """From `least` to `most` of the values, each once."""
    if not values:
        return st.just(())
    return st.lists(st.sampled_from(values), min_size=least, max_size=min(most, len(values)), unique=True).map(tuple)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Up to 14 episodes in a few sessions, with labels, entities, statements and documents."""
    labels = tuple(Label(id=f"l{i}", name=TOPICS[i]) for i in range(draw(st.integers(0, 3))))
    label_ids = tuple(label.id for label in labels)
    entities = tuple(
        Entity(
            uuid=f"n{i}",
            name=NAMES[i],
            type=draw(st.sampled_from([EntityType.PERSON, EntityType.ORGANIZATION, EntityType.CONCEPT])),
            attributes=draw(st.sampled_from([{}, {"birthday": "1990-05-01"}])),
        )
        for i in range(draw(st.integers(0, len(NAMES))))
    )
    if entities:
        entities += (Entity(uuid="knows", name="knows", type=EntityType.PREDICATE),)
    episodes = []
    for i in range(draw(st.integers(1, 14))):
        at = draw(days_ago)
        episodes.append(
            Episode(
                uuid=f"e{i}",
                content=draw(sentences) * draw(st.sampled_from([1, 1, 1, 40])),
                session_id=draw(st.sampled_from(["", "s0", "s1"])),
                end_user_id=draw(st.sampled_from(USERS)),
                created_at=at,
                valid_at=at,
                label_ids=draw(some(label_ids, 2)),
            )
        )
    statements = tuple(draw(_statement(i, entities, episodes)) for i in range(draw(st.integers(0, 12))))
    sessions = sorted({episode.session_id for episode in episodes} - {""})
    documents = tuple(
        Document(
            id=f"d{session}",
            session_id=session,
            title=draw(sentences),
            content=draw(sentences),
            label_ids=draw(some(label_ids, 2)),
            created_at=NOW,
            updated_at=draw(days_ago),
        )
        for session in sessions
        if draw(st.booleans())
    )
    return Memory(
        labels=labels, episodes=tuple(episodes), entities=entities, statements=statements, documents=documents
    )


@st.composite
def _statement(draw: st.DrawFn, number: int, entities: tuple[Entity, ...], episodes: list[Episode]) -> Statement:
    aspect = draw(st.sampled_from(list(Aspect)))
    at = draw(days_ago)
    things = [entity.uuid for entity in entities if entity.type is not EntityType.PREDICATE]
    ends: dict[str, str] = {}
    if things and aspect not in VOICE_ASPECTS:
        ends = {"subject": draw(st.sampled_from(things)), "object": draw(st.sampled_from(things)), "predicate": "knows"}
    return Statement(
        uuid=f"f{number}",
        fact=draw(sentences),
        aspect=aspect,
        valid_at=at,
        invalid_at=draw(st.sampled_from([None, None, at + timedelta(hours=2), NOW + timedelta(days=1)])),
        event_date=draw(st.sampled_from([None, NOW - timedelta(days=1)])),
        episode_uuids=draw(some(tuple(episode.uuid for episode in episodes), 2, least=1)),
        **ends,
    )


@st.composite
def bundles(draw: st.DrawFn, name: str = "generated") -> Bundle:
    """A memory with its header: versions with and without the V1 fallback, with and without an owner."""
    memory = draw(memories())
    owner = draw(st.sampled_from([None, memory.entities[0].uuid])) if memory.entities else None
    version = draw(st.sampled_from(["V3", "V2"]))
    return Bundle(header=Header(name=name, version=version, clock=NOW, owner=owner), memory=memory)


@st.composite
def router_outputs(draw: st.DrawFn, query_type: QueryType | None = None) -> dict[str, Any]:
    """The JSON of the seed, of all six query types, some of which close the gate."""
    temporal = draw(
        st.sampled_from(
            [
                {"type": "all"},
                {"type": "all"},
                {"type": "recent", "days": 10},
                {"type": "range", "startDate": "2026-02-01", "endDate": "2026-02-20"},
                {"type": "before", "endDate": "2026-02-10"},
            ]
        )
    )
    return {
        "queryType": query_type or draw(st.sampled_from([member.value for member in QueryType])),
        "aspects": list(draw(some(tuple(aspect.value for aspect in Aspect), 2))),
        "temporal": temporal,
        "shouldSearch": draw(st.sampled_from([True] * 9 + [False])),
        "entityHints": list(draw(some(NAMES, 2))),
        "selectedLabels": list(draw(some(TOPICS, 2))),
        "lookupMode": draw(st.sampled_from(["attribute", "broad"])),
        "attributeHint": draw(st.sampled_from([None, "birthday"])),
        "facets": list(draw(some(tuple(facet.value for facet in Facet), 2))),
        "confidence": draw(st.sampled_from([0.9] * 8 + [0.1])),
    }


# Settings small enough that every cut falls in a memory of this size.
settings = st.fixed_dictionaries(
    {},
    optional={
        "limit": st.integers(1, 6),
        "token_budget": st.sampled_from([0, 20, 60, 10_000]),
        "rerank": st.booleans(),
        "backstop": st.booleans(),
        "backstop_limit": st.integers(0, 4),
        "compact": st.booleans(),
        "fallback": st.booleans(),
        "sort": st.sampled_from(["relevance", "recency"]),
        "episode_limit": st.integers(0, 5),
        "session_limit": st.integers(0, 2),
        "voice_limit": st.integers(0, 2),
        "statement_limit": st.integers(1, 3),
        "end_user_ids": st.sampled_from(["", "u1"]),
        "label_threshold": st.sampled_from([0.1, 0.4, 1.0]),
        "episode_threshold": st.sampled_from([0.0, 0.3, 0.6]),
        "rerank_floor": st.sampled_from([0.0, 0.1, 0.4]),
    },
)


@st.composite
def searches(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Six questions, one of each query type, each with settings of its own: fields of a `SearchRequest`."""
    return [
        {
            "query": draw(st.sampled_from(QUERIES)),
            "router_output": draw(router_outputs(query_type)),
            "set": draw(settings),
        }
        for query_type in QueryType
    ]


def without_times(result: SearchResult) -> dict[str, Any]:
    """A result as plain data without what differs from run to run: clocks, durations, ids of traces."""
    wire = result.wire()
    del wire["parent"], wire["router"]["routingTimeMs"]
    trace = wire.pop("trace")
    stages = []
    for stage in trace["stages"]:
        steps = [{k: v for k, v in step.items() if k not in ("startMs", "durationMs")} for step in stage["steps"]]
        for step in steps:
            step["detail"].get("output", {}).pop("routingTimeMs", None)
        stages.append({**stage, "steps": steps, "startMs": 0, "durationMs": 0})
    return {**wire, "stages": stages}
