"""Start a search from a stage of an earlier trace (SPEC 4, "Replay").

What the earlier stages decided is read back from their ledgers and steps: nothing but the trace and the memory is
needed. What the route found is scoped anew with the settings of the replay, so that labels, time range and end users
can be changed from the gate on.
"""

from __future__ import annotations

from dataclasses import replace

from core_search.context import Context, Routed, Row
from core_search.errors import UsageError
from core_search.handlers.answer import Handled, PickedAttribute
from core_search.models import Extraction, QueryType, RouterOutput
from core_search.results import BudgetResult, GateDecision, Replay, SearchRequest
from core_search.router.repair import extraction_from_mapping
from core_search.router.route import scoped, search_time
from core_search.state import State
from core_search.texts import texts_of
from core_search.trace import STAGES, Fate, Recorder, Stage, Status, Trace


def take_over(context: Context, request: SearchRequest, replay: Replay, recorder: Recorder) -> tuple[State, int]:
    """The state before `replay.stage` and the index of that stage; the stages before it are recorded as they were.

    `UsageError` when an earlier stage is missing or failed, or when the request decides such a stage otherwise.
    """
    if replay.stage not in STAGES:
        raise UsageError(f"unknown stage {replay.stage!r}; known are {', '.join(STAGES)}")
    first = STAGES.index(replay.stage)
    trace = replay.trace
    for name in STAGES[:first]:
        if trace.stage(name).status is Status.FAILED and name != "rerank":
            raise UsageError(f"the stage {name!r} of that search failed; start from it or from an earlier one")
    state = State()
    if first > STAGES.index("route"):
        state = _with_route(context, trace)
        _refuse_another_route(request, state.route.output)
    if first > STAGES.index("gate"):
        state = replace(state, gate=_gate_of(request, trace))
    if first > STAGES.index("handle") and state.gate and state.gate.open:
        if state.route.query_type is QueryType.TEMPORAL_FACETS:
            first = STAGES.index("handle")  # counts are not kept in a ledger; making them anew is the whole work
        else:
            state = _with_rows(context, trace, state, STAGES[first - 1])
    for name in STAGES[:first]:
        stage = trace.stage(name)
        recorder.take_over(_rescoped(stage, state.route) if name == "route" else stage)
    return state, first


def extraction_of(output: RouterOutput) -> Extraction:
    """What the extractor said, without what the label search added."""
    return Extraction.model_validate({name: getattr(output, name) for name in Extraction.model_fields})


def _with_route(context: Context, trace: Trace) -> State:
    step = trace.stage("route").step("extract")
    if step is None or "output" not in step.detail:
        raise UsageError("that trace has no route to take over; start from the stage 'route'")
    routed = scoped(context, RouterOutput.model_validate(step.detail["output"]))
    degraded = step.detail.get("degraded")
    return State(routed=routed, degraded=(f"route: {degraded}",) if degraded else ())


def _refuse_another_route(request: SearchRequest, output: RouterOutput) -> None:
    if request.router_output is None:
        return
    wanted, _ = extraction_from_mapping(request.router_output, None, "the caller's router output")
    if wanted != extraction_of(output):
        raise UsageError("another router output decides the stage 'route'; start from it")


def _rescoped(stage: Stage, routed: Routed) -> Stage:
    """The route with the labels that the later stages search in now."""
    labels = list(routed.label_ids)
    steps = tuple(
        step.model_copy(update={"detail": {**step.detail, "labelIds": labels}}) if step.name == "extract" else step
        for step in stage.steps
    )
    return stage.model_copy(update={"steps": steps})


def _gate_of(request: SearchRequest, trace: Trace) -> GateDecision:
    step = trace.stage("gate").step("decide")
    if step is None:
        raise UsageError("that trace has no gate to take over; start from the stage 'gate'")
    known = {field.alias or name for name, field in GateDecision.model_fields.items()}
    decision = GateDecision.model_validate({k: v for k, v in step.detail.items() if k in known})
    if request.force_gate not in (None, decision.open):
        raise UsageError("forcing the gate decides the stage 'gate'; start from it or from 'route'")
    return decision


def _with_rows(context: Context, trace: Trace, state: State, last: str) -> State:
    handle = trace.stage("handle")
    beside = tuple(row for row in rows_of(handle) if row.beside)
    rows = tuple(row for row in rows_of(trace.stage(last)) if not row.beside)
    degraded = state.degraded
    if STAGES.index(last) >= STAGES.index("rerank") and trace.stage("rerank").status is Status.FAILED:
        degraded = (*degraded, f"rerank: {trace.stage('rerank').note}")
    state = replace(
        state,
        routed=search_time(context, state.route)[0],
        handled=Handled(rows=beside, entity=_picked(context, handle)),
        rows=rows,
        degraded=degraded,
    )
    if STAGES.index(last) >= STAGES.index("budget"):
        state = replace(state, texts=texts_of(context, rows), budget=_budget_of(trace.stage("budget")))
    return state


def _picked(context: Context, handle: Stage) -> PickedAttribute | None:
    step = handle.step("answer")
    if step is None or "entity" not in step.detail:
        return None
    entity, key = step.detail["entity"], step.detail.get("key")
    stored = context.stores.graph.entities([entity]).get(entity)
    return PickedAttribute(entity, key, stored.attributes.get(key) if stored and key else None)


def _budget_of(stage: Stage) -> BudgetResult | None:
    step = stage.step("count_tokens")
    if step is None:
        return None
    charged = [entry for entry in stage.ledger if "tokens" in entry.detail]
    kept = [entry for entry in charged if entry.fate is Fate.KEPT]
    used = sum(int(entry.detail["tokens"]) for entry in kept)
    return BudgetResult(limit=int(step.detail["limit"]), used=used, kept=len(kept), dropped=len(charged) - len(kept))


def rows_of(stage: Stage) -> list[Row]:
    """The rows that a stage handed on, in their order."""
    entries = sorted(stage.kept(), key=lambda entry: entry.rank_out or 0)
    return [
        Row(
            id=entry.id,
            kind=entry.kind,
            scores=entry.scores,
            sources=entry.sources,
            beside=bool(entry.detail.get("beside")),
            detail={key: value for key, value in entry.detail.items() if key != "beside"},
        )
        for entry in entries
    ]
