"""Stage 3.4: three or more episodes of one session give way to that session's document (SPEC 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core_search.context import Context, Row
from core_search.models import ItemKind
from core_search.trace import DropCode

ENOUGH_EPISODES = 3


def compact(context: Context, rows: Sequence[Row]) -> list[Row]:
    """The document takes the place of its best episode, with that episode's scores; the episodes are dropped."""
    catalog = context.stores.catalog
    session_of = {row.key: catalog.session(row.id) for row in rows if row.kind is ItemKind.EPISODE}
    crowded = {s for s, count in Counter(session_of.values()).items() if s and count >= ENOUGH_EPISODES}
    documents = context.stores.graph.documents_of_sessions(sorted(crowded))
    present = {row.id for row in rows if row.kind is ItemKind.DOCUMENT}
    out: list[Row] = []
    for row in rows:
        document = documents.get(session_of.get(row.key, ""))
        if document is None:
            out.append(row)
            continue
        if document not in present:
            present.add(document)
            out.append(Row(document, ItemKind.DOCUMENT, row.scores, ("compact",), detail={"sessionOf": row.id}))
        out.append(replace(row, code=DropCode.COMPACTED, detail={**row.detail, "document": document}))
    return out
