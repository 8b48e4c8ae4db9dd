"""What the installation is set to: the only reader of the environment. Frozen; read once and passed in.

What one search is set to stands in `options.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import Field, SecretStr, ValidationError

from core_search.errors import SettingError
from core_search.models import Value

Choice = Literal["auto", "local", "openai"]
RerankerChoice = Literal["auto", "local", "cohere"]

# Environment name of each field. A name that starts with CORE_SEARCH_ and is not here is refused: it is a typing error.
ENVIRONMENT = {
    "home": "CORE_SEARCH_HOME",
    "graph": "CORE_SEARCH_GRAPH",
    "router": "CORE_SEARCH_ROUTER",
    "embeddings": "CORE_SEARCH_EMBEDDINGS",
    "reranker": "CORE_SEARCH_RERANKER",
    "openai_api_key": "OPENAI_API_KEY",
    "openai_base_url": "OPENAI_BASE_URL",
    "openai_model": "CORE_SEARCH_OPENAI_MODEL",
    "openai_embedding_model": "CORE_SEARCH_OPENAI_EMBEDDING_MODEL",
    "cohere_api_key": "COHERE_API_KEY",
    "cohere_base_url": "CORE_SEARCH_COHERE_URL",
    "cohere_model": "CORE_SEARCH_COHERE_MODEL",
    "provider_timeout_s": "CORE_SEARCH_PROVIDER_TIMEOUT",
    "label_threshold": "SEARCH_LABEL_VECTOR_THRESHOLD",
    "chroma_url": "CORE_SEARCH_CHROMA_URL",
    "database_url": "DATABASE_URL",
    "read_only": "CORE_SEARCH_READ_ONLY",
}


class Settings(Value):
    """The settings of an installation. Every field has its environment variable in `ENVIRONMENT`."""

    home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("core-search", appauthor=False)))
    graph: Literal["kuzu", "ladybug"] = "kuzu"
    router: Choice = "auto"
    embeddings: Choice = "auto"
    reranker: RerankerChoice = "auto"
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    openai_model: str = "gpt-4o-mini"
    openai_embedding_model: str = "text-embedding-3-small"
    cohere_api_key: SecretStr | None = None
    cohere_base_url: str | None = None
    cohere_model: str = "rerank-v3.5"
    provider_timeout_s: float = Field(default=20.0, gt=0)
    label_threshold: float | None = Field(default=None, ge=-1, le=1)
    chroma_url: str | None = None
    database_url: str | None = None
    read_only: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the environment. An unknown `CORE_SEARCH_…` name or a wrong value is a `SettingError`."""
        environment = os.environ if environment is None else environment
        known = set(ENVIRONMENT.values())
        unknown = sorted(n for n in environment if n.startswith("CORE_SEARCH_") and n not in known)
        if unknown:
            raise SettingError(f"unknown environment variable {unknown[0]!r}; known are {', '.join(sorted(known))}")
        given = {field: environment[name] for field, name in ENVIRONMENT.items() if environment.get(name)}
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            problem = error.errors(include_input=False, include_url=False)[0]
            name = ENVIRONMENT.get(str(problem["loc"][0]), str(problem["loc"][0]))
            raise SettingError(f"environment variable {name!r}: {problem['msg']}") from None

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never be shown."""
        keys = (self.openai_api_key, self.cohere_api_key)
        return tuple(key.get_secret_value() for key in keys if key)
