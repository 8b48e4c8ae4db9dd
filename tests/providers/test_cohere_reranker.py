import math

import pytest

from core_search.errors import ProviderError
from core_search.providers.base import RerankItem
from core_search.providers.cohere_provider import TEXT_LENGTH, CohereReranker
from core_search.ranking.answer_check import check_answer

PATH = "/v2/rerank"
ITEMS = [RerankItem("a", "first"), RerankItem("b", "second"), RerankItem("c", "third")]


def answer(*entries):
    return {"id": "request-1", "results": [{"index": i, "relevance_score": s} for i, s in entries]}


def best_first(body):
    count = len(body["documents"])
    return answer(*((index, 1 - index / count) for index in range(count)))


@pytest.fixture
def reranker(server, secret):
    return CohereReranker(secret, base_url=server.url, timeout_s=0.5, max_retries=1)


def test_contract(server, reply, reranker, reranker_contract):
    server.script(PATH, reply(best_first))
    reranker_contract(reranker)


def test_a_right_answer(server, reply, reranker, secret):
    server.script(PATH, reply(answer((2, 0.9), (0, 0.25), (1, 0.0))))
    found = reranker.rerank("query \ud800", ITEMS)
    assert [(entry.index, entry.score) for entry in found.scores] == [(2, 0.9), (0, 0.25), (1, 0.0)]
    assert found.detail == {"requestId": "request-1"}
    assert server.requests[0][1] == {
        "model": "rerank-v3.5",
        "query": "query \ufffd",
        "documents": ["first", "second", "third"],
    }
    assert server.keys == [f"Bearer {secret}"]


def test_no_candidates_no_call(server, reranker):
    assert reranker.rerank("query", []).scores == ()
    assert server.requests == []


def test_a_huge_text_is_cut(server, reply, reranker):
    server.script(PATH, reply(best_first))
    reranker.rerank("query", [RerankItem("a", "x" * 1_000_000)])
    assert len(server.requests[0][1]["documents"][0]) == TEXT_LENGTH


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_recovers(server, reply, reranker, status):
    server.script(PATH, reply("{}", status), reply(best_first))
    assert len(reranker.rerank("query", ITEMS).scores) == 3


@pytest.mark.parametrize(
    "entries",
    [
        [(0, 0.9)],
        [(0, 0.9), (0, 0.8), (1, 0.1)],
        [(0, 0.9), (3, 0.8), (1, 0.1)],
        [(0, 0.9), (-1, 0.8), (1, 0.1)],
        [(0, math.nan), (1, 0.8), (2, 0.1)],
        [(0, math.inf), (1, 0.8), (2, 0.1)],
        [(0, 7.5), (1, 0.8), (2, 0.1)],
    ],
)
def test_a_wrong_answer_comes_as_it_is_and_fails_the_check(server, reply, reranker, entries):
    server.script(PATH, reply(answer(*entries)))
    assert check_answer(reranker.rerank("query", ITEMS), len(ITEMS))


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"results": None},
        {"results": ["first"]},
        {"results": [{"index": 0}]},
        answer((None, 0.5)),
        answer(("first", 0.5)),
        answer((0, None)),
        answer((0, "high")),
        '{"results": [{"ind',
        "<html>",
    ],
)
def test_an_unreadable_answer_is_an_error(server, reply, reranker, body):
    server.script(PATH, reply(body))
    with pytest.raises(ProviderError, match=r"Cohere model 'rerank-v3.5'"):
        reranker.rerank("query", ITEMS)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [(400, "CORE_SEARCH_COHERE_MODEL"), (401, "check COHERE_API_KEY"), (404, "CORE_SEARCH_COHERE_URL"), (500, "later")],
)
def test_errors_name_the_remedy_and_not_the_key(server, reply, reranker, secret, status, remedy):
    server.script(PATH, reply({"message": f"invalid token {secret}"}, status))
    with pytest.raises(ProviderError, match=remedy) as caught:
        reranker.rerank("query", ITEMS)
    assert "invalid token [secret]" in str(caught.value)
    assert secret not in str(caught.value)


def test_a_silent_server_is_given_up(server, reply, secret):
    server.script(PATH, reply(hangs=True))
    with pytest.raises(ProviderError, match="CORE_SEARCH_PROVIDER_TIMEOUT"):
        CohereReranker(secret, base_url=server.url, timeout_s=0.1, max_retries=0).rerank("query", ITEMS)


def test_no_server_at_all(secret):
    reranker = CohereReranker(secret, base_url="http://127.0.0.1:1", max_retries=0)
    with pytest.raises(ProviderError, match="check the network"):
        reranker.rerank("query", ITEMS)
