"""The server of the embeddings is away: the page says which stage, why, and what to do."""

from __future__ import annotations

import pytest
import streamlit as st

from core_search import SearchEngine, Settings
from tests.scripted_server import Reply, ScriptedServer
from tests.small import bundle

KEY = "sk-page-0123456789abcdefghij"


def embedded(body):
    rows = [[len(text), text.count(" ") + 1.0, 1.0] for text in body["input"]]
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return {"object": "list", "model": "own", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture
def server(environment, tmp_path):
    """Embeddings of our own model; the home has no memory yet."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        environment.delenv(name, raising=False)
        environment.delenv(name.upper(), raising=False)
    running = ScriptedServer()
    running.script("/v1/embeddings", Reply(embedded))
    for name, value in {
        "CORE_SEARCH_HOME": str(tmp_path),
        "CORE_SEARCH_EMBEDDINGS": "openai",
        "CORE_SEARCH_ROUTER": "local",
        "CORE_SEARCH_OPENAI_EMBEDDING_MODEL": "own",
        "CORE_SEARCH_PROVIDER_TIMEOUT": "2",
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{running.url}/v1",
    }.items():
        environment.setenv(name, value)
    yield running
    running.close()
    st.cache_resource.clear()


def test_a_search_without_embeddings_failed_in_the_route(server, open_page):
    with SearchEngine(Settings.from_environment()) as engine:
        engine.load(bundle("sample"))
    page = open_page()
    assert not page.error
    server.script("/v1/embeddings", Reply("busy", status=500))
    page.text_input(key="query_text").set_value("soup with salt")
    page.button(key="FormSubmitter:ask-Search").click().run()
    for stage in ("overview", "route", "gate", "handle", "result"):
        page.query_params["stage"] = stage
        page.run()
        assert not page.exception
        said = page.error[0].value.replace("\\", "")
        assert "route failed" in said
        assert "500" in said
        assert "core-search doctor" in said
        assert KEY not in said


def test_a_first_visit_without_embeddings_says_why_there_is_no_memory(server, open_page):
    server.script("/v1/embeddings", Reply("busy", status=500))
    page = open_page()
    assert not page.exception
    assert "500" in page.error[0].value
    assert any("CORE_SEARCH_EMBEDDINGS=local" in shown.value for shown in page.markdown)
