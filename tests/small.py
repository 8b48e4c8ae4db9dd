"""A memory small enough to check by hand, and short ways to ask it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from core_search import SearchEngine, SearchRequest, SearchResult
from core_search.ingest.values import Bundle, Header
from core_search.models import Document, Entity, EntityType, Episode, Label, Memory, Statement

NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)


def day(ago: float) -> datetime:
    return NOW - timedelta(days=ago)


def episode(uuid: str, content: str, ago: float, **rest: Any) -> Episode:
    return Episode(uuid=uuid, content=content, created_at=day(ago), valid_at=day(ago), **rest)


def fact(uuid: str, text: str, aspect: str, ago: float, *episodes: str, **rest: Any) -> Statement:
    return Statement(uuid=uuid, fact=text, aspect=aspect, valid_at=day(ago), episode_uuids=episodes, **rest)


def thing(uuid: str, name: str, kind: EntityType = EntityType.PERSON, *aliases: str, **attributes: str) -> Entity:
    return Entity(uuid=uuid, name=name, aliases=aliases, type=kind, attributes=attributes)


LABELS = (
    Label(id="l-review", name="code-review", description="reviewing pull requests and code"),
    Label(id="l-food", name="cooking", description="recipes, meals and food"),
)
ENTITIES = (
    thing("ann", "Ann Lee", EntityType.PERSON, birthday="1990-05-01"),
    thing("bob", "Bob Stone", EntityType.PERSON, "Bobby", birth_place="Lyon"),
    thing("cy", "Cy Young"),
    thing("dee", "Dee Fox"),
    thing("me", "Max Moor", EntityType.PERSON, "the owner"),
    thing("club", "Chess Club", EntityType.ORGANIZATION),
    thing("knows", "knows", EntityType.PREDICATE),
)
EPISODES = (
    episode("e1", "Small pull requests get better code reviews.", 2, session_id="s1", label_ids=("l-review",)),
    episode("e2", "Reviewing code in the morning works best.", 3, session_id="s1", label_ids=("l-review",)),
    episode("e3", "Code reviews need two reviewers.", 40, session_id="s1", label_ids=("l-review",)),
    episode("e4", "The soup recipe needs more salt.", 5, session_id="s2", label_ids=("l-food",), end_user_id="u2"),
    episode("e5", "Ann Lee met Bob Stone at the Chess Club.", 10, session_id="s3"),
    episode("e6", "Cy Young plays chess on Sundays.", 100, session_id="s3"),
)
STATEMENTS = (
    fact("st1", "Max prefers small pull requests.", "Preference", 2, "e1"),
    fact("st2", "Max believes mornings are best for reviews.", "Belief", 3, "e2"),
    fact("st3", "Max believed one reviewer is enough.", "Belief", 40, "e3", invalid_at=day(20), invalidated_by="st4"),
    fact("st4", "Two reviewers are needed.", "Directive", 20, "e3"),
    fact("st5", "Ann Lee knows Bob Stone.", "Relationship", 10, "e5", subject="ann", predicate="knows", object="bob"),
    fact("st6", "Bob Stone belongs to the Chess Club.", "Identity", 10, "e5", subject="bob", object="club"),
    fact("st7", "Cy Young belongs to the Chess Club.", "Identity", 90, "e6", subject="cy", object="club"),
    fact("st8", "The chess final takes place.", "Event", 100, "e6", subject="cy", event_date=day(1)),
    fact("st9", "Soup needs salt.", "Knowledge", 5, "e4"),
)
DOCUMENTS = (
    Document(
        id="d1",
        session_id="s1",
        title="Code review habits",
        content="How Max reviews code: small pull requests, mornings, two reviewers.",
        label_ids=("l-review",),
        created_at=day(2),
        updated_at=day(2),
    ),
)


def bundle(name: str = "small", version: str = "V3", **changes: Any) -> Bundle:
    parts: dict[str, Any] = {
        "labels": LABELS,
        "entities": ENTITIES,
        "episodes": EPISODES,
        "statements": STATEMENTS,
        "documents": DOCUMENTS,
    }
    header = Header(name=name, version=version, timezone="UTC", clock=NOW, owner="me")
    return Bundle(header=header, memory=Memory(**{**parts, **changes}))


def route(query_type: str, **fields: Any) -> dict[str, Any]:
    """A router output as a caller writes it."""
    return {"queryType": query_type, "shouldSearch": True, "confidence": 0.9, **fields}


def ask(
    engine: SearchEngine, workspace: str, query: str, output: dict[str, Any] | None = None, **set_: Any
) -> SearchResult:
    request = SearchRequest(query=query, workspace=workspace, router_output=output, set=set_)
    return engine.search(request)


def uuids(result: SearchResult) -> list[str]:
    return [episode.uuid for episode in result.episodes]


def dropped(result: SearchResult, stage: str) -> dict[str, str]:
    return {entry.id: str(entry.code) for entry in result.trace.stage(stage).ledger if entry.code}
