"""Embeddings and answers by OpenAI, or by any server that speaks its API. The only file that imports `openai`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import openai
from numpy.typing import NDArray

from core_search.providers.base import ExtractionAnswer, Extractor, Question
from core_search.providers.once import Once
from core_search.providers.profiles import profile_of
from core_search.providers.service import Service
from core_search.providers.surrogates import without_surrogates
from core_search.router.extraction import Reply, extract_by_model
from core_search.router.schema import EXTRACTION_SCHEMA

DEFAULT_URL = "https://api.openai.com/v1"  # said here, so that the SDK does not look into the environment for another
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
# A model takes 8,192 tokens a text and 300,000 a request. A token is at least one byte, so these bytes always fit.
TEXT_BYTES = 8_000
REQUEST_BYTES = 250_000
BATCH_SIZE = 256  # texts a request; the API itself stops at 2,048
CACHED_QUERIES = 128  # one search embeds its query several times
MAX_RETRIES = 2  # of the SDK, for timeouts, 429 and 5xx


def _client(service: Service, base_url: str | None, timeout_s: float, max_retries: int) -> openai.OpenAI:
    return openai.OpenAI(
        api_key=service.key, base_url=base_url or DEFAULT_URL, timeout=timeout_s, max_retries=max_retries
    )


class OpenAIEmbedder:
    """The `Embedder` over the embeddings endpoint. Connects on first use; safe from several threads."""

    def __init__(
        self,
        model: str,
        api_key: str,
        base_url: str | None = None,
        timeout_s: float = 20.0,
        max_retries: int = MAX_RETRIES,
        batch_size: int = BATCH_SIZE,
    ):
        self.model = model
        self.profile = profile_of(model)
        self._batch_size = batch_size
        self._dimension = DIMENSIONS.get(model)
        self._service = Service(
            "OpenAI", model, api_key, "OPENAI_API_KEY", "CORE_SEARCH_OPENAI_EMBEDDING_MODEL", "OPENAI_BASE_URL"
        )
        self._client = Once(lambda: _client(self._service, base_url, timeout_s, max_retries))
        self._single = lru_cache(maxsize=CACHED_QUERIES)(lambda text: self._request([text]))

    @property
    def dimension(self) -> int:
        """Length of a vector. For a model that is not in `DIMENSIONS` the server is asked once."""
        if self._dimension is None:
            self._dimension = int(self._single("dimension").shape[1])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length. A text is read up to its first 8,000 bytes.

        Raises `ProviderError` when the server fails, or answers with too few, repeated, non-finite, zero or
        differently long vectors.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        prepared = [_prepared(text) for text in texts]
        if len(prepared) == 1:
            return self._single(prepared[0]).copy()
        return np.concatenate([self._request(batch) for batch in _batches(prepared, self._batch_size)])

    def _request(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            answer = self._client().embeddings.create(model=self.model, input=texts, encoding_format="float")
        except Exception as error:
            raise self._service.failed(error) from None
        vectors = self._vectors(answer, len(texts))
        if self._dimension is None:
            self._dimension = vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise self._service.unusable(f"vectors of {vectors.shape[1]} numbers, expected {self._dimension}")
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise self._service.unusable("a vector with numbers that are not finite, or of length 0")
        unit: NDArray[np.float32] = (vectors / norms).astype(np.float32)
        return unit

    def _vectors(self, answer: Any, count: int) -> NDArray[np.float64]:
        try:
            rows = {row.index: row.embedding for row in answer.data}
            if sorted(rows) != list(range(count)) or len(answer.data) != count:
                raise self._service.unusable(f"{len(answer.data)} vectors for {count} texts, or a position twice")
            vectors = np.array([rows[index] for index in range(count)], dtype=np.float64)
        except (AttributeError, TypeError, ValueError):
            raise self._service.unusable("not a list of vectors of one length") from None
        if vectors.ndim != 2:
            raise self._service.unusable("not a list of vectors of one length")
        return vectors


def _prepared(text: str) -> str:
    """Cut to `TEXT_BYTES`, whole characters; the API refuses an empty text, so a blank stands for it."""
    encoded = without_surrogates(text[:TEXT_BYTES]).encode()
    return encoded[:TEXT_BYTES].decode(errors="ignore") or " "


def _batches(texts: list[str], size: int) -> Iterator[list[str]]:
    batch: list[str] = []
    used_bytes = 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == size or used_bytes + length > REQUEST_BYTES):
            yield batch
            batch, used_bytes = [], 0
        batch.append(text)
        used_bytes += length
    yield batch


@dataclass(frozen=True, slots=True)
class _Form:
    """How the answer is asked for. Not every server takes every parameter."""

    schema_name: str
    schema: Mapping[str, Any]
    response_format: str = "json_schema"
    temperature: float | None = 0.0  # the same query, the same answer, as far as the model can

    def weaker(self, refusal: str) -> _Form | None:
        """What to try after the server refused this form; None when there is nothing left to leave out."""
        if self.temperature is not None and "temperature" in refusal.casefold():
            return replace(self, temperature=None)
        following = {"json_schema": "json_object", "json_object": "text"}.get(self.response_format)
        return replace(self, response_format=following) if following else None

    def parameters(self) -> dict[str, Any]:
        formats: Mapping[str, dict[str, Any]] = {
            "json_schema": {
                "type": "json_schema",
                "json_schema": {"name": self.schema_name, "strict": True, "schema": dict(self.schema)},
            },
            "json_object": {"type": "json_object"},
        }
        parameters: dict[str, Any] = {} if self.temperature is None else {"temperature": self.temperature}
        if self.response_format in formats:
            parameters["response_format"] = formats[self.response_format]
        return parameters


class OpenAIChat:
    """The `ChatModel` over chat completions: messages in, a JSON object of a schema out. Safe from several threads."""

    name = "openai"

    def __init__(
        self,
        model: str,
        api_key: str,
        schema_name: str,
        schema: Mapping[str, Any],
        base_url: str | None = None,
        timeout_s: float = 20.0,
        max_retries: int = MAX_RETRIES,
    ):
        self.model = model
        self._form = _Form(schema_name, schema)
        self._service = Service(
            "OpenAI", model, api_key, "OPENAI_API_KEY", "CORE_SEARCH_OPENAI_MODEL", "OPENAI_BASE_URL"
        )
        self._client = Once(lambda: _client(self._service, base_url, timeout_s, max_retries))

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """The text of the answer; nobody has looked into it. Raises `ProviderError` when the server has none."""
        form = self._form
        sent: Any = list(messages)  # the SDK has a type for each role
        while True:
            try:
                completion: Any = self._client().chat.completions.create(
                    model=self.model, messages=sent, **form.parameters()
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                weaker = form.weaker(str(error))
                if weaker is None:
                    raise self._service.failed(error) from None
                form = weaker
            except Exception as error:
                raise self._service.failed(error) from None
            else:
                self._form = form  # the server takes this one: the next question starts with it
                return self._reply(completion, form)

    def _reply(self, completion: Any, form: _Form) -> Reply:
        """The text of a completion; empty when there is none. A server that is not strict may send anything."""
        choices = getattr(completion, "choices", None) or []
        message = getattr(choices[0], "message", None) if choices else None
        text = getattr(message, "content", None) or getattr(message, "refusal", None) or ""
        usage = getattr(completion, "usage", None)
        return Reply(
            text=self._service.without_key(text if isinstance(text, str) else str(text)),
            detail={
                "format": form.response_format,
                "finishReason": getattr(choices[0], "finish_reason", None) if choices else None,
                "promptTokens": getattr(usage, "prompt_tokens", None),
                "completionTokens": getattr(usage, "completion_tokens", None),
            },
        )


class OpenAIExtractor:
    """The `Extractor` over chat completions with a JSON schema; without an answer, `fallback` speaks for it."""

    name = "openai"

    def __init__(
        self,
        model: str,
        api_key: str,
        fallback: Extractor,
        base_url: str | None = None,
        timeout_s: float = 20.0,
        max_retries: int = MAX_RETRIES,
    ):
        self.model = model
        self._fallback = fallback
        self._chat = OpenAIChat(model, api_key, "extraction", EXTRACTION_SCHEMA, base_url, timeout_s, max_retries)

    def extract(self, question: Question) -> ExtractionAnswer:
        """Never raises for what the model or the server did: then the answer is the fallback's, `degraded`."""
        return extract_by_model(question, self._chat.ask, self.name, self.model, self._fallback)
