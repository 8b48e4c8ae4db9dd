"""The stored texts of rows: what is counted against the token budget and shown in the answer."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.context import Context, Row
from core_search.models import Document, Episode, ItemKind

Texts = dict[tuple[ItemKind, str], Episode | Document]


def texts_of(context: Context, rows: Sequence[Row]) -> Texts:
    """The episode or document of each row that is one, by its key."""
    graph = context.stores.graph
    episodes = graph.episodes([row.id for row in rows if row.kind is ItemKind.EPISODE])
    documents = graph.documents([row.id for row in rows if row.kind is ItemKind.DOCUMENT])
    return {
        **{(ItemKind.EPISODE, id_): episode for id_, episode in episodes.items()},
        **{(ItemKind.DOCUMENT, id_): document for id_, document in documents.items()},
    }
