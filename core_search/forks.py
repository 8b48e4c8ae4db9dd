"""What would have been, had one thing been otherwise: forks of a search (SPEC 4, "Replay").

A fork is a request that replays a result from the last stage that its changes touch. Everything before that stage is
taken over, everything from there on runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core_search.engine import SearchEngine
from core_search.errors import UsageError
from core_search.models import QueryType
from core_search.replay import extraction_of
from core_search.results import Replay, SearchRequest, SearchResult
from core_search.trace import STAGES

# The first stage that each setting acts in. A replay that changes a setting starts there or earlier.
STARTS_AT: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("label_threshold", "label_limit", "deadline_s"), "route"),
        # The scope follows from the route's findings, so that they need not be found again.
        **dict.fromkeys(("label_fallback", "label_ids", "end_user_ids", "start", "end", "confidence_gate"), "gate"),
        **dict.fromkeys(
            (
                "hint_threshold",
                "hint_limit",
                "hint_entities",
                "lookup_threshold",
                "lookup_entities",
                "episode_threshold",
                "episode_limit",
                "voice_threshold",
                "voice_limit",
                "session_limit",
                "statement_limit",
            ),
            "handle",
        ),
        **dict.fromkeys(("backstop", "backstop_limit"), "backstop"),
        **dict.fromkeys(("rerank", "rerank_floor", "exploratory_floor", "limit", "sort"), "rerank"),
        "compact": "compact",
        "token_budget": "budget",
        "fallback": "fallback",
    }
)
# Changes that are no settings: they edit what a stage decided.
QUERY_TYPE, FORCE_GATE = "query_type", "force_gate"
DECISIONS: Mapping[str, str] = MappingProxyType({QUERY_TYPE: "route", FORCE_GATE: "gate"})


def fork(
    result: SearchResult,
    request: SearchRequest,
    changes: Mapping[str, Any] | None = None,
    *,
    stage: str | None = None,
    router_output: Mapping[str, Any] | None = None,
    run_id: str | None = None,
) -> SearchRequest:
    """The request that replays `result` with `changes`: settings, `query_type`, `force_gate`.

    `request` is the one that `result` answers. `router_output` is an edited extraction. Without `stage` the replay
    starts as late as it can; a later stage than that is a `UsageError`.
    """
    changes = dict(changes or {})
    settings = {key: value for key, value in changes.items() if key not in DECISIONS}
    options = result.options.with_changes(settings)
    touched = [key for key in settings if getattr(options, key) != getattr(result.options, key)]
    starts = {key: STARTS_AT[key] for key in touched} | {key: DECISIONS[key] for key in changes if key in DECISIONS}
    if router_output is not None:
        starts["router_output"] = "route"
    key, needed = min(starts.items(), key=lambda item: STAGES.index(item[1]), default=("", stage or STAGES[0]))
    stage = stage or needed
    if stage not in STAGES:
        raise UsageError(f"unknown stage {stage!r}; known are {', '.join(STAGES)}")
    if STAGES.index(stage) > STAGES.index(needed):
        raise UsageError(f"{key!r} acts in the stage {needed!r}; start from it or from an earlier one")
    output = router_output if router_output is not None else _given_extraction(result)
    if QUERY_TYPE in changes:
        query_type = _query_type(changes[QUERY_TYPE])
        output = {**(output or extraction_of(result.router).wire()), "queryType": query_type.value}
    return SearchRequest(
        query=result.query,
        workspace=result.workspace,
        now=result.now,
        set={**request.set, **settings},
        router_output=output,
        force_gate=changes[FORCE_GATE] if FORCE_GATE in changes else _forced(result),
        replay=Replay(stage=stage, trace=result.trace, run_id=run_id),
    )


def request_of(engine: SearchEngine, result: SearchResult) -> SearchRequest:
    """The request that a kept result answers, read back from the result: the settings that are not the defaults."""
    defaults = engine.default_options()
    changed = {
        name: getattr(result.options, name)
        for name in type(defaults).model_fields
        if getattr(result.options, name) != getattr(defaults, name)
    }
    return SearchRequest(
        query=result.query,
        workspace=result.workspace,
        now=result.now,
        set=changed,
        router_output=_given_extraction(result),
        force_gate=_forced(result),
    )


def _given_extraction(result: SearchResult) -> dict[str, Any] | None:
    """The extraction, when no extractor made it: running one would not give it again."""
    step = result.trace.stage("route").step("extract")
    if step is None or step.detail.get("extractor") != "caller":
        return None
    return extraction_of(result.router).wire()


def _forced(result: SearchResult) -> bool | None:
    """How the gate was forced: it decided otherwise than the route says."""
    gate, router = result.gate, result.router
    unforced = router.should_search and gate.confidence >= gate.threshold
    return None if gate.open == unforced else gate.open


def _query_type(value: Any) -> QueryType:
    try:
        return QueryType(value)
    except ValueError:
        raise UsageError(f"unknown query type {value!r}; known are {', '.join(QueryType)}") from None
