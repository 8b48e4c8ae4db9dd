"""What the pipeline asks of models. Each role has one verb; each provider says who it is and why it was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core_search.models import Extraction, MatchedLabel
from core_search.options import EmbeddingProfile

if TYPE_CHECKING:
    from core_search.router.extraction import Reply


class Embedder(Protocol):
    """Texts to unit vectors."""

    model: str
    profile: EmbeddingProfile

    @property
    def dimension(self) -> int:
        """Length of a vector. A remote model that is not known by name may be asked once to find it out."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of unit length. Empty input gives shape (0, dimension)."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an extractor sees of a query. `now` carries the zone of the workspace."""

    query: str
    now: datetime
    timezone: str
    matched_labels: tuple[MatchedLabel, ...] = ()
    # Names that the memory knows, for extractors that look words up. None when there is no memory at hand.
    names: KnownNames | None = None


class KnownNames(Protocol):
    """The names of a memory's entities, as the offline extractor needs them."""

    def find_in(self, text: str) -> list[str]:
        """The names and aliases that occur in the text as whole words, longest first, as written in the text."""

    def knows(self, name: str) -> bool: ...
    def attribute_keys(self) -> frozenset[str]:
        """Every attribute key that some entity has, lower case."""

    def attribute_keys_of(self, name: str) -> frozenset[str]:
        """The attribute keys of the entities of that name, lower case; empty for an unknown name."""


@dataclass(frozen=True, slots=True)
class ExtractionAnswer:
    """An extraction and how it came about. `repairs` has a sentence for every change to what the model said."""

    extraction: Extraction
    extractor: str
    model: str
    repairs: tuple[str, ...] = ()
    degraded: str | None = None  # why the answer is not what was asked for: the local rules stood in
    detail: Mapping[str, Any] = field(default_factory=dict)  # prompt, raw answer, tokens


class Extractor(Protocol):
    """A query to the JSON of the seed."""

    name: str
    model: str

    def extract(self, question: Question) -> ExtractionAnswer: ...


@dataclass(frozen=True, slots=True)
class RerankItem:
    """One candidate. `signals` has named absolute scores in 0..1 where the reranker asked for them."""

    id: str
    text: str
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RerankScore:
    index: int
    score: float


@dataclass(frozen=True, slots=True)
class RerankAnswer:
    """Scores in 0..1 by index into the items, best first. `detail` for the trace: weights, request id."""

    scores: tuple[RerankScore, ...]
    detail: Mapping[str, Any] = field(default_factory=dict)


class Reranker(Protocol):
    """A query and candidates to relevance scores. Raises `ProviderError` when it has no answer.

    The caller checks the answer: a short, repeated, out-of-range or non-finite one is a failure too.
    """

    name: str
    model: str
    wants_signals: bool
    floor: float  # what a relevant item scores at least; `exploratory_floor` for broad questions
    exploratory_floor: float

    def rerank(self, query: str, items: Sequence[RerankItem]) -> RerankAnswer: ...


class ChatModel(Protocol):
    """Messages with role and content to the text of one answer, a JSON object as far as the model obeys."""

    name: str
    model: str

    def ask(self, messages: Sequence[Mapping[str, str]]) -> Reply:
        """Raises `ProviderError` when there is no answer. The text comes from a stranger: check it."""


class TokenCounter(Protocol):
    encoding: str

    def count(self, text: str) -> int: ...
