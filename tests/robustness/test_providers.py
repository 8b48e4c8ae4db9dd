"""Point 5: slow, dead, wrong, rate limited and flapping models, in each of the three positions of a search."""

from __future__ import annotations

import time

import pytest

from core_search import SearchEngine, Settings
from core_search.errors import ProviderError, SearchFailed
from tests.scripted_server import Reply, ScriptedServer, completion
from tests.small import ask, bundle, route

KEY = "sk-robust-0123456789abcdefghij"
PATHS = {"router": "/v1/chat/completions", "embeddings": "/v1/embeddings", "reranker": "/v2/rerank"}


def extraction(body):
    return completion({**route("exploratory"), "temporal": {"type": "all"}})


def embedded(body):
    rows = [[len(text), text.count(" ") + 1.0, 1.0] for text in body["input"]]
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def ranked(body):
    count = len(body["documents"])
    return {"id": "r", "results": [{"index": i, "relevance_score": 1 - i / count} for i in range(count)]}


RIGHT = {"router": extraction, "embeddings": embedded, "reranker": ranked}
FAULTS = {
    "slow": lambda right: [Reply(hangs=True)],
    "wrong": lambda right: [Reply('{"choices": [], "data": [{"embedding": ["x"]}], "results": [{"index": 99}]}')],
    "nonsense": lambda right: [Reply("<html>busy</html>")],
    "rate limited": lambda right: [Reply({"message": f"slow down, {KEY}"}, 429)],
    "failing": lambda right: [Reply({"message": KEY}, 500)],
}


@pytest.fixture
def server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    running = ScriptedServer()
    for part, path in PATHS.items():
        running.script(path, Reply(RIGHT[part]))
    yield running
    running.close()


@pytest.fixture
def engine(server, tmp_path):
    settings = Settings(
        home=tmp_path,
        openai_api_key=KEY,
        cohere_api_key=KEY,
        openai_base_url=f"{server.url}/v1",
        cohere_base_url=server.url,
        openai_embedding_model="own",
        provider_timeout_s=5,
    )
    with SearchEngine(settings) as engine:
        engine.load(bundle())
        assert ask(engine, "small", "warm up").degraded == ()
        yield engine


def test_every_fault_in_every_position(server, engine):
    for number, (fault, replies) in enumerate(FAULTS.items()):
        for part, path in PATHS.items():
            server.script(path, *replies(RIGHT[part]))
            started = time.monotonic()
            query = f"soup {number} {part}"  # the vector of an earlier query is kept
            if part == "embeddings":
                with pytest.raises(SearchFailed) as failed:
                    ask(engine, "small", query, deadline_s=1.5)
                assert isinstance(failed.value.__cause__, ProviderError), (fault, part)
                assert failed.value.trace.stage("route").status == "failed"
                text = f"{failed.value} {failed.value.trace.model_dump_json()}"
            else:
                result = ask(engine, "small", query, deadline_s=1.5)
                assert result.episodes, (fault, part)
                named = "route" if part == "router" else "rerank"
                assert any(reason.startswith(named) for reason in result.degraded), (fault, part, result.degraded)
                text = result.model_dump_json()
            assert KEY not in text
            assert time.monotonic() - started < 8, (fault, part)  # 1.5 s and what a busy machine adds
            server.script(path, Reply(RIGHT[part]))
            assert ask(engine, "small", f"{query} again").degraded == (), (fault, part)  # it recovers by itself


def test_flapping_servers_are_asked_again(server, engine):
    for part, path in PATHS.items():
        server.script(path, Reply("{}", 503), Reply(RIGHT[part]))
    assert ask(engine, "small", "flapping soup").degraded == ()


def test_dead_servers(server, engine):
    server.close()
    with pytest.raises(SearchFailed, match="check the network and"):
        ask(engine, "small", "dead soup", deadline_s=5)
    # What needs no model: stored vectors of a query that was asked before are kept, and the rest degrades.
    result = ask(engine, "small", "warm up", deadline_s=5)
    assert {reason.partition(":")[0] for reason in result.degraded} == {"route", "rerank"}
    assert result.episodes
