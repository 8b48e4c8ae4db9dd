"""Stage 1: labels near the query, the extraction, and the scope that follows from both (SPEC 2, "Stage 1, route")."""

from __future__ import annotations

import time
from dataclasses import replace

from core_search.context import Context, Routed, Row
from core_search.deadline import DeadlinePassed
from core_search.models import (
    ItemKind,
    MatchedLabel,
    Namespace,
    QueryType,
    RouterOutput,
    Temporal,
    TemporalType,
    TimeRange,
)
from core_search.options import SearchOptions
from core_search.providers.base import ExtractionAnswer, Question
from core_search.results import SearchRequest
from core_search.router.repair import extraction_from_mapping
from core_search.timeline import DEFAULT_DAYS, moment_range, resolve
from core_search.trace import DropCode, StageDraft


def route(context: Context, request: SearchRequest, stage: StageDraft) -> tuple[Routed, tuple[str, ...]]:
    """The route of a query, and what is degraded about it."""
    started = time.perf_counter()
    matched = _match_labels(context, stage)
    answer = _extract(context, request, matched, stage)
    output = RouterOutput(
        **answer.extraction.model_dump(),
        matched_labels=matched,
        routing_time_ms=(time.perf_counter() - started) * 1000,
    )
    routed = scoped(context, output)
    step = stage.steps[-1]
    step.detail |= {"output": output.wire(), "labelIds": list(routed.label_ids)}
    degraded = f"route: {answer.degraded}" if answer.degraded else None
    return routed, (degraded,) if degraded else ()


def scoped(context: Context, output: RouterOutput) -> Routed:
    """The labels and the time range that the handlers search in. A caller's own override what was extracted."""
    options = context.options
    return Routed(
        output=output,
        label_ids=options.label_ids or _label_ids(output, options.label_fallback),
        time=_time(context, output, options),
        at=context.now,
        end_user_ids=options.end_user_ids,
    )


def search_time(context: Context, routed: Routed) -> tuple[Routed, str]:
    """The route with the range that its handler searches, and a note when that is not what was extracted."""
    if routed.query_type is not QueryType.TEMPORAL or not routed.time.is_open:
        return routed, ""
    recent = resolve(Temporal(type=TemporalType.RECENT, days=DEFAULT_DAYS), context.now, context.stores.zone)
    return replace(routed, time=recent), f"no time range given: the last {DEFAULT_DAYS} days"


def _match_labels(context: Context, stage: StageDraft) -> tuple[MatchedLabel, ...]:
    options, stores = context.options, context.stores
    names = {label.id: label.name for label in stores.labels}
    with stage.step("labels") as step:
        # Every label is looked at: a memory has tens of them, and the near misses are what people ask about.
        hits = stores.vectors.search(Namespace.LABEL, context.vector, max(len(names), options.label_limit))
        rows: list[Row] = []
        matched: list[MatchedLabel] = []
        for hit in hits:
            row = Row(hit.id, ItemKind.LABEL, {"cosine": hit.cosine}, ("labels",), detail={"name": names[hit.id]})
            if hit.cosine < options.label_threshold:
                row = replace(row, code=DropCode.BELOW_THRESHOLD)
            elif len(matched) >= options.label_limit:
                row = replace(row, code=DropCode.HANDLER_LIMIT)
            else:
                matched.append(MatchedLabel(label_id=hit.id, label_name=names[hit.id], score=hit.cosine))
            rows.append(row)
        step.detail |= {
            "namespace": Namespace.LABEL.value,
            "query": context.query_text,
            "model": context.providers.embedder.model,
            "threshold": options.label_threshold,
            "limit": options.label_limit,
        }
        step.found(ItemKind.LABEL, [(hit.id, hit.cosine) for hit in hits], "cosine")
    for rank, row in enumerate(rows, 1):
        stage.enter(row.entry(rank_in=rank, rank_out=rank))
    return tuple(matched)


def _extract(
    context: Context, request: SearchRequest, matched: tuple[MatchedLabel, ...], stage: StageDraft
) -> ExtractionAnswer:
    with stage.step("extract") as step:
        if request.router_output is not None:
            extraction, repairs = extraction_from_mapping(request.router_output, None, "the caller's router output")
            answer = ExtractionAnswer(extraction, "caller", "", repairs)
        else:
            answer = _ask(context, matched)
        step.detail |= {
            "extractor": answer.extractor,
            "model": answer.model,
            "repairs": list(answer.repairs),
            "degraded": answer.degraded,
            **answer.detail,
        }
        step.note = answer.degraded or ""
        return answer


def _ask(context: Context, matched: tuple[MatchedLabel, ...]) -> ExtractionAnswer:
    question = Question(
        query=context.query,
        now=context.now,
        timezone=context.stores.zone.key,
        matched_labels=matched,
        names=context.stores.names,
    )
    providers = context.providers
    try:
        return context.deadline.run(lambda: providers.extractor.extract(question))
    except DeadlinePassed as passed:
        answer = providers.rules.extract(question)
        return replace(answer, degraded=f"{providers.extractor.name} did not answer: {passed}; local rules answered")


def _label_ids(output: RouterOutput, fallback: float) -> tuple[str, ...]:
    """The selected labels that really matched; when there is none, the matched ones with enough score."""
    selected = {name.casefold() for name in output.selected_labels}
    chosen = tuple(m.label_id for m in output.matched_labels if m.label_name.casefold() in selected)
    return chosen or tuple(m.label_id for m in output.matched_labels if m.score >= fallback)


def _time(context: Context, output: RouterOutput, options: SearchOptions) -> TimeRange:
    zone = context.stores.zone
    if options.start is not None or options.end is not None:
        return moment_range(options.start, options.end, zone)
    return resolve(output.temporal, context.now, zone)
