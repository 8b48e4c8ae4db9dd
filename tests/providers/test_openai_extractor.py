import json

import pytest

from core_search.models import Aspect, QueryType
from core_search.providers.openai_provider import OpenAIExtractor

PATH = "/v1/chat/completions"


@pytest.fixture
def extractor(server, secret, stand_in):
    return OpenAIExtractor("own-model", secret, stand_in, f"{server.url}/v1", timeout_s=0.5, max_retries=1)


def formats(server):
    return [body.get("response_format", {}).get("type") for _, body in server.requests]


def refuse(reply, parameter):
    return reply({"error": {"message": f"Invalid parameter: {parameter} is not supported"}}, 400)


def test_contract(server, extractor, extractor_contract, right_answer):
    server.chat(right_answer)
    extractor_contract(extractor)


def test_a_right_answer(server, extractor, question, right_answer, secret):
    server.chat(right_answer)
    answer = extractor.extract(question)
    assert answer.extraction.query_type is QueryType.ASPECT_QUERY
    assert answer.extraction.aspects == (Aspect.BELIEF,)
    assert answer.extraction.confidence == 0.82
    assert answer.repairs == ()
    assert answer.detail["answers"][0]["promptTokens"] == 700
    assert answer.detail["answers"][0]["format"] == "json_schema"
    assert json.loads(answer.detail["answers"][0]["text"]) == right_answer
    assert question.query in answer.detail["prompt"][1]["content"]
    (_, body), (key,) = server.requests[0], server.keys
    assert key == f"Bearer {secret}"
    assert body["model"] == "own-model"
    assert body["temperature"] == 0
    assert body["response_format"]["json_schema"]["strict"] is True


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_recovers(server, reply, extractor, question, right_answer, status):
    server.chat(reply("{}", status), right_answer)
    answer = extractor.extract(question)
    assert answer.degraded is None
    assert len(server.requests) == 2


def test_the_format_that_a_server_takes_is_found_once(server, reply, extractor, question, right_answer):
    server.chat(refuse(reply, "response_format"), refuse(reply, "response_format"), right_answer)
    answer = extractor.extract(question)
    assert answer.degraded is None
    assert answer.detail["answers"][0]["format"] == "text"
    extractor.extract(question)
    assert formats(server) == ["json_schema", "json_object", None, None]


def test_a_model_without_temperature_keeps_the_schema(server, reply, extractor, question, right_answer):
    server.chat(refuse(reply, "temperature"), right_answer)
    assert extractor.extract(question).degraded is None
    assert formats(server) == ["json_schema", "json_schema"]
    assert "temperature" not in server.requests[1][1]


def test_repairs_are_told(server, extractor, question, right_answer):
    text = f"<think>{{}} hm</think>\n```json\n{json.dumps({**right_answer, 'aspects': ['opinions', 'Mood']})}\n```"
    server.chat(text)
    answer = extractor.extract(question)
    assert answer.extraction.aspects == (Aspect.BELIEF,)
    assert len(answer.repairs) == 4  # think-block, fence, a mapped and a dropped aspect


@pytest.mark.parametrize("bad", ['{"queryType": "aspect_que', "I cannot help with that.", "", '{"queryType": "poem"}'])
def test_an_unusable_answer_is_asked_again_once(server, extractor, question, right_answer, bad):
    server.chat(bad, right_answer)
    answer = extractor.extract(question)
    assert answer.degraded is None
    assert answer.repairs[0].startswith("answer 1 was not usable")
    retry = server.requests[1][1]["messages"]
    assert [message["role"] for message in retry] == ["system", "user", "assistant", "user"]


def test_after_two_unusable_answers_the_fallback_answers(server, extractor, question):
    server.chat("no")
    answer = extractor.extract(question)
    assert len(server.requests) == 2
    assert answer.extractor == "stand-in"
    assert answer.extraction.query_type is QueryType.RELATIONSHIP
    assert "no usable answer in 2 attempts" in answer.degraded
    assert [given["text"] for given in answer.detail["asked"]["answers"]] == ["no", "no"]


@pytest.mark.parametrize("body", [{}, [], {"choices": []}, {"choices": None}, {"choices": [{}]}, "half {", "<html>"])
def test_a_server_that_sends_anything_degrades(server, reply, extractor, question, body):
    server.chat(reply(body))
    assert extractor.extract(question).degraded


def test_a_refusal_is_no_answer(server, reply, extractor, question):
    message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    server.chat(reply({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}))
    answer = extractor.extract(question)
    assert "no JSON object" in answer.degraded


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_failing_server_degrades_without_showing_the_key(server, reply, extractor, question, secret, status):
    server.chat(reply({"error": {"message": f"no: Bearer {secret}, {secret}"}}, status))
    answer = extractor.extract(question)
    assert f"HTTP {status}" in answer.degraded
    assert secret not in repr(answer)


def test_a_server_that_echoes_the_key_in_its_answer(server, extractor, question, right_answer, secret):
    server.chat({**right_answer, "entityHints": [secret]}, {**right_answer, "queryType": secret})
    assert secret not in repr(extractor.extract(question))
    assert secret not in repr(extractor.extract(question))


def test_a_short_key_does_not_garble_the_answer(server, stand_in, question, right_answer):
    server.chat(right_answer)
    answer = OpenAIExtractor("m", "x", stand_in, f"{server.url}/v1").extract(question)
    assert answer.repairs == ()


def test_a_silent_server_is_given_up(server, reply, stand_in, question, secret):
    server.chat(reply(hangs=True))
    extractor = OpenAIExtractor("m", secret, stand_in, f"{server.url}/v1", timeout_s=0.1, max_retries=0)
    assert "Timeout" in extractor.extract(question).degraded
    assert len(server.requests) == 1  # not asked again: the SDK has its own retries
