"""What judging deals with: query sets, items under judgment, grades."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from core_search.errors import UsageError
from core_search.ingest.values import Query
from core_search.models import ItemKind

GRADES = (0, 1, 2, 3)
DEFAULT_LABELS = ("Not relevant", "Related", "Relevant", "Answers it")
DEFAULT_GUIDELINES = """\
Judge how much this one text helps to answer the need, whatever the other texts say.
0: nothing of it is about the need.
1: about the same matter, but it does not help to answer.
2: a part of the answer, or the answer among other things.
3: alone enough to answer.
Cannot judge is for texts that you cannot read or queries that you do not understand; it is not a zero."""
REVIEWER_LENGTH = 80


class ItemKey(NamedTuple):
    """One card: an item, judged for a query."""

    query_id: str
    kind: ItemKind
    item_id: str


class Verdict(StrEnum):
    GRADED = "graded"
    CANNOT_JUDGE = "cannot_judge"
    SKIPPED = "skipped"
    OPEN = "open"  # a note alone


JUDGED = frozenset({Verdict.GRADED, Verdict.CANNOT_JUDGE})


@dataclass(frozen=True, slots=True)
class Grade:
    """What one reviewer says of one card. `grade` is None unless graded; `reason` says why one cannot judge."""

    key: ItemKey
    reviewer: str
    verdict: Verdict
    grade: int | None
    reason: str
    note: str
    at: datetime

    @property
    def judged(self) -> bool:
        return self.verdict in JUDGED


@dataclass(frozen=True, slots=True)
class Settled:
    """The grade that counts where reviewers differ, kept beside theirs."""

    key: ItemKey
    grade: int
    settler: str
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class QuerySet:
    """A named set of queries about one workspace. `labels` are the words for the grades 0 to 3."""

    id: str
    name: str
    workspace: str
    labels: tuple[str, ...]
    guidelines: str
    created_at: datetime
    queries: tuple[Query, ...] = ()

    def query(self, query_id: str) -> Query | None:
        return next((query for query in self.queries if query.id == query_id), None)


def reviewer_name(text: str) -> str:
    """A reviewer's name, with single spaces; people are told apart by it."""
    name = " ".join(storable(text).split())
    if not 1 <= len(name) <= REVIEWER_LENGTH:
        raise UsageError(f"a reviewer's name has 1 to {REVIEWER_LENGTH} characters, not {len(name)}; enter one")
    return name


def checked_grade(grade: int) -> int:
    if grade not in GRADES:
        raise UsageError(f"{grade!r} is no grade; the grades are 0, 1, 2 and 3")
    return int(grade)


def storable(text: str) -> str:
    """The text without what a database refuses: PostgreSQL takes no NUL, and neither takes lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def utc_now() -> datetime:
    return datetime.now(UTC)


def naive_utc(moment: datetime) -> datetime:
    """As it is stored: SQLite has no zones."""
    return moment.astimezone(UTC).replace(tzinfo=None)
