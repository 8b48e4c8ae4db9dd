import math

import numpy as np
import pytest

from core_search.errors import ProviderError
from core_search.options import REFERENCE_PROFILE
from core_search.providers.openai_provider import REQUEST_BYTES, TEXT_BYTES, OpenAIEmbedder

PATH = "/v1/embeddings"


def answer(vectors, indices=None):
    data = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in zip(indices or range(len(vectors)), vectors, strict=True)
    ]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def letters(body):
    """A vector a text can be told by: its length and its number of spaces; last text first, as a server may."""
    vectors = [[len(text), text.count(" ") + 1, 1.0] for text in body["input"]]
    return answer(vectors[::-1], list(range(len(vectors)))[::-1])


@pytest.fixture
def embedder(server, secret):
    return OpenAIEmbedder("own-model", secret, f"{server.url}/v1", timeout_s=0.5, max_retries=1)


def test_contract(server, reply, embedder, embedder_contract):
    server.script(PATH, reply(letters))
    embedder_contract(embedder)
    assert embedder.profile is REFERENCE_PROFILE


def test_rows_stand_at_their_index_and_have_unit_length(server, reply, embedder):
    server.script(PATH, reply(answer([[0, 5], [3, 4]], [1, 0])))
    assert embedder.embed(["first", "second"]) == pytest.approx(np.array([[0.6, 0.8], [0, 1]]))


def test_the_dimension_of_an_unknown_model_is_asked_once(server, reply, embedder):
    server.script(PATH, reply(letters))
    assert (embedder.dimension, embedder.dimension) == (3, 3)
    assert len(server.requests) == 1


def test_the_dimension_of_a_known_model_is_not_asked(server, secret):
    assert OpenAIEmbedder("text-embedding-3-small", secret, f"{server.url}/v1").dimension == 1536
    assert server.requests == []


def test_requests_are_cut_by_count_and_by_bytes(server, reply, secret):
    embedder = OpenAIEmbedder("own-model", secret, f"{server.url}/v1", batch_size=3)
    server.script(PATH, reply(letters))
    assert embedder.embed([f"text {i}" for i in range(7)]).shape == (7, 3)
    assert [len(body["input"]) for _, body in server.requests] == [3, 3, 1]
    server.requests.clear()
    wide = OpenAIEmbedder("own-model", secret, f"{server.url}/v1")
    wide.embed(["漢" * 1_000_000] * 40)
    inputs = [body["input"] for _, body in server.requests]
    assert sum(map(len, inputs)) == 40
    assert all(sum(len(text.encode()) for text in texts) <= REQUEST_BYTES for texts in inputs)
    assert all(TEXT_BYTES - 3 < len(text.encode()) <= TEXT_BYTES for texts in inputs for text in texts)


def test_an_empty_text_is_sent_as_a_blank(server, reply, embedder):
    server.script(PATH, reply(letters))
    embedder.embed([""])
    assert server.requests[0][1]["input"] == [" "]


def test_a_query_is_asked_once(server, reply, embedder):
    server.script(PATH, reply(letters))
    first = embedder.embed(["query"])
    first[:] = 0
    assert np.linalg.norm(embedder.embed(["query"])) == pytest.approx(1)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_recovers(server, reply, embedder, status):
    server.script(PATH, reply("{}", status), reply(letters))
    assert embedder.embed(["x"]).shape == (1, 3)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (answer([[1.0, 0.0]]), "1 vectors for 2 texts"),
        (answer([[1, 0], [1, 0], [1, 0]]), "3 vectors for 2 texts"),
        (answer([[1, 0], [1, 0]], [0, 0]), "a position twice"),
        (answer([[1, 0], [1, 0, 0]]), "one length"),
        (answer([[1, 0], [math.nan, 0]]), "not finite"),
        (answer([[1, 0], [math.inf, 0]]), "not finite"),
        (answer([[1, 0], [None, 0]]), "not finite"),
        (answer([[1, 0], [0, 0]]), "length 0"),
        (answer([[1, 0], "words"]), "one length"),
        (answer([1, 2]), "one length"),
        ({"data": None}, "own-model"),
        ({}, "own-model"),
        ([], "own-model"),
        ('{"data": [{"index"', "own-model"),
        ("<html>hello</html>", "own-model"),
    ],
)
def test_nonsense_is_refused(server, reply, embedder, body, reason):
    server.script(PATH, reply(body))
    with pytest.raises(ProviderError, match=reason):
        embedder.embed(["a", "b"])


def test_a_known_model_with_another_dimension_is_refused(server, reply, secret):
    server.script(PATH, reply(letters))
    with pytest.raises(ProviderError, match="3 numbers, expected 1536"):
        OpenAIEmbedder("text-embedding-3-small", secret, f"{server.url}/v1").embed(["x"])


@pytest.mark.parametrize(
    ("status", "remedy"), [(401, "check OPENAI_API_KEY"), (404, "OPENAI_BASE_URL"), (429, "quota"), (500, "later")]
)
def test_errors_name_the_remedy_and_not_the_key(server, reply, embedder, secret, status, remedy):
    message = f"Incorrect API key provided: {secret}. Authorization: Bearer {secret}"
    server.script(PATH, reply({"error": {"message": message}}, status))
    with pytest.raises(ProviderError, match=remedy) as caught:
        embedder.embed(["x"])
    assert secret not in str(caught.value)
    assert f"HTTP {status}" in str(caught.value)
    assert "Bearer [secret]" in str(caught.value)


def test_a_silent_server_is_given_up(server, reply, secret):
    server.script(PATH, reply(hangs=True))
    embedder = OpenAIEmbedder("own-model", secret, f"{server.url}/v1", timeout_s=0.1, max_retries=0)
    with pytest.raises(ProviderError, match="CORE_SEARCH_PROVIDER_TIMEOUT"):
        embedder.embed(["x"])


def test_no_server_at_all(secret):
    with pytest.raises(ProviderError, match="check the network and OPENAI_BASE_URL"):
        OpenAIEmbedder("own-model", secret, "http://127.0.0.1:1/v1", max_retries=0).embed(["x"])


@pytest.mark.parametrize("key", ["sk-bad-ünicode-key", "sk-bad-line\nbreak-key"])
def test_a_key_that_no_header_takes_is_not_shown(key):
    with pytest.raises(ProviderError) as caught:
        OpenAIEmbedder("own-model", key, "http://127.0.0.1:1/v1", max_retries=0).embed(["x"])
    assert "sk-bad" not in str(caught.value)
    assert "break-key" not in str(caught.value)


def test_a_key_that_cannot_be_encoded_is_named_as_the_cause():
    with pytest.raises(ProviderError, match="check OPENAI_API_KEY"):
        OpenAIEmbedder("own-model", "sk-bad-ünicode-key", "http://127.0.0.1:1/v1", max_retries=0).embed(["x"])
