"""What stands on a card: the text of an item and the few facts that a reviewer needs, nothing of how it was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from core_search.engine import SearchEngine
from core_search.models import ItemKind


@dataclass(frozen=True, slots=True)
class CardText:
    """`when` is when it happened, in the memory's zone; `until` when a statement stopped to hold."""

    text: str
    title: str = ""
    when: datetime | None = None
    until: datetime | None = None


def texts_of(
    engine: SearchEngine, workspace: str, items: Iterable[tuple[ItemKind, str]]
) -> dict[tuple[ItemKind, str], CardText]:
    """The cards of items that the memory has; others are left out."""
    ids: dict[ItemKind, list[str]] = {}
    for kind, item_id in items:
        ids.setdefault(kind, []).append(item_id)
    texts: dict[tuple[ItemKind, str], CardText] = {}
    with engine.memory(workspace) as memory:
        graph, zone = memory.stores.graph, memory.stores.zone
        for id_, episode in graph.episodes(ids.get(ItemKind.EPISODE, ())).items():
            texts[ItemKind.EPISODE, id_] = CardText(episode.content, when=_at(episode.valid_at, zone))
        for id_, document in graph.documents(ids.get(ItemKind.DOCUMENT, ())).items():
            texts[ItemKind.DOCUMENT, id_] = CardText(document.content, document.title, _at(document.updated_at, zone))
        for id_, fact in graph.statements(ids.get(ItemKind.STATEMENT, ())).items():
            until = _at(fact.invalid_at, zone) if fact.invalid_at else None
            texts[ItemKind.STATEMENT, id_] = CardText(fact.fact, when=_at(fact.valid_at, zone), until=until)
    return texts


def _at(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone)
