"""A language that date expressions are read in: its frames and its connecting words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core_search.router.rules.frames import Frame


@dataclass(frozen=True, slots=True)
class Language:
    """`signs` are words by which a text is known to be in the language; the others are patterns of small words
    that end right before a date expression (`since`, `after`, `before`, `until`, `leads`, `day_leads`), or that
    stand between two (`joints`; `opened` ones need an opening word such as "between" before the first)."""

    code: str
    frames: tuple[Frame, ...]
    signs: re.Pattern[str]
    since: re.Pattern[str]
    onward: re.Pattern[str]
    after: re.Pattern[str]
    before: re.Pattern[str]
    until: re.Pattern[str]
    leads: re.Pattern[str]
    date_leads: re.Pattern[str]
    day_leads: re.Pattern[str]
    openers: re.Pattern[str]
    joints: re.Pattern[str]
    opened_joints: re.Pattern[str]

    def signs_in(self, text: str) -> int:
        return len({found.lower() for found in self.signs.findall(text)})

    def role(self, before: str, after: str) -> str:
        """How the words around an expression bound the range: since, after, before, until, or in."""
        for role, pattern in (("since", self.since), ("after", self.after), ("before", self.before)):
            if pattern.search(before):
                return role
        if self.onward.match(after):
            return "since"
        return "until" if self.until.search(before) else "in"

    def joins(self, before: str, between: str, opened: bool = False) -> bool:
        """Whether two expressions with these words before and between are the two borders of one range.

        `opened` stands for an opening word such as "between".
        """
        if self.joints.fullmatch(between):
            return True
        return bool(self.opened_joints.fullmatch(between) and (opened or self.openers.search(before)))

    def lead(self, before: str) -> int:
        """The position in `before` from which on only small words stand."""
        found = self.leads.search(before)
        return found.start() if found else len(before)

    def leads_to_date(self, before: str) -> bool:
        return bool(self.date_leads.search(before))

    def leads_to_day(self, before: str) -> bool:
        return bool(self.day_leads.search(before))


def words_before(words: str) -> re.Pattern[str]:
    """A pattern for one of `words` right before the end of a text."""
    return re.compile(rf"(?<!\w)(?:{words})\s*$", re.IGNORECASE)


def language(
    code: str,
    frames: tuple[Frame, ...],
    *,
    signs: str,
    since: str,
    after: str,
    before: str,
    until: str,
    small: str,
    date: str,
    opener: str,
    joint: str,
    opened: str,
    article: str,
    day: str = r"(?!)",
    onward: str = r"(?!)",
) -> Language:
    every = "|".join((since, after, before, until, opener, small))
    tail = rf"(?:\s+(?:{article}))?"
    return Language(
        code=code,
        frames=frames,
        signs=re.compile(rf"(?<!\w)(?:{signs})(?!\w)", re.IGNORECASE),
        since=words_before(rf"(?:{since}){tail}"),
        onward=re.compile(rf"\s*(?:{onward})(?!\w)", re.IGNORECASE),
        after=words_before(rf"(?:{after}){tail}"),
        before=words_before(rf"(?:{before}){tail}"),
        until=words_before(rf"(?:{until}){tail}"),
        leads=re.compile(rf"(?<!\w)(?:(?:{every}|{article})\s+){{1,3}}$", re.IGNORECASE),
        date_leads=words_before(rf"(?:{every}|{date}){tail}"),
        day_leads=words_before(day),
        openers=words_before(rf"(?:{opener}){tail}"),
        joints=re.compile(rf"\s*(?:{joint}){tail}\s*", re.IGNORECASE),
        opened_joints=re.compile(rf"\s*(?:{opened}){tail}\s*", re.IGNORECASE),
    )
