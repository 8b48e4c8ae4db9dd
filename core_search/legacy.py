"""The V1 search: BM25, vectors and breadth-first traversal, fused (seed, "V1 fallback").

It serves twice: its best candidates back up V2 before reranking, and it answers when V2 returns nothing. Every list
honours the time range and the end users of the scope, and counts only statements that are current.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from core_search.context import Context, Routed, Row
from core_search.models import ItemKind, Namespace
from core_search.stores.base import LexicalField
from core_search.trace import StageDraft, StepDraft

# Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): a list gives an item 1 / (RRF_K + rank).
RRF_K = 10
# Words of a fact and the graph find what the others find too; on LoCoMo a pool of 50 is better when they count less.
LIST_WEIGHTS = {"bm25_statements": 0.5, "graph_traversal": 0.25}
# How far down each list counts.
DEPTH = 100
# The query's entities are followed two hops: to their statements, and to those of the entities linked to them.
SEEDS, STATEMENTS_PER_HOP, LINKED_ENTITIES = 5, 100, 100

Ranking = list[tuple[str, float]]  # episode uuid and score, best first
Fused = tuple[str, float, tuple[str, ...]]  # episode uuid, fused score, the lists that have it


def candidates(
    context: Context, routed: Routed, stage: StageDraft, limit: int, known: Collection[str] = frozenset()
) -> list[Row]:
    """The best episodes, each with its fused score and the lists that found it, down to the `limit`-th new one.

    Those that are `known` to V2 do not count: what both found shall not make the net smaller.
    """
    lexical, vectors, catalog = context.stores.lexical, context.stores.vectors, context.stores.catalog
    admits, supports = catalog.admits(routed.scope), catalog.supported(routed.scope)
    text = context.query_text
    rankings: dict[str, Ranking] = {}

    def record(name: str, score_name: str, find: Callable[[StepDraft], Ranking], detail: dict[str, Any]) -> None:
        with stage.step(name) as step:
            rankings[name] = find(step)
            step.detail |= {"query": text, "depth": DEPTH, **detail}
            step.found(ItemKind.EPISODE, rankings[name], score_name)

    def of_statements(found: Sequence[tuple[str, float]]) -> Ranking:
        """Statements speak for the admitted episodes that they came from; the best one counts."""
        best: dict[str, float] = {}
        for statement, score in found:
            for episode in catalog.episodes_of(statement):
                if admits(episode):
                    best.setdefault(episode, score)
        return list(best.items())[:DEPTH]

    record(
        # Episodes are read with their neighbours: on LoCoMo the pool of 50 then holds 3 to 4 % more of the evidence.
        "bm25_episodes",
        "bm25",
        lambda _: lexical.search(LexicalField.WINDOW, text, DEPTH, admits),
        {"field": LexicalField.WINDOW.value},
    )
    record(
        "bm25_statements",
        "bm25",
        lambda _: of_statements(lexical.search(LexicalField.STATEMENT, text, DEPTH, supports)),
        {"field": LexicalField.STATEMENT.value},
    )
    record(
        "vector_episodes",
        "cosine",
        lambda _: [(h.id, h.cosine) for h in vectors.search(Namespace.EPISODE, context.vector, DEPTH, admits)],
        {"namespace": Namespace.EPISODE.value},
    )
    record(
        "vector_statements",
        "cosine",
        lambda _: of_statements(
            [(h.id, h.cosine) for h in vectors.search(Namespace.STATEMENT, context.vector, DEPTH, supports)]
        ),
        {"namespace": Namespace.STATEMENT.value},
    )
    seeds = _seeds(context, routed)
    if seeds:
        record(
            "graph_traversal",
            "cosine",
            lambda step: of_statements(_traverse(context, routed, seeds, step)),
            {"entities": seeds, "hops": 2},
        )
    else:
        stage.skip_step("graph_traversal", "the query names no entity of this memory")

    with stage.step("fuse") as step:
        fused = _down_to(fuse(rankings), limit, known)
        formula = f"sum over lists of weight / ({RRF_K} + rank)"
        step.detail |= {"formula": formula, "weights": LIST_WEIGHTS, "limit": limit}
        step.found(ItemKind.EPISODE, [(id_, score) for id_, score, _ in fused], "rrf")
    return [Row(id_, ItemKind.EPISODE, {"rrf": score}, sources) for id_, score, sources in fused]


def _down_to(fused: list[Fused], limit: int, known: Collection[str]) -> list[Fused]:
    new = 0
    for place, (id_, _, _) in enumerate(fused):
        if new == limit:
            return fused[:place]
        new += id_ not in known
    return fused


def fuse(rankings: dict[str, Ranking]) -> list[Fused]:
    """Best first, ties by id."""
    scores: dict[str, float] = {}
    sources: dict[str, list[str]] = {}
    for name, ranking in rankings.items():
        weight = LIST_WEIGHTS.get(name, 1.0)
        for rank, (id_, _) in enumerate(ranking, 1):
            scores[id_] = scores.get(id_, 0.0) + weight / (RRF_K + rank)
            sources.setdefault(id_, []).append(name)
    best_first = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [(id_, score, tuple(sources[id_])) for id_, score in best_first]


def _seeds(context: Context, routed: Routed) -> list[str]:
    """Entities that the query names, by its hints or by a name that stands in it."""
    hinted = (context.stores.names.exact(hint) for hint in routed.output.entity_hints)
    return list(dict.fromkeys(uuid for entities in (*hinted, *context.named) for uuid in entities))[:SEEDS]


def _traverse(context: Context, routed: Routed, seeds: list[str], step: StepDraft) -> Ranking:
    """Statements within two hops of the seeds. Traversal finds them, the cosine to the query orders them.

    It walks the edges that the catalog keeps of the graph: the same two hops in Cypher took half of a search.
    """
    catalog = context.stores.catalog
    found: dict[str, None] = {}

    def follow(entities: list[str]) -> None:
        found.update(dict.fromkeys(catalog.statements_about(entities, routed.scope, STATEMENTS_PER_HOP)))

    for seed in seeds:  # one by one, so that an entity of which much is said does not silence the others
        follow([seed])
    beyond = dict.fromkeys(entity for statement in found for entity in catalog.entities_of(statement))
    linked = [entity for entity in beyond if entity not in seeds][:LINKED_ENTITIES]
    follow(linked)
    step.detail |= {"linkedEntities": len(linked), "statements": len(found)}
    vectors = context.stores.vectors.vectors(Namespace.STATEMENT, list(found))
    if not vectors:
        return []
    cosines = np.stack(list(vectors.values())) @ context.vector
    return sorted(zip(vectors, cosines.tolist(), strict=True), key=lambda item: (-item[1], item[0]))
