"""Reranking by Cohere, API version 2. The only file that imports `cohere`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cohere

from core_search.providers.base import RerankAnswer, RerankItem, RerankScore
from core_search.providers.once import Once
from core_search.providers.service import Service
from core_search.providers.surrogates import without_surrogates

DEFAULT_MODEL = "rerank-v3.5"
# The server reads at most 4,096 tokens of a text (`max_tokens_per_doc`); sending more only costs time.
TEXT_LENGTH = 40_000
MAX_RETRIES = 2  # of the SDK, for refused connections, 408, 409, 429 and 5xx


class CohereReranker:
    """The `Reranker` over `POST /v2/rerank`. Connects on first use; safe from several threads."""

    name = "cohere"
    wants_signals = False
    floor = 0.10  # SPEC 2, "Numbers": the reference values were made for this model
    exploratory_floor = 0.20

    def __init__(
        self,
        api_key: str,
        model: str = DEFAULT_MODEL,
        base_url: str | None = None,
        timeout_s: float = 20.0,
        max_retries: int = MAX_RETRIES,
    ):
        self.model = model
        self._service = Service(
            "Cohere", model, api_key, "COHERE_API_KEY", "CORE_SEARCH_COHERE_MODEL", "CORE_SEARCH_COHERE_URL"
        )
        self._client = Once(
            lambda: cohere.ClientV2(api_key, base_url=base_url, timeout=timeout_s, max_retries=max_retries)
        )

    def rerank(self, query: str, items: Sequence[RerankItem]) -> RerankAnswer:
        """Scores as they came, indices and numbers unchecked; `ProviderError` when there are none to read."""
        if not items:
            return RerankAnswer(())
        documents = [without_surrogates(item.text[:TEXT_LENGTH]) for item in items]
        try:
            answer = self._client().rerank(model=self.model, query=without_surrogates(query), documents=documents)
        except Exception as error:
            raise self._service.failed(error) from None
        return RerankAnswer(self._scores(answer), detail={"requestId": getattr(answer, "id", None)})

    def _scores(self, answer: Any) -> tuple[RerankScore, ...]:
        try:
            return tuple(RerankScore(int(row.index), float(row.relevance_score)) for row in answer.results)
        except (AttributeError, TypeError, ValueError):
            raise self._service.unusable("not a list of indices and scores") from None
