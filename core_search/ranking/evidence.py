"""What the memory knows about a candidate: named signals, each absolute and in 0..1.

`episode_cosine`, `episode_bm25`      its own text
`window_bm25`                         the text with its neighbours in the session
`session_bm25`                        the compacted text of its session
`statement_cosine`, `statement_bm25`  the best of the current statements that came from it, of the aspects asked for
`entity_match`                        the names in the query whose entity such a statement is about, the rare ones
                                      counting most: a name that every episode shares says nothing
`answer_source`                       1 when a statement that answers the question came from it (relationship), else 0
`label_match`                         1 when it has one of the labels that scope the search, else 0
`recency`                             for broad recall, where the newest matters: 1 now, half of it after a month

A cosine is that of the query's vector, negative ones count as 0; a BM25 score is taken as its share of the highest
that any text could have for this query. All vectors are there from loading; nothing but the query is embedded. A
session document and a statement are one text each, which then stands for all. The vector of a window is not among
them: measured on LoCoMo it adds nothing to the others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from core_search.context import Context, Routed, Row
from core_search.models import ItemKind, Namespace, QueryType
from core_search.stores.base import LexicalField

TEXT_SIGNALS = ("episode_cosine", "statement_cosine", "episode_bm25", "window_bm25", "session_bm25", "statement_bm25")
SIGNALS = (*TEXT_SIGNALS, "entity_match", "answer_source", "label_match", "recency")
HALF_LIFE_DAYS = 30.0  # of `recency`


def evidence(
    context: Context, routed: Routed, rows: Sequence[Row], answering: Collection[str] = ()
) -> list[dict[str, float]]:
    """The signals of each row, in order. Statements count that are current at the instant of the search.

    `answering` are the statements that the handler found as the answer itself.
    """
    by_kind: dict[ItemKind, list[str]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row.id)
    signals: dict[tuple[ItemKind, str], dict[str, float]] = {}
    if ids := by_kind.get(ItemKind.EPISODE):
        signals |= _episodes(context, routed, ids)
    for kind, namespace, field in (
        (ItemKind.DOCUMENT, Namespace.COMPACTED_SESSION, LexicalField.DOCUMENT),
        (ItemKind.STATEMENT, Namespace.STATEMENT, LexicalField.STATEMENT),
    ):
        if ids := by_kind.get(kind):
            cosine, bm25 = _cosines(context, namespace, ids), _bm25(context, field, ids)
            for id_ in ids:
                signals[kind, id_] = {
                    name: (cosine if name.endswith("_cosine") else bm25).get(id_, 0.0) for name in TEXT_SIGNALS
                }
    scope, catalog = set(routed.label_ids), context.stores.catalog
    sources = {episode for statement in answering for episode in catalog.episodes_of(statement)}
    named = [(set(meant), catalog.rarity(meant)) for meant in context.named]
    return [
        {
            **signals[row.key],
            "entity_match": _entity_match(context, row, routed.at, named),
            "answer_source": float(row.kind is ItemKind.EPISODE and row.id in sources),
            "label_match": float(not scope.isdisjoint(catalog.labels(*row.key))),
            "recency": _recency(context, routed, row),
        }
        for row in rows
    ]


def _entity_match(context: Context, row: Row, at: datetime, named: Sequence[tuple[set[str], float]]) -> float:
    if not named or row.kind is ItemKind.DOCUMENT:
        return 0.0
    catalog = context.stores.catalog
    facts = catalog.statements_of(row.id, at) if row.kind is ItemKind.EPISODE else [row.id]
    about = {entity for fact in facts for entity in catalog.entities_of(fact)}
    return sum(rarity for meant, rarity in named if not about.isdisjoint(meant)) / len(named)


def _recency(context: Context, routed: Routed, row: Row) -> float:
    if routed.query_type is not QueryType.EXPLORATORY:
        return 0.0
    age = context.now - context.stores.catalog.happened(*row.key)
    return float(0.5 ** (max(0.0, age.total_seconds() / 86_400) / HALF_LIFE_DAYS))


def _episodes(context: Context, routed: Routed, ids: list[str]) -> dict[tuple[ItemKind, str], dict[str, float]]:
    catalog, asked = context.stores.catalog, set(routed.output.aspects)
    facts = {id_: catalog.statements_of(id_, routed.at) for id_ in ids}
    if asked:
        facts = {id_: [fact for fact in known if catalog.aspect(fact) in asked] for id_, known in facts.items()}
    all_facts = list(dict.fromkeys(fact for known in facts.values() for fact in known))
    own_cosine = _cosines(context, Namespace.EPISODE, ids)
    own_bm25 = _bm25(context, LexicalField.EPISODE, ids)
    window_bm25 = _bm25(context, LexicalField.WINDOW, ids)
    sessions = {id_: document for id_ in ids if (document := catalog.session_document(id_))}
    session_bm25 = _bm25(context, LexicalField.DOCUMENT, list(dict.fromkeys(sessions.values())))
    fact_cosine = _cosines(context, Namespace.STATEMENT, all_facts)
    fact_bm25 = _bm25(context, LexicalField.STATEMENT, all_facts)
    return {
        (ItemKind.EPISODE, id_): {
            "episode_cosine": own_cosine.get(id_, 0.0),
            "statement_cosine": max((fact_cosine.get(fact, 0.0) for fact in facts[id_]), default=0.0),
            "episode_bm25": own_bm25.get(id_, 0.0),
            "window_bm25": window_bm25.get(id_, 0.0),
            "session_bm25": session_bm25.get(sessions.get(id_, ""), 0.0),
            "statement_bm25": max((fact_bm25.get(fact, 0.0) for fact in facts[id_]), default=0.0),
        }
        for id_ in ids
    }


def _cosines(context: Context, namespace: Namespace, ids: list[str]) -> dict[str, float]:
    vectors = context.stores.vectors.vectors(namespace, ids)
    return {id_: _cosine(context.vector, vector) for id_, vector in vectors.items()}


def _cosine(query: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    return min(1.0, max(0.0, float(query @ vector)))


def _bm25(context: Context, field: LexicalField, ids: list[str]) -> Mapping[str, float]:
    best = context.stores.lexical.best_possible(field, context.query_text)
    if best <= 0:
        return {}
    scores = context.stores.lexical.scores(field, context.query_text, ids)
    return {id_: min(1.0, score / best) for id_, score in scores.items()}
