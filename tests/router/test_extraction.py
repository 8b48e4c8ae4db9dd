from datetime import UTC, datetime

from core_search.errors import ProviderError
from core_search.models import Extraction, QueryType
from core_search.providers.base import ExtractionAnswer, Question
from core_search.router.extraction import Reply, extract_by_model


class StandIn:
    name = "stand-in"
    model = "stand-in"

    def extract(self, question):
        answer = Extraction(query_type=QueryType.RELATIONSHIP)
        return ExtractionAnswer(answer, self.name, self.model, repairs=("its own",), detail={"own": 1})


def ask(*texts, query="what is new"):
    """The answer when the model says these texts in turn, and the chats that it was sent."""
    chats = []
    answers = iter(texts)

    def chat(messages):
        chats.append(list(messages))
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, {"format": "text"})

    question = Question(query, datetime(2026, 3, 1, tzinfo=UTC), "UTC")
    return extract_by_model(question, chat, "model-maker", "m", StandIn()), chats


def test_the_complaint_says_why_and_shows_the_answer():
    answer, chats = ask("nonsense", '{"queryType": "temporal"}')
    assert answer.extraction.query_type is QueryType.TEMPORAL
    assert chats[1][:2] == chats[0]
    assert chats[1][2] == {"role": "assistant", "content": "nonsense"}
    assert "it has no JSON object" in chats[1][3]["content"]
    assert [given["text"] for given in answer.detail["answers"]] == ["nonsense", '{"queryType": "temporal"}']


def test_an_error_of_the_network_is_not_asked_again():
    answer, chats = ask(ProviderError("the line is dead; check the plug"))
    assert len(chats) == 1
    assert answer.degraded == "the line is dead; check the plug; the local rules answered instead"


def test_the_stand_in_keeps_its_own_detail_and_repairs():
    answer, _ = ask("nonsense", ProviderError("dead"))
    assert answer.extractor == "stand-in"
    assert answer.repairs == ("answer 1 was not usable: it has no JSON object", "its own")
    assert answer.detail["own"] == 1
    assert answer.detail["asked"]["model"] == "m"
    assert answer.degraded.startswith("dead")


def test_a_cut_query_is_on_record():
    answer, _ = ask('{"queryType": "temporal"}', query="x" * 5_000)
    assert answer.repairs[0] == "the model was shown the first 4000 characters of the query"
