"""What a search says in words of people: its query, the texts of its items, names, hints. All of it can be left out."""

from __future__ import annotations

from collections.abc import Iterator

from core_search.comparison.side import Side
from core_search.models import ItemKind
from core_search.results import SearchResult, StatementResult

LEFT_OUT = "(left out)"
Key = tuple[ItemKind, str]


def query_of(side: Side, texts: bool) -> str:
    return side.query if texts else f"(left out, {len(side.query)} characters)"


def texts_of(result: SearchResult | None) -> dict[Key, str]:
    """The text of every item that a result holds, by kind and id."""
    if result is None:
        return {}
    found: dict[Key, str] = {
        (ItemKind(episode.kind), episode.uuid): (f"{episode.title}: " if episode.title else "") + episode.content
        for episode in result.episodes
    }
    for statement in _statements(result):
        found[ItemKind.STATEMENT, statement.uuid] = statement.fact
    if result.entity:
        attributes = ", ".join(f"{key}: {value}" for key, value in result.entity.attributes.items())
        found[ItemKind.ENTITY, result.entity.uuid] = result.entity.name + (f" ({attributes})" if attributes else "")
    found |= {(ItemKind.LABEL, label.label_id): label.label_name for label in result.router.matched_labels}
    if facets := result.facets:
        found |= {(ItemKind.LABEL, topic.label_id): topic.label_name for topic in facets.topics}
        found |= {(ItemKind.ENTITY, one.entity_uuid): one.entity_name for one in facets.entities}
    return found


def _statements(result: SearchResult) -> Iterator[StatementResult]:
    yield from result.statements
    yield from result.voice_statements
    yield from result.invalidated_facts
