"""What one bundle holds beside the memory itself: its header, its queries and their judgments (SPEC 7)."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, AwareDatetime, Field, StringConstraints

from core_search.models import Memory, Uuid, Value


def _zone(key: str) -> str:
    try:
        ZoneInfo(key)
    except (KeyError, ValueError, OSError):  # unknown; not a relative path; names a folder of zones such as "Europe"
        raise ValueError(f"unknown time zone {key!r}; write an IANA name such as 'UTC' or 'Europe/Berlin'") from None
    return key


def _one_word(text: str) -> str:
    # Judgments and runs are lines of words (TREC), so a space would cut the id in two.
    if text.split() != [text]:
        raise ValueError(f"{text!r} has white space, which a TREC file cannot hold; write it as one word")
    return text


Word = Annotated[Uuid, AfterValidator(_one_word)]
Zone = Annotated[str, AfterValidator(_zone)]
Text = Annotated[str, StringConstraints(min_length=1)]


class Header(Value):
    """`workspace.json`. `clock` is the memory's own "now"; `owner` the uuid of the entity that "I" means."""

    name: Text
    version: Text = "V3"
    timezone: Zone = "UTC"
    clock: AwareDatetime | None = None
    owner: Uuid | None = None
    description: str = ""


class Query(Value):
    """One line of `queries.jsonl`. `type` is the expected query type, `need` says in words what would answer it."""

    id: Word
    query: Text
    now: AwareDatetime | None = None
    tags: tuple[str, ...] = ()
    type: str | None = None
    need: str | None = None


class Qrel(Value):
    """One judgment: how relevant an episode is to a query; 0 and less mean not at all."""

    query_id: Word
    doc_id: Word
    grade: int


class Bundle(Value):
    """Everything that is loaded into one workspace.

    `notes` tells what was repaired or left out on reading. It is about the reading, so it is not written back.
    """

    header: Header
    memory: Memory = Memory()
    queries: tuple[Query, ...] = ()
    qrels: tuple[Qrel, ...] = ()
    notes: tuple[str, ...] = Field(default=(), repr=False)
