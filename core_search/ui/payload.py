"""A result as an agent gets it: Markdown to read, JSON to parse. The trace stays out of both."""

from __future__ import annotations

from typing import Any

from core_search.results import EpisodeResult, SearchResult, StatementResult

# About the search, not the answer.
_ABOUT = {"trace", "options", "providers", "fingerprint", "parent"}


def as_json(result: SearchResult) -> dict[str, Any]:
    """The wire format without the trace and what the search was set to."""
    return result.model_dump(mode="json", by_alias=True, exclude=_ABOUT)


def as_markdown(result: SearchResult) -> str:
    """Entity, statements, episodes, voice statements, counts and what no longer holds, each with its date."""
    parts = [f"# Memory: {result.query}", f"As of {result.now:%Y-%m-%d %H:%M}."]
    if not result.gate.open:
        parts.append(f"Nothing was searched: {result.gate.reason}.")
    elif result.is_empty:
        parts.append("Nothing was found.")
    if result.entity:
        parts += [f"## {result.entity.name} ({result.entity.type})", _attributes(result)]
    if result.statements:
        parts += ["## Facts", "\n".join(_fact(statement) for statement in result.statements)]
    if result.facets:
        parts += _facets(result)
    if result.episodes:
        parts.append("## Episodes")
        parts += [_episode(episode) for episode in result.episodes]
    if result.voice_statements:
        parts += ["## In the owner's words", "\n".join(_fact(statement) for statement in result.voice_statements)]
    if result.invalidated_facts:
        parts += ["## No longer true", "\n".join(_fact(statement) for statement in result.invalidated_facts)]
    return "\n\n".join(parts) + "\n"


def _attributes(result: SearchResult) -> str:
    assert result.entity is not None
    picked = result.entity.attribute
    if picked:
        return f"- **{picked.key}**: {picked.value}"
    return "\n".join(f"- {key}: {value}" for key, value in result.entity.attributes.items()) or "No attributes."


def _fact(statement: StatementResult) -> str:
    until = f" to {statement.invalid_at:%Y-%m-%d}" if statement.invalid_at else ""
    return f"- {statement.fact} ({statement.aspect}, {statement.valid_at:%Y-%m-%d}{until})"


def _episode(episode: EpisodeResult) -> str:
    labels = f" · {', '.join(episode.labels)}" if episode.labels else ""
    title = episode.title or episode.kind.capitalize()
    return f"### {title}, {episode.valid_at:%Y-%m-%d %H:%M}{labels}\n\n{episode.content}"


def _facets(result: SearchResult) -> list[str]:
    facets = result.facets
    assert facets is not None
    parts = [f"## Counts\n\n{facets.stats.episodes} episodes, {facets.stats.statements} statements."]
    for title, rows in (
        ("Topics", [(topic.label_name, topic.episode_count) for topic in facets.topics]),
        ("Entities", [(entity.entity_name, entity.mention_count) for entity in facets.entities]),
        ("Aspects", [(aspect.aspect.value, aspect.statement_count) for aspect in facets.aspects]),
    ):
        if rows:
            parts.append(f"### {title}\n\n" + "\n".join(f"- {name}: {count}" for name, count in rows))
    return parts
