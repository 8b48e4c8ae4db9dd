"""The shape of `locomo10.json` (Maharana et al. 2024), as far as it is read, checked with every problem at once."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from core_search.errors import UsageError
from core_search.ingest.problems import Problems

_SESSION = re.compile(r"session_([0-9]{1,6})")
# "1:56 pm on 8 May, 2023". Months and am/pm are English: the C locale's, which Python keeps unless told otherwise.
_DATE_TIME = "%I:%M %p on %d %B, %Y"


def _one_word(text: str) -> str:
    if text.split() != [text]:
        raise ValueError("has white space; an id is one word")
    return text


# Ids and names become parts of longer ids, which may have 512 characters.
Part = Annotated[str, StringConstraints(min_length=1, max_length=150)]
Id = Annotated[Part, AfterValidator(_one_word)]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Turn(_Shape):
    """What a speaker said. `dia_id` is "D<session>:<turn>"; `blip_caption` describes a shared image."""

    speaker: Part
    dia_id: Id
    text: str
    blip_caption: str | None = None


class Question(_Shape):
    """One question. What `evidence` and `answer` hold varies from question to question."""

    question: Annotated[str, StringConstraints(min_length=1)]
    category: int
    evidence: Any = None
    answer: Any = None


@dataclass(frozen=True, slots=True)
class Session:
    """The turns of one sitting. `at` is its instant; `summary` and `observations` are as given; None when missing."""

    number: int
    at: datetime
    turns: tuple[Turn, ...]
    summary: Any
    observations: Any


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, sessions in the order of their numbers."""

    sample_id: str
    speakers: tuple[str, str]
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


class _Sample(_Shape):
    sample_id: Id
    conversation: dict[str, Any]
    observation: dict[str, Any] = Field(default_factory=dict)
    session_summary: dict[str, Any] = Field(default_factory=dict)
    qa: list[Question] = Field(default_factory=list)


_SAMPLES = TypeAdapter(list[_Sample])
_TURNS = TypeAdapter(list[Turn])
_SPEAKER = TypeAdapter(Part)


def read_conversations(path: Path, zone: ZoneInfo) -> list[Conversation]:
    """The conversations of the file. Its times are local times of `zone`; instants come back in UTC."""
    try:
        content = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror}; give a file like locomo10.json") from None
    file, problems = path.name, Problems()
    try:
        samples = _SAMPLES.validate_json(content)
    except ValidationError as error:
        _add(error, (), file, problems)
        problems.raise_if_any()
        raise  # not reached: there is a problem
    found, ids = [], set()
    for index, sample in enumerate(samples):
        if sample.sample_id in ids:
            problems.add(
                file, None, f"[{index}].sample_id", f"{sample.sample_id!r} stands twice; every one needs its own"
            )
        ids.add(sample.sample_id)
        found.append(_conversation(sample, index, zone, file, problems))
    if not samples:
        problems.add(file, None, "file", "an empty list; give a file like locomo10.json")
    problems.raise_if_any()
    return found


def _conversation(sample: _Sample, index: int, zone: ZoneInfo, file: str, problems: Problems) -> Conversation:
    place: tuple[int | str, ...] = (index, "conversation")
    sessions, dia_ids = [], set()
    for key, number in sorted(_session_numbers(sample.conversation), key=lambda pair: pair[1]):
        turns = _checked(_TURNS, sample.conversation[key], (*place, key), file, problems) or []
        for turn in turns:
            if turn.dia_id in dia_ids:
                problems.add(
                    file, None, _path((*place, key)), f"dia_id {turn.dia_id!r} stands twice in this conversation"
                )
            dia_ids.add(turn.dia_id)
        if not turns:
            continue
        field = f"{key}_date_time"
        at = _instant(sample.conversation.get(field), zone)
        if at is None:
            given = sample.conversation.get(field)
            reason = f"{given!r} is no time such as '1:56 pm on 8 May, 2023'" if given else "missing"
            problems.add(file, None, _path((*place, field)), reason)
            continue
        sessions.append(
            Session(
                number=number,
                at=at,
                turns=tuple(turns),
                summary=sample.session_summary.get(f"{key}_summary"),
                observations=sample.observation.get(f"{key}_observation"),
            )
        )
    first, second = (
        _checked(_SPEAKER, sample.conversation.get(key), (*place, key), file, problems) or ""
        for key in ("speaker_a", "speaker_b")
    )
    if not sessions:
        problems.add(file, None, _path(place), "no session with turns, such as session_1 with session_1_date_time")
    return Conversation(sample.sample_id, (first, second), tuple(sessions), tuple(sample.qa))


def _session_numbers(conversation: dict[str, Any]) -> list[tuple[str, int]]:
    matches = ((key, _SESSION.fullmatch(key)) for key in conversation)
    return [(key, int(match[1])) for key, match in matches if match]


def _instant(text: Any, zone: ZoneInfo) -> datetime | None:
    if not isinstance(text, str):
        return None
    try:
        at = datetime.strptime(text.strip(), _DATE_TIME).replace(tzinfo=zone).astimezone(UTC)
        # Sessions are followed by their turns, a second apart, and by the clock, a day later.
        at + timedelta(days=366)
    except (ValueError, OverflowError):
        return None
    return at


def _checked(adapter: TypeAdapter[Any], value: Any, place: tuple[int | str, ...], file: str, problems: Problems) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        _add(error, place, file, problems)
        return None


def _add(error: ValidationError, place: tuple[int | str, ...], file: str, problems: Problems) -> None:
    for fault in error.errors(include_url=False, include_input=False):
        reason = "missing" if fault["type"] == "missing" else fault["msg"]
        problems.add(file, None, _path((*place, *fault["loc"])), f"{reason}; the file should be like locomo10.json")


def _path(place: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place) or "file"
