"""The JSON object in the text of a language model: inside fences, behind thoughts, between sentences.

String methods instead of regular expressions: the text comes from a stranger and must not be able to cost seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

TEXT_LENGTH = 100_000  # an extraction has a few hundred characters; what is longer than this is no answer
MOST_TRIES = 50  # opening braces to try, so that a text full of them costs nothing
END_OF_THOUGHT = ("</think>", "</thinking>", "</thought>", "</reasoning>")
FENCE = "```"

Wanted = Callable[[Mapping[str, Any]], bool]


def find_object(text: str, wanted: Wanted) -> tuple[dict[str, Any] | None, list[str]]:
    """The first object that is `wanted`, else the first object, else None; with a sentence for what was removed."""
    text = text[:TEXT_LENGTH]
    answer = _after_thoughts(text)
    if answer is not None:
        found, notes = _in_answer(answer, wanted)
        if found is not None:
            return found, ["a think-block before the JSON was removed", *notes]
    return _in_answer(text, wanted)


def _after_thoughts(text: str) -> str | None:
    """What follows the last end of a thought; some servers swallow its beginning, so only the end counts."""
    folded = text.lower()
    ends = [position + len(tag) for tag in END_OF_THOUGHT if (position := folded.rfind(tag)) >= 0]
    # lower() can change the length of exotic text; then the tags are searched as they are written.
    if len(folded) != len(text):
        ends = [position + len(tag) for tag in END_OF_THOUGHT if (position := text.rfind(tag)) >= 0]
    return text[max(ends) :] if ends else None


def _in_answer(text: str, wanted: Wanted) -> tuple[dict[str, Any] | None, list[str]]:
    notes: list[str] = []
    stripped = text.strip()
    if stripped.startswith(FENCE) and stripped.endswith(FENCE) and "{" in stripped:
        text = stripped[stripped.index("{") : -len(FENCE)]
        notes.append("the code fence around the JSON was removed")
    first: dict[str, Any] | None = None
    for value, alone in _objects(text):
        inner = next((item for item in value.values() if isinstance(item, dict) and wanted(item)), None)
        if wanted(value) or inner is not None:
            if not wanted(value):
                notes.append("the object was inside another object")
            if not alone:
                notes.append("text around the JSON was removed")
            return (value if wanted(value) else inner), notes
        first = first if first is not None else value
    return first, notes


def _objects(text: str) -> Iterator[tuple[dict[str, Any], bool]]:
    """Objects from left to right, none inside another, each with whether it is all that the text holds."""
    decoder = json.JSONDecoder()
    position = text.find("{")
    for _ in range(MOST_TRIES):
        if position < 0:
            return
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            yield value, not text[:position].strip() and not text[end:].strip()
        position = text.find("{", end)
