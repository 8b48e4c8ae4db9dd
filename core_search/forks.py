"""What would have been, had one thing been otherwise: forks of a search, the other handlers, and repeated extraction.

A fork is a request that replays a result from the last stage that its changes touch. Everything before that stage is
taken over, everything from there on runs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError, SearchFailed, UsageError
from core_search.models import ItemKind, QueryType, Value
from core_search.replay import extraction_of
from core_search.results import Replay, SearchRequest, SearchResult
from core_search.trace import STAGES

# The first stage that each setting acts in. A replay that changes a setting starts there or earlier.
STARTS_AT: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("label_threshold", "label_limit"), "route"),
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


# ---------------------------------------------------------------- what a result holds

ItemKey = tuple[ItemKind, str]


def items_of(result: SearchResult) -> frozenset[ItemKey]:
    """Every item that the result holds as an answer: episodes, documents, statements, the entity and facets."""
    keys: list[ItemKey] = [(ItemKind(episode.kind), episode.uuid) for episode in result.episodes]
    keys += [(ItemKind.STATEMENT, s.uuid) for s in (*result.statements, *result.voice_statements)]
    if result.entity:
        keys.append((ItemKind.ENTITY, result.entity.uuid))
    if result.facets:
        keys += [(ItemKind.LABEL, topic.label_id) for topic in result.facets.topics]
        keys += [(ItemKind.ENTITY, entity.entity_uuid) for entity in result.facets.entities]
    return frozenset(keys)


# ---------------------------------------------------------------- the other handlers


class ShadowResult(Value):
    """What another handler returns for the same extraction. Counts are of items; exactly one of `result`, `error`."""

    query_type: QueryType
    result: SearchResult | None = None
    error: str | None = None
    shared: int = 0  # items that both have
    only_here: int = 0
    only_original: int = 0


def shadow(engine: SearchEngine, request: SearchRequest, result: SearchResult) -> tuple[ShadowResult, ...]:
    """The other five query types with everything else the same, in the order of `QueryType`."""
    before = items_of(result)
    shadows = []
    for query_type in QueryType:
        if query_type is result.router.query_type:
            continue
        try:
            other = engine.search(fork(result, request, {QUERY_TYPE: query_type}))
        except CoreSearchError as error:
            shadows.append(ShadowResult(query_type=query_type, error=str(error), only_original=len(before)))
            continue
        after = items_of(other)
        shadows.append(
            ShadowResult(
                query_type=query_type,
                result=other,
                shared=len(before & after),
                only_here=len(after - before),
                only_original=len(before - after),
            )
        )
    return tuple(shadows)


# ---------------------------------------------------------------- repeated extraction


class Agreement(Value):
    """How often the runs said the same of one field: `share` of the commonest value, and each value's count."""

    field: str
    share: float
    values: tuple[tuple[str, int], ...]  # as JSON text, commonest first


class FlickeringItem(Value):
    kind: ItemKind
    id: str
    runs: int  # that returned it


class StabilityReport(Value):
    """The same search run `times` times. Items that some runs return and others do not flicker."""

    times: int
    failed: int
    degraded: int
    fields: tuple[Agreement, ...]
    steady: int  # items that every run returned
    flickering: tuple[FlickeringItem, ...]
    same_results: bool  # every run returned the same items


def stability(engine: SearchEngine, request: SearchRequest, times: int) -> StabilityReport:
    """Run the search with its extraction `times` times and compare. A failed run counts for nothing but `failed`."""
    if times < 2:
        raise UsageError(f"{times} runs cannot be compared; give 2 or more")
    fresh = request.model_copy(update={"replay": None, "router_output": None})
    results = []
    for _ in range(times):
        try:
            results.append(engine.search(fresh))
        except SearchFailed:
            continue
    counts = Counter(key for result in results for key in items_of(result))
    flickering = sorted((key, count) for key, count in counts.items() if count < len(results))
    return StabilityReport(
        times=times,
        failed=times - len(results),
        degraded=sum(bool(result.degraded) for result in results),
        fields=_agreements(results),
        steady=len(counts) - len(flickering),
        flickering=tuple(FlickeringItem(kind=kind, id=id_, runs=count) for (kind, id_), count in flickering),
        same_results=not flickering,
    )


def _agreements(results: list[SearchResult]) -> tuple[Agreement, ...]:
    said = [extraction_of(result.router).wire() for result in results]
    agreements = []
    for field in said[0] if said else ():
        values = Counter(json.dumps(wire[field], ensure_ascii=False, sort_keys=True) for wire in said)
        common = values.most_common()
        agreements.append(Agreement(field=field, share=common[0][1] / len(said), values=tuple(common)))
    return tuple(agreements)
