"""The floor does what the search did: the raw calls find the same ids as the steps of the trace."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core_search import SearchEngine, SearchResult
from core_search.bench.engines import RawEngines
from core_search.bench.floor import AROUND, Call, floor_of
from core_search.bench.questions import KINDS, V1, BenchQuestion, questions
from core_search.bench.stored import workspace_name
from core_search.bench.world import World
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.trace import Status

EPISODES = 200
ASKED = {kind: [q for q in questions(World(EPISODES), 2) if q.kind == kind and q.router_output] for kind in KINDS}


@pytest.fixture(scope="module")
def engines(bench_engine: SearchEngine) -> Iterator[RawEngines]:
    with bench_engine.memory(workspace_name(EPISODES)) as memory:
        yield RawEngines(memory.stores, LocalEmbedder())


def found(result: SearchResult, stage: str, step: str) -> set[str]:
    recorded = result.trace.stage(stage).step(step)
    return {item.id for item in recorded.items} if recorded and recorded.status is Status.OK else set()


def ids(calls: list[Call], stage: str, step: str, engine: str) -> set[str]:
    return {id_ for call in calls if (call.stage, call.step, call.engine) == (stage, step, engine) for id_ in call.ids}


@pytest.mark.parametrize("kind", KINDS)
def test_raw_calls_find_what_the_steps_found(bench_engine: SearchEngine, engines: RawEngines, kind: str):
    for question in ASKED[kind]:
        result = bench_engine.search(question.request(workspace_name(EPISODES)))
        calls = floor_of(engines, result)
        assert ids(calls, "route", "labels", "chroma") == found(result, "route", "labels")
        for stage, step in (
            ("handle", "graph"),
            ("handle", "connections"),
            ("handle", "session_documents"),
            ("handle", "entity_episodes"),
        ):
            # A query fetches what a step keeps and what stands next in line; both are rows of the step.
            assert ids(calls, stage, step, "kuzu") == found(result, stage, step)
        charged = {entry.id for entry in result.trace.stage("budget").ledger if entry.kind != "statement"}
        assert ids(calls, "budget", "count_tokens", "kuzu") == charged
        shown = {s.uuid for s in (*result.statements, *result.voice_statements, *result.invalidated_facts)}
        assert ids(calls, AROUND, "statements", "kuzu") == shown


def test_v1_is_asked_of_all_engines(bench_engine: SearchEngine, engines: RawEngines):
    question: BenchQuestion = ASKED[V1][0]
    result = bench_engine.search(question.request(workspace_name(EPISODES)))
    calls = floor_of(engines, result)
    assert result.episodes
    assert ids(calls, "fallback", "vector_episodes", "chroma") == found(result, "fallback", "vector_episodes")
    assert ids(calls, "fallback", "bm25_episodes", "bm25s") >= found(result, "fallback", "bm25_episodes")
    assert {call.engine for call in calls} == {"kuzu", "chroma", "bm25s", "embedding"}


def test_every_call_is_timed(bench_engine: SearchEngine, engines: RawEngines):
    result = bench_engine.search(ASKED["aspect_query"][0].request(workspace_name(EPISODES)))
    assert all(call.duration_ms >= 0 and call.cpu_ms >= 0 for call in floor_of(engines, result))
