"""Where an item stands in a result, list by list."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.models import ItemKind
from core_search.results import SearchResult

ItemKey = tuple[ItemKind, str]


def answers_of(result: SearchResult) -> dict[str, Sequence[ItemKey]]:
    """The items of each list of the answer, best first; the names are those of the wire format."""
    lists: dict[str, Sequence[ItemKey]] = {
        "episodes": [(ItemKind(episode.kind), episode.uuid) for episode in result.episodes],
        "statements": [(ItemKind.STATEMENT, statement.uuid) for statement in result.statements],
        "voiceStatements": [(ItemKind.STATEMENT, statement.uuid) for statement in result.voice_statements],
        "entity": [(ItemKind.ENTITY, result.entity.uuid)] if result.entity else [],
    }
    if facets := result.facets:
        lists["facets.topics"] = [(ItemKind.LABEL, topic.label_id) for topic in facets.topics]
        lists["facets.entities"] = [(ItemKind.ENTITY, entity.entity_uuid) for entity in facets.entities]
    return lists


def items_of(result: SearchResult) -> frozenset[ItemKey]:
    """Every item of the answer."""
    return frozenset(key for keys in answers_of(result).values() for key in keys)
