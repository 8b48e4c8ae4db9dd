"""The stages of a search in their order (seed, "Pipeline overview"; SPEC 2 and 4).

Each stage takes the state before it and returns the state after it. A replay takes the first stages over from an
earlier trace and runs the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from core_search import gate, legacy
from core_search.context import Context, Row
from core_search.errors import CoreSearchError, SearchFailed, redact
from core_search.handlers import HANDLERS
from core_search.models import ItemKind, QueryType
from core_search.ranking.budget import fit
from core_search.ranking.compact import compact
from core_search.ranking.merge import merge
from core_search.ranking.order import settle
from core_search.ranking.rerank import rerank
from core_search.replay import take_over
from core_search.results import BudgetResult, SearchRequest
from core_search.router.route import route, search_time
from core_search.state import State
from core_search.texts import texts_of
from core_search.trace import DropCode, Recorder, StageDraft

StageFunction = Callable[[Context, SearchRequest, State, StageDraft], State]


def run(context: Context, request: SearchRequest) -> tuple[State, Recorder]:
    """Run all stages. What fails is a `SearchFailed` that carries the trace up to there."""
    recorder = Recorder()
    state, first = State(), 0
    try:
        if request.replay is not None:
            state, first = take_over(context, request, request.replay, recorder)
        for name, stage_function in list(PIPELINE.items())[first:]:
            with recorder.stage(name) as stage:
                if state.gate is not None and not state.gate.open and name != "gate":
                    stage.skip("the gate is closed")
                    continue
                try:
                    state = stage_function(context, request, state, stage)
                except Exception:
                    stage.ledger = [
                        replace(row, code=DropCode.STAGE_FAILED).entry(rank_in=rank)
                        for rank, row in enumerate(state.rows, 1)
                    ]
                    raise
    except Exception as error:
        message = str(error) if isinstance(error, CoreSearchError) else f"{type(error).__name__}: {error}"
        raise SearchFailed(redact(message), recorder.trace()) from error
    return state, recorder


def not_begun(error: CoreSearchError) -> SearchFailed:
    """The failure of a search whose query could not be embedded: the route is where it ended."""
    recorder = Recorder()
    with suppress(CoreSearchError), recorder.stage("route"):
        raise error
    return SearchFailed(redact(str(error)), recorder.trace())


def _route(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    routed, degraded = route(context, request, stage)
    return replace(state, routed=routed, degraded=(*state.degraded, *degraded))


def _gate(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    decision = gate.decide(state.route.output, context.options.confidence_gate, request.force_gate)
    stage.note = decision.reason
    with stage.step("decide") as step:
        step.detail |= {**decision.wire(), "shouldSearch": state.route.output.should_search}
    names = {label.id: label.name for label in context.stores.labels}
    for rank, id_ in enumerate(state.route.label_ids, 1):
        code = None if decision.open else DropCode.GATE_CLOSED
        row = Row(id_, ItemKind.LABEL, sources=("route",), code=code, detail={"name": names.get(id_, "")})
        stage.enter(row.entry(rank_in=rank, rank_out=rank))
    return replace(state, gate=decision)


def _handle(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    routed, stage.note = search_time(context, state.route)
    handled = HANDLERS[routed.query_type](context, routed, stage)
    kept = 0
    for rank, row in enumerate(handled.rows, 1):
        kept += row.code is None
        stage.enter(row.entry(rank_in=rank, rank_out=kept))
    rows = tuple(row for row in handled.rows if row.code is None and not row.beside)
    return replace(state, routed=routed, handled=handled, rows=rows)


def _merge(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    return replace(state, rows=merge(state.rows, stage))


def _backstop(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    before = state.rows
    if state.route.query_type is QueryType.TEMPORAL_FACETS:
        # Facets are counts; the seed returns no episodes with them.
        stage.skip("facets have no episodes")
        return replace(state, rows=settle(stage, before, before))
    if not context.options.backstop or not context.options.backstop_limit:
        stage.skip("switched off (backstop)")
        return replace(state, rows=settle(stage, before, before))
    if context.deadline.passed:
        stage.skip(context.deadline.reason())
        degraded = (*state.degraded, f"backstop: {stage.note}")
        return replace(state, rows=settle(stage, before, before), degraded=degraded)
    known = {row.id for row in before if row.kind is ItemKind.EPISODE}
    added = legacy.candidates(context, state.route, stage, context.options.backstop_limit, known)
    added = [replace(row, sources=("backstop",), detail={"foundBy": list(row.sources)}) for row in added]
    return replace(state, rows=merge([*before, *added], stage))


def _rerank(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    if not state.rows:
        stage.skip("nothing to rank")
        return state
    after, problem = rerank(context, state.route, list(state.rows), stage)
    degraded = (*state.degraded, f"rerank: {problem}") if problem else state.degraded
    return replace(state, rows=settle(stage, state.rows, after), degraded=degraded)


def _compact(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    if not context.options.compact:
        stage.skip("switched off (compact)")
        return replace(state, rows=settle(stage, state.rows, state.rows))
    return replace(state, rows=settle(stage, state.rows, compact(context, state.rows)))


def _budget(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    """Cut to the token budget. Statements are facts of a line each and are not charged."""
    limit = context.options.token_budget
    texts = texts_of(context, state.rows)
    with stage.step("count_tokens") as step:
        tokens = [
            context.providers.tokens.count(texts[row.key].content) if row.key in texts else 0 for row in state.rows
        ]
        stays = fit(tokens, limit)
        step.detail |= {"encoding": context.providers.tokens.encoding, "limit": limit}
    after = []
    for row, count, stay in zip(state.rows, tokens, stays, strict=True):
        charged = row.key in texts
        code = None if stay or not charged else DropCode.OVER_BUDGET
        after.append(replace(row, code=code, detail={**row.detail, "tokens": count} if charged else row.detail))
    kept = settle(stage, state.rows, after)
    used = sum(int(row.detail["tokens"]) for row in kept if row.key in texts)
    in_budget = sum(row.key in texts for row in kept)
    budget = BudgetResult(limit=limit, used=used, kept=in_budget, dropped=len(texts) - in_budget)
    return replace(state, rows=kept, texts=texts, budget=budget)


def _fallback(context: Context, request: SearchRequest, state: State, stage: StageDraft) -> State:
    reason = _why_no_fallback(context, state)
    if reason:
        stage.skip(reason)
        return replace(state, rows=settle(stage, state.rows, state.rows))
    found = legacy.candidates(context, state.route, stage, context.options.backstop_limit)
    if not found:
        stage.note = "V2 found nothing, and V1 neither"
        return state
    # What V1 found is ranked and cut as in the stages of those names; whether those ran says nothing of this one.
    ranking, cutting = StageDraft("rerank"), StageDraft("budget")
    ranked, problem = rerank(context, state.route, found, ranking)
    standing = tuple(row for row in ranked if row.code is None)
    cut = _budget(context, request, replace(state, rows=standing), cutting)
    stage.steps += [*ranking.steps, *cutting.steps]
    fitting = {row.key: row for row in cut.rows}
    settle(
        stage,
        found,
        [fitting.get(row.key, row if row.code else replace(row, code=DropCode.OVER_BUDGET)) for row in ranked],
    )
    stage.note = "; ".join(filter(None, ("V2 found nothing; this is the answer of V1", problem)))
    return replace(cut, degraded=(*state.degraded, f"fallback: {stage.note}"))


def _why_no_fallback(context: Context, state: State) -> str:
    """Why V1 does not run; empty when it does (seed, "V1 fallback")."""
    handled = state.handled
    if context.stores.version == "V3":
        return "a V3 workspace is searched by V2 alone"
    if not context.options.fallback:
        return "switched off (fallback)"
    if state.rows or handled.entity or handled.facets or any(row.beside and not row.code for row in handled.rows):
        return "V2 found something"
    return ""


PIPELINE: dict[str, StageFunction] = {
    "route": _route,
    "gate": _gate,
    "handle": _handle,
    "merge": _merge,
    "backstop": _backstop,
    "rerank": _rerank,
    "compact": _compact,
    "budget": _budget,
    "fallback": _fallback,
}
