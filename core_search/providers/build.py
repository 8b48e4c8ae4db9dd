"""Which providers an installation uses, and why. Nothing is chosen silently (SPEC 5)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from core_search.errors import MissingKey
from core_search.judgments.grade_schema import GRADE_SCHEMA
from core_search.providers.base import ChatModel, Embedder, Extractor, Reranker, TokenCounter
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.providers.local_reranker import LocalReranker
from core_search.providers.tokens import Tokens
from core_search.router.rules import RulesExtractor
from core_search.settings import ENVIRONMENT, Settings


@dataclass(frozen=True, slots=True)
class Choice:
    """One part, what was chosen for it and the reason, in words to be shown."""

    part: str  # router, embeddings, reranker or tokens
    chosen: str  # local, openai or cohere
    model: str
    why: str


@dataclass(frozen=True, slots=True)
class Providers:
    embedder: Embedder
    extractor: Extractor
    rules: Extractor  # stands in for an extractor that does not answer in time
    reranker: Reranker
    tokens: TokenCounter
    choices: tuple[Choice, ...]
    grader: ChatModel | None = None  # proposes grades when somebody asks for that; no search uses it


def build_providers(settings: Settings) -> Providers:
    """The providers that the settings ask for. Cheap: models load and connections open on first use.

    Raises `MissingKey` when a provider is asked for by name and its key is not set.
    """
    local = LocalEmbedder()
    rules = RulesExtractor(local)
    extractor, extraction = _extractor(settings, rules)
    embedder, embeddings = _embedder(settings, local)
    reranker, reranking = _reranker(settings)
    tokens = Tokens(settings.home / "cache" / "tiktoken")
    counting = Choice("tokens", "local", tokens.encoding, "the only counter; its rank file comes with a package")
    return Providers(
        embedder=embedder,
        extractor=extractor,
        rules=rules,
        reranker=reranker,
        tokens=tokens,
        choices=(extraction, embeddings, reranking, counting),
        grader=_grader(settings),
    )


# The SDKs are imported where they are used: openai alone takes 0.7 s, and a local installation never needs it.


def _extractor(settings: Settings, rules: RulesExtractor) -> tuple[Extractor, Choice]:
    key, why = _decide(settings.router, "router", "openai", settings.openai_api_key, "openai_api_key")
    if key is None:
        return rules, Choice("router", "local", rules.model, why)
    from core_search.providers.openai_provider import OpenAIExtractor

    model = settings.openai_model
    chosen = OpenAIExtractor(model, key, rules, settings.openai_base_url, settings.provider_timeout_s)
    return chosen, Choice("router", "openai", model, why + _at(settings.openai_base_url))


def _embedder(settings: Settings, local: LocalEmbedder) -> tuple[Embedder, Choice]:
    key, why = _decide(settings.embeddings, "embeddings", "openai", settings.openai_api_key, "openai_api_key")
    if key is None:
        return local, Choice("embeddings", "local", LocalEmbedder.model, why)
    from core_search.providers.openai_provider import OpenAIEmbedder

    model = settings.openai_embedding_model
    chosen = OpenAIEmbedder(model, key, settings.openai_base_url, settings.provider_timeout_s)
    return chosen, Choice("embeddings", "openai", model, why + _at(settings.openai_base_url))


def _reranker(settings: Settings) -> tuple[Reranker, Choice]:
    key, why = _decide(settings.reranker, "reranker", "cohere", settings.cohere_api_key, "cohere_api_key")
    if key is None:
        return LocalReranker(), Choice("reranker", "local", LocalReranker.model, why)
    from core_search.providers.cohere_provider import CohereReranker

    model = settings.cohere_model
    chosen = CohereReranker(key, model, settings.cohere_base_url, settings.provider_timeout_s)
    return chosen, Choice("reranker", "cohere", model, why + _at(settings.cohere_base_url))


def _grader(settings: Settings) -> ChatModel | None:
    """There with a key alone: it runs only when it is asked for on the Review page."""
    key = settings.openai_api_key.get_secret_value().strip() if settings.openai_api_key else ""
    if not key:
        return None
    from core_search.providers.openai_provider import OpenAIChat

    return OpenAIChat(
        settings.openai_model,
        key,
        "grade",
        GRADE_SCHEMA,
        settings.openai_base_url,
        settings.provider_timeout_s,
    )


def _decide(wanted: str, part: str, remote: str, secret: SecretStr | None, key_field: str) -> tuple[str | None, str]:
    """The key to use, None for the local provider, and the reason."""
    part_variable, key_variable = ENVIRONMENT[part], ENVIRONMENT[key_field]
    key = secret.get_secret_value().strip() if secret else ""
    if wanted == "local":
        return None, f"{part_variable} is 'local'"
    if wanted == "auto":
        state = "is set" if key else "is not set"
        return key or None, f"{part_variable} is 'auto' and {key_variable} {state}"
    if not key:
        raise MissingKey(
            f"{part_variable} is {wanted!r}, but {key_variable} is not set;"
            f" set {key_variable} (any text for a server that needs none), or set {part_variable} to 'local'"
        )
    return key, f"{part_variable} is {remote!r}"


def _at(base_url: str | None) -> str:
    """The server in words, without user, password and query."""
    return f"; server {urlsplit(base_url).hostname}" if base_url else ""
