"""What one search is set to: the keys of `--set` (SPEC 6) and the reference numbers (SPEC 2).

Thresholds on cosine similarity depend on the embedding model, so their defaults come from an
`EmbeddingProfile`; the values here are those of the reference profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BeforeValidator, Field, ValidationError

from core_search.errors import SettingError, redact
from core_search.models import Value

_SHOWN = 200  # characters of a wrong value in an error


class EmbeddingProfile(Value):
    """The cosine thresholds that fit one embedding model."""

    name: str
    label_threshold: float
    label_fallback: float
    hint_threshold: float
    lookup_threshold: float
    episode_threshold: float
    voice_threshold: float


# SPEC 2, "Numbers": the reference values, made for OpenAI's text-embedding-3-small.
REFERENCE_PROFILE = EmbeddingProfile(
    name="text-embedding-3-small",
    label_threshold=0.70,
    label_fallback=0.50,
    hint_threshold=0.65,
    lookup_threshold=0.70,
    episode_threshold=0.30,
    voice_threshold=0.50,
)


def _split(value: Any) -> Any:
    """`a,b` from a command line is a list; an empty text is an empty list."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _moment(value: Any) -> Any:
    return None if value in ("", "none", "null") else value


Ids = Annotated[tuple[str, ...], BeforeValidator(_split)]
# A date without a time is a whole local day; `timeline` gives it its zone, so it stays text here.
Moment = Annotated[AwareDatetime | str | None, BeforeValidator(_moment)]
Cosine = Annotated[float, Field(ge=-1, le=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=10_000)]


class SearchOptions(Value):
    """Every number and switch of one search, all resolved: what acted is what stands here."""

    limit: Count = 20
    token_budget: Annotated[int, Field(ge=0)] = 10_000
    rerank: bool = True
    backstop: bool = True
    backstop_limit: Count = 50
    compact: bool = False
    fallback: bool = True
    sort: Literal["relevance", "recency"] = "relevance"
    deadline_s: Annotated[float, Field(gt=0, le=3600)] = 30.0  # an LLM and a reranker that answer slowly still fit

    label_ids: Ids = ()
    end_user_ids: Ids = ()
    start: Moment = None
    end: Moment = None

    confidence_gate: Share = 0.2
    label_threshold: Cosine = REFERENCE_PROFILE.label_threshold
    label_limit: Count = 8
    label_fallback: Cosine = REFERENCE_PROFILE.label_fallback
    hint_threshold: Cosine = REFERENCE_PROFILE.hint_threshold
    hint_limit: Count = 5
    hint_entities: Count = 3
    lookup_threshold: Cosine = REFERENCE_PROFILE.lookup_threshold
    lookup_entities: Count = 5
    episode_threshold: Cosine = REFERENCE_PROFILE.episode_threshold
    voice_threshold: Cosine = REFERENCE_PROFILE.voice_threshold
    voice_limit: Count = 10
    rerank_floor: Share = 0.10
    exploratory_floor: Share = 0.20
    episode_limit: Count = 20
    session_limit: Count = 40
    statement_limit: Count = 50

    def with_changes(self, changes: Mapping[str, Any]) -> SearchOptions:
        """These options with some changed; values may be text. An unknown key lists the known ones."""
        known = type(self).model_fields
        for key in changes:
            if key not in known:
                raise SettingError(f"unknown setting {redact(key)[:_SHOWN]!r}; known are {', '.join(known)}")
        try:
            return type(self).model_validate({**self.model_dump(), **changes})
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            key = str(problem["loc"][0])
            # A key that was pasted into the wrong place, or a whole text, is not repeated.
            shown = redact(repr(changes.get(key)))[:_SHOWN]
            raise SettingError(f"setting {key!r} = {shown}: {redact(problem['msg'])[:_SHOWN]}") from None


def parse_settings(pairs: list[str]) -> dict[str, str]:
    """`key=value` texts of a command line as a mapping."""
    changes = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise SettingError(f"{redact(pair)[:_SHOWN]!r} is not key=value; for example token_budget=400")
        changes[key.strip()] = value.strip()
    return changes
