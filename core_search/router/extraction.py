"""Asking a language model for an extraction: one retry when its answer is unusable, then the local rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core_search.errors import ProviderError
from core_search.providers.base import ExtractionAnswer, Extractor, Question
from core_search.router.prompt import QUERY_LENGTH, messages_for
from core_search.router.repair import UnusableAnswer, repair

ATTEMPTS = 2  # SPEC 5: no usable answer after one retry, and the local rules answer
SHOWN_LENGTH = 2_000  # of an unusable answer, when it is shown to the model again


@dataclass(frozen=True, slots=True)
class Reply:
    """The text of one answer, and what is worth knowing of it: format, tokens."""

    text: str
    detail: Mapping[str, Any] = field(default_factory=dict)


Chat = Callable[[Sequence[Mapping[str, str]]], Reply]  # messages with role and content; raises ProviderError


def extract_by_model(question: Question, chat: Chat, name: str, model: str, fallback: Extractor) -> ExtractionAnswer:
    """The extraction of the model, repaired; or that of `fallback`, with the reason in `degraded`.

    `detail` has `prompt` (the messages), `answers` (each raw text with its detail). A `ProviderError` of `chat` is not
    asked again: retrying the network is the work of the SDK.
    """
    messages: list[Mapping[str, str]] = list(messages_for(question))
    notes: list[str] = []
    answers: list[dict[str, Any]] = []
    detail = {"prompt": tuple(messages), "answers": answers}
    if len(question.query) > QUERY_LENGTH:
        notes.append(f"the model was shown the first {QUERY_LENGTH} characters of the query")
    reason = ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            reply = chat(messages)
            answers.append({"text": reply.text, **reply.detail})
            extraction, repairs = repair(reply.text, question.matched_labels)
        except UnusableAnswer as error:
            reason = f"{name} model {model!r} gave no usable answer in {attempt} attempts: {error}"
            notes.append(f"answer {attempt} was not usable: {error}")
            messages = [*messages, *_complaint(reply.text, str(error))]
        except ProviderError as error:
            reason = str(error)
            break
        else:
            return ExtractionAnswer(extraction, name, model, repairs=(*notes, *repairs), detail=detail)
    stand_in = fallback.extract(question)
    return replace(
        stand_in,
        repairs=(*notes, *stand_in.repairs),
        degraded=f"{reason}; the local rules answered instead",
        detail={**stand_in.detail, "asked": {"extractor": name, "model": model, **detail}},
    )


def _complaint(text: str, reason: str) -> list[dict[str, str]]:
    return [
        {"role": "assistant", "content": text[:SHOWN_LENGTH] or "(empty)"},
        {"role": "user", "content": f"That cannot be used: {reason}. Reply with the JSON object alone."},
    ]
