"""A server that answers as it is told, and checks that hold for every provider of a role."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from core_search.models import Extraction, MatchedLabel, QueryType
from core_search.providers.base import ExtractionAnswer, Question, RerankItem
from core_search.ranking.answer_check import check_answer
from tests.scripted_server import Reply

SECRET = "sk-verysecret-0123456789abcdef"


class StandIn:
    """An extractor whose answer is easy to recognise."""

    name = "stand-in"
    model = "stand-in"

    def extract(self, question: Question) -> ExtractionAnswer:
        return ExtractionAnswer(Extraction(query_type=QueryType.RELATIONSHIP, confidence=0.4), self.name, self.model)


@pytest.fixture
def reply() -> type[Reply]:
    return Reply


@pytest.fixture
def secret() -> str:
    return SECRET


@pytest.fixture
def stand_in() -> StandIn:
    return StandIn()


@pytest.fixture
def question() -> Question:
    return Question(
        query="what is my view on code review",
        now=datetime(2026, 3, 1, 12, tzinfo=UTC),
        timezone="UTC",
        matched_labels=(MatchedLabel(label_id="l1", label_name="Code Review", score=0.8),),
    )


@pytest.fixture
def right_answer() -> dict[str, Any]:
    """An answer with all keys and nothing to repair, for `question`."""
    return {
        "queryType": "aspect_query",
        "aspects": ["Belief"],
        "temporal": {"type": "all", "days": None, "startDate": None, "endDate": None},
        "entityHints": [],
        "selectedLabels": ["Code Review"],
        "lookupMode": "broad",
        "attributeHint": None,
        "facets": [],
        "shouldSearch": True,
        "confidence": 0.82,
    }


@pytest.fixture
def embedder_contract() -> Callable[[Any], None]:
    """What every `Embedder` promises."""

    def check(embedder: Any) -> None:
        texts = ["a cat sat", "", "the second, longer text about something else", "a cat sat"]
        vectors = embedder.embed(texts)
        assert vectors.shape == (4, embedder.dimension)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
        assert np.allclose(vectors[0], vectors[3], atol=1e-5)
        assert np.allclose(vectors[2], embedder.embed([texts[2]])[0], atol=1e-4)
        assert embedder.embed([]).shape == (0, embedder.dimension)
        assert embedder.embed(["lone \ud800 surrogate", "NUL \0"]).shape == (2, embedder.dimension)
        assert embedder.profile.name
        assert embedder.model

    return check


@pytest.fixture
def extractor_contract(question: Question) -> Callable[[Any], None]:
    """What every `Extractor` promises."""

    def check(extractor: Any) -> None:
        answer = extractor.extract(question)
        assert isinstance(answer.extraction, Extraction)
        assert answer.extractor == extractor.name
        assert answer.model == extractor.model
        assert answer.degraded is None
        assert set(answer.extraction.selected_labels) <= {"Code Review"}

    return check


@pytest.fixture
def reranker_contract() -> Callable[[Any], None]:
    """What every `Reranker` promises when nothing goes wrong."""

    def check(reranker: Any) -> None:
        items = [
            RerankItem(str(i), f"text {i}", {"episode_cosine": i / 10} if reranker.wants_signals else {})
            for i in range(4)
        ]
        answer = reranker.rerank("text", items)
        assert check_answer(answer, len(items)) is None
        scores = [entry.score for entry in answer.scores]
        assert scores == sorted(scores, reverse=True)
        assert reranker.rerank("text", []).scores == ()
        assert 0 <= reranker.floor <= reranker.exploratory_floor <= 1
        assert reranker.name
        assert reranker.model

    return check
