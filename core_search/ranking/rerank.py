"""Stage 3.3: the reranker's order, the relevance floor and the limit (SPEC 2).

A reranker that fails or answers nonsense changes nothing: the order stays, nothing is cut by score, and the
stage says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core_search.context import Context, Routed, Row
from core_search.errors import ProviderError, redact
from core_search.models import ItemKind, QueryType
from core_search.providers.base import RerankItem
from core_search.ranking.answer_check import check_answer
from core_search.ranking.evidence import evidence
from core_search.trace import DropCode, StageDraft, Status


def rerank(context: Context, routed: Routed, rows: list[Row], stage: StageDraft) -> tuple[list[Row], str | None]:
    """The rows in their new order, dropped ones with their code, and why the result is degraded (or None).

    Episodes and documents compete with each other, statements among themselves.
    """
    statements = [row for row in rows if row.kind is ItemKind.STATEMENT]
    texts = [row for row in rows if row.kind is not ItemKind.STATEMENT]
    degraded: str | None = None
    ordered: list[Row] = []
    for group, limit in ((statements, context.options.statement_limit), (texts, context.options.limit)):
        if not group:
            continue
        chained = any("chainPosition" in row.detail for row in group)
        if chained:
            # A chain is read from its first entity to its last; half of one says nothing.
            stage.note = "a chain of statements keeps its order"
            ranked = group
        elif not context.options.rerank:
            stage.skip("switched off (rerank)")
            ranked = group
        elif routed.query_type is QueryType.TEMPORAL and not routed.has_topic:
            stage.note = "the query asks for a time without a topic: newest first, not reranked"
            ranked = _newest_first(context, group)
        else:
            answering = [row.id for row in statements] if group is texts else []
            ranked, problem = _score(context, routed, group, stage, answering)
            degraded = degraded or problem
        ordered += _cut(ranked, limit)
    if context.options.sort == "recency":
        ordered = _newest_first(context, ordered)
        stage.note = "; ".join(filter(None, (stage.note, "sorted by time, newest first (sort)")))
    if degraded:
        stage.status, stage.note = Status.FAILED, degraded
    return ordered, degraded


def _score(
    context: Context, routed: Routed, rows: list[Row], stage: StageDraft, answering: Sequence[str]
) -> tuple[list[Row], str | None]:
    reranker, options = context.providers.reranker, context.options
    floor = options.exploratory_floor if routed.query_type is QueryType.EXPLORATORY else options.rerank_floor
    kind = rows[0].kind
    with stage.step("rerank_statements" if kind is ItemKind.STATEMENT else "rerank_episodes") as step:
        step.detail |= {"reranker": reranker.name, "model": reranker.model, "floor": floor, "query": context.query}
        signals = evidence(context, routed, rows, answering) if reranker.wants_signals else [{} for _ in rows]
        texts = [""] * len(rows) if reranker.wants_signals else _texts(context, rows)
        items = [RerankItem(row.id, text, signal) for row, text, signal in zip(rows, texts, signals, strict=True)]
        try:
            answer = context.deadline.run(lambda: reranker.rerank(context.query, items))
            problem = check_answer(answer, len(rows))
        except ProviderError as error:
            answer, problem = None, redact(str(error))
        if answer is None or problem:
            reason = f"the reranker {reranker.name!r} gave no usable order ({problem}); the order before it stands"
            step.status, step.note = Status.FAILED, reason
            return rows, reason
        step.detail |= dict(answer.detail)
        ranked = []
        for scored in sorted(answer.scores, key=lambda scored: (-scored.score, scored.index)):
            row = rows[scored.index]
            scores = {"rerank": scored.score, **row.scores, **signals[scored.index]}
            if scored.score < floor:
                row = replace(row, code=DropCode.BELOW_RELEVANCE, detail={**row.detail, "floor": floor})
            ranked.append(replace(row, scores=scores))
        step.found(kind, [(row.id, row.scores["rerank"]) for row in ranked], "rerank")
    return ranked, None


def _texts(context: Context, rows: Sequence[Row]) -> list[str]:
    graph = context.stores.graph
    ids = {kind: [row.id for row in rows if row.kind is kind] for kind in ItemKind}
    texts = {(ItemKind.EPISODE, id_): e.content for id_, e in graph.episodes(ids[ItemKind.EPISODE]).items()}
    texts |= {(ItemKind.DOCUMENT, id_): d.content for id_, d in graph.documents(ids[ItemKind.DOCUMENT]).items()}
    texts |= {(ItemKind.STATEMENT, id_): s.fact for id_, s in graph.statements(ids[ItemKind.STATEMENT]).items()}
    return [texts.get(row.key, "") for row in rows]


def _cut(rows: Sequence[Row], limit: int) -> list[Row]:
    kept, out = 0, []
    for row in rows:
        if row.code is None:
            kept += 1
            row = (
                row if kept <= limit else replace(row, code=DropCode.RERANK_CUT, detail={**row.detail, "limit": limit})
            )
        out.append(row)
    return out


def _newest_first(context: Context, rows: Sequence[Row]) -> list[Row]:
    catalog = context.stores.catalog
    by_id = sorted(rows, key=lambda row: row.id)
    return sorted(by_id, key=lambda row: catalog.happened(*row.key), reverse=True)
