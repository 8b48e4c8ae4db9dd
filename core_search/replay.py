"""Start a search from a stage of an earlier trace (SPEC 4, "Replay").

What the earlier stages decided is read back from their ledgers and steps: nothing but the trace is needed.
"""

from __future__ import annotations

from core_search.context import Context, Row
from core_search.errors import UsageError
from core_search.handlers.answer import Handled, PickedAttribute
from core_search.models import QueryType, RouterOutput
from core_search.results import GateDecision, Replay
from core_search.router.route import scoped, search_time
from core_search.state import State
from core_search.trace import STAGES, Recorder, Stage, Status, Trace


def take_over(context: Context, replay: Replay, recorder: Recorder) -> tuple[State, int]:
    """The state before `replay.stage` and the index of that stage; the stages before it are recorded as they were."""
    if replay.stage not in STAGES:
        raise UsageError(f"unknown stage {replay.stage!r}; known are {', '.join(STAGES)}")
    first = STAGES.index(replay.stage)
    trace = replay.trace
    for name in STAGES[:first]:
        if trace.stage(name).status is Status.FAILED and name != "rerank":
            raise UsageError(f"the stage {name!r} of that search failed; start from it or from an earlier one")
    state = State()
    if first > STAGES.index("route"):
        state = _with_route(context, trace, state)
    if first > STAGES.index("gate"):
        state = _with_gate(trace, state)
    if first > STAGES.index("handle") and state.gate and state.gate.open:
        if state.route.query_type is QueryType.TEMPORAL_FACETS:
            first = STAGES.index("handle")  # counts are not kept in a ledger; making them anew is the whole work
        else:
            state = _with_rows(context, trace, state, STAGES[first - 1])
    for name in STAGES[:first]:
        recorder.take_over(trace.stage(name))
    return state, first


def _with_route(context: Context, trace: Trace, state: State) -> State:
    step = trace.stage("route").step("extract")
    if step is None or "output" not in step.detail:
        raise UsageError("that trace has no route to take over; start from the stage 'route'")
    routed = scoped(context, RouterOutput.model_validate(step.detail["output"]))
    degraded = step.detail.get("degraded")
    return State(routed=routed, degraded=(f"route: {degraded}",) if degraded else state.degraded)


def _with_gate(trace: Trace, state: State) -> State:
    step = trace.stage("gate").step("decide")
    if step is None:
        raise UsageError("that trace has no gate to take over; start from the stage 'gate'")
    known = {field.alias or name for name, field in GateDecision.model_fields.items()}
    decision = GateDecision.model_validate({k: v for k, v in step.detail.items() if k in known})
    return State(routed=state.routed, gate=decision, degraded=state.degraded)


def _with_rows(context: Context, trace: Trace, state: State, last: str) -> State:
    handle = trace.stage("handle")
    beside = tuple(row for row in rows_of(handle) if row.beside)
    stage = trace.stage(last)
    rows = tuple(row for row in rows_of(stage) if not row.beside)
    degraded = state.degraded
    if STAGES.index(last) >= STAGES.index("rerank") and trace.stage("rerank").status is Status.FAILED:
        degraded = (*degraded, f"rerank: {trace.stage('rerank').note}")
    return State(
        routed=search_time(context, state.route)[0],
        gate=state.gate,
        handled=Handled(rows=beside, entity=_picked(context, handle)),
        rows=rows,
        degraded=degraded,
    )


def _picked(context: Context, handle: Stage) -> PickedAttribute | None:
    step = handle.step("answer")
    if step is None or "entity" not in step.detail:
        return None
    entity, key = step.detail["entity"], step.detail.get("key")
    stored = context.stores.graph.entities([entity]).get(entity)
    return PickedAttribute(entity, key, stored.attributes.get(key) if stored and key else None)


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
