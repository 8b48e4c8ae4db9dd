"""The chat model that proposes grades, against a server that speaks OpenAI's API."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from core_search import Settings
from core_search.errors import ProviderError
from core_search.ingest.values import Query
from core_search.judgments.proposals import ask
from core_search.judgments.values import DEFAULT_LABELS
from core_search.providers.build import build_providers

QUERY = Query(id="q1", query="my view on code review")


@pytest.fixture
def grader(server, secret, tmp_path):
    settings = Settings(home=tmp_path, openai_api_key=SecretStr(secret), openai_base_url=f"{server.url}/v1")
    return build_providers(settings).grader


def test_there_is_no_grader_without_a_key(tmp_path):
    assert build_providers(Settings(home=tmp_path)).grader is None


def test_a_grade_is_asked_for_with_its_schema(server, grader):
    server.chat({"reason": "it says so", "grade": 3})
    assert ask(grader, QUERY, "Small pull requests.", DEFAULT_LABELS, "be fair") == (3, "it says so")
    ((_, body),) = server.requests
    schema = body["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("grade", True)
    assert schema["schema"]["properties"]["grade"]["enum"] == [0, 1, 2, 3]
    assert "Small pull requests." in body["messages"][1]["content"]


def test_a_refusing_server_is_told_without_the_key(server, reply, grader, secret):
    server.chat(reply({"error": {"message": f"wrong key {secret}"}}, status=401))
    with pytest.raises(ProviderError, match="OPENAI_API_KEY") as caught:
        ask(grader, QUERY, "text", DEFAULT_LABELS, "")
    assert secret not in str(caught.value)
