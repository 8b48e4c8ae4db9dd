"""Find the time that a query speaks of: `read_dates` (SPEC 2, "Time").

Frames (`english_dates.py`, `foreign_dates.py`) find expressions such as "the last three days"; the words before
and between them (since, before, between … and …) say how they bound the range. Only the past is in a memory: an
expression of the future or of a day that does not exist is taken as date words without a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from core_search.models import Temporal, TemporalType
from core_search.router.rules.anchored import anchored
from core_search.router.rules.ask import windows
from core_search.router.rules.company import stands
from core_search.router.rules.frames import Builder, Clock
from core_search.router.rules.language import Language
from core_search.router.rules.languages import languages_of
from core_search.router.rules.spans import Span
from core_search.router.rules.spelling import Corrected, correct_dates


@dataclass(frozen=True, slots=True)
class DateReading:
    """The time scope of a query. `spans` are the character ranges of its date words, ascending, apart;
    `text_without_dates` may be empty when the query says nothing but a date."""

    temporal: Temporal
    spans: tuple[tuple[int, int], ...]
    text_without_dates: str


@dataclass(frozen=True, slots=True)
class Atom:
    """One date expression: where it stands and what it spans; no span for the future and the impossible."""

    start: int
    end: int
    span: Span | None
    language: Language


def read_dates(query: str, now: datetime, names: Iterable[str] = ()) -> DateReading:
    """The time that `query` speaks of at `now`, which carries the zone of the workspace.

    `names` are names that occur in the query and are no dates whatever they look like ("March Capital").
    Never raises; no date gives `all`, no spans and the query as it is.
    """
    atoms = [atom for window in windows(query) for atom in _atoms(query, window, now, tuple(names))]
    if not atoms:
        return DateReading(Temporal(), (), query)
    temporal, joined = _bounds(query, atoms, now)
    taken = sorted({*joined, *((_lead(query, atom), atom.end) for atom in atoms)})
    merged = _apart(taken)
    return DateReading(temporal, merged, _without(query, merged))


def _atoms(query: str, window: tuple[int, int], now: datetime, names: Sequence[str]) -> list[Atom]:
    """The date expressions of a window, longest first where they overlap, in the order of the text."""
    begin, end = window
    text = query[begin:end].replace("’", "'")
    # The lists of right words are English ones: they would "correct" those of other languages.
    corrected = correct_dates(text) if len(languages_of(text)) == 1 else Corrected(text)
    text = corrected.text
    taken = [found.span() for name in names if name for found in re.finditer(re.escape(name), text)]
    # Dates of pasted code and logs say nothing about what is asked.
    taken += [fence.span() for fence in re.finditer(r"```.*?(?:```|\Z)", text, re.DOTALL)]
    found: list[tuple[int, int, Span | None, Language]] = []
    languages = languages_of(text)
    for language in languages:
        clock = Clock(now, language.code)
        for frame in language.frames:
            for match in frame.pattern.finditer(text):
                if any(match.start() < right and left < match.end() for left, right in taken):
                    continue
                # "Mar" and "sat" are words of other languages.
                if frame.weak and language.code == "en" and len(languages) > 1 and len(match[0].rstrip(".")) <= 3:
                    continue
                if frame.weak and not stands(text, match, frame.weak, language):
                    continue
                found.append((match.start(), match.end(), _built(frame.build, match, clock), language))
    found.sort(key=lambda item: (item[0] - item[1], item[0]))
    chosen: list[tuple[int, int, Span | None, Language]] = []
    for item in found:
        if all(item[1] <= other[0] or other[1] <= item[0] for other in chosen):
            chosen.append(item)
    chosen.sort(key=lambda item: item[0])
    return [
        Atom(
            begin + corrected.original(left, is_end=False),
            begin + corrected.original(right, is_end=True),
            span,
            language,
        )
        for left, right, span, language in chosen
    ]


def _built(build: Builder, match: re.Match[str], clock: Clock) -> Span | None:
    try:
        span = build(match, clock)
    except (ValueError, OverflowError):  # a border outside the calendar: year 0, year 10000
        return None
    return span if span and span.start < span.end else None  # "0 hours ago" lasts no time


# ---------------------------------------------------------------- from expressions to a range


def _bounds(query: str, atoms: Sequence[Atom], now: datetime) -> tuple[Temporal, list[tuple[int, int]]]:
    """The range of the first expression that has one, with its partner when two bound it."""
    for left, right in pairwise(atoms):
        between = query[left.end : right.start]
        before = query[: left.start]
        if not (left.span and right.span):
            continue
        span = _joined(left.span, right.span)
        # "November and December" are one range without an opening word, because they touch.
        touch = span is not None and _length(span) == _length(left.span) + _length(right.span)
        if span and left.language.joins(before, between, opened=touch):
            return _range(span, now), [(_lead(query, left), right.end)]
    for atom in atoms:
        counted = anchored(query[: atom.start], atom.span) if atom.span and atom.language.code == "en" else None
        if counted:
            return _range(counted[1], now), [(counted[0], atom.end)]
    for atom in atoms:
        if atom.span:
            return _bounded(query, atom, atom.span, now), []
    return Temporal(), []


def _length(span: Span) -> timedelta:
    return span.end - span.start


def _joined(left: Span, right: Span) -> Span | None:
    """From the start of one to the end of the other; a year that only one says counts for both."""
    if left.free_year and not right.free_year:
        left = left.shifted(right.start.year - left.start.year)
        left = left.shifted(-1) if left.start >= right.end else left
    elif left.free_year and left.start >= right.end:
        left = left.shifted(-1)
    elif right.free_year and right.end <= left.start:
        right = right.shifted(left.start.year - right.start.year)
        right = right.shifted(1) if right.end <= left.start else right
    return Span(left.start, right.end) if left.start < right.end else None


def _bounded(query: str, atom: Atom, span: Span, now: datetime) -> Temporal:
    role = atom.language.role(query[: atom.start], query[atom.end :])
    if role == "since":
        # "Since Monday" on a Monday means today, while "on Monday" means the one before.
        today = datetime.combine(now.date(), time.min)
        start = today if span.weekly and span.start + timedelta(days=7) == today else span.start
        return Temporal(type=TemporalType.AFTER, start_date=_start(start, now))
    if role == "after":
        if span.end >= now.replace(tzinfo=None):
            return Temporal(type=TemporalType.AFTER, start_date=_start(span.start, now))
        return Temporal(type=TemporalType.AFTER, start_date=_start(span.end, now))
    if role == "before":
        return Temporal(type=TemporalType.BEFORE, end_date=_end(span.start, now))
    if role == "until":
        return Temporal(type=TemporalType.BEFORE, end_date=_end(span.end, now))
    return _range(span, now)


def _range(span: Span, now: datetime) -> Temporal:
    if span.days:
        return Temporal(type=TemporalType.RECENT, days=span.days)
    start = _elapsed(span, now) if span.instant else _start(span.start, now)
    return Temporal(type=TemporalType.RANGE, start_date=start, end_date=_end(span.end, now))


def _elapsed(span: Span, now: datetime) -> str:
    """Hours and minutes are counted as elapsed time, so that the clock change does not lengthen them."""
    length = span.end - span.start
    if length < timedelta(days=28):
        return _instant((now.astimezone(tz=None) - length).astimezone(now.tzinfo))
    return _instant(span.start.replace(tzinfo=now.tzinfo))


def _start(wall: datetime, now: datetime) -> str:
    return wall.date().isoformat() if wall.time() == time.min else _instant(wall.replace(tzinfo=now.tzinfo))


def _end(wall: datetime, now: datetime) -> str:
    """An end date includes its day, so a border at midnight is written as the day before it."""
    if wall.time() == time.min and wall.date() > date.min:
        return (wall.date() - timedelta(days=1)).isoformat()
    return _instant(wall.replace(tzinfo=now.tzinfo))


def _instant(moment: datetime) -> str:
    return moment.isoformat()


# ---------------------------------------------------------------- the text without them


def _lead(query: str, atom: Atom) -> int:
    """Where the small words before an expression begin: "in", "since the", "over"."""
    return atom.start - len(query[: atom.start]) + atom.language.lead(query[: atom.start])


def _apart(taken: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for left, right in taken:
        if merged and left <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(right, merged[-1][1]))
        else:
            merged.append((left, right))
    return tuple(merged)


def _without(query: str, taken: Sequence[tuple[int, int]]) -> str:
    parts, position = [], 0
    for left, right in taken:
        parts.append(query[position:left])
        position = right
    parts.append(query[position:])
    text = re.sub(r"[ \t]{2,}", " ", " ".join(part.strip(" \t") for part in parts))
    text = re.sub(r" +([?!.,;:])", r"\1", text).strip().lstrip(",;: ")
    return text if re.search(r"\w", text) else ""
