"""Weak date words: names of months, weekdays, seasons and bare numbers are dates only in the right company.

"May I", "March Capital", "we sat", "Friday deploys", "in 2023 places": the words before and after decide.
"""

from __future__ import annotations

import re

from core_search.router.rules.language import Language

# Full names that are nothing but a date; "may", "march", "august", "april", "june" and all short forms are not here.
_PLAIN_MONTHS = frozenset({"january", "february", "july", "september", "october", "november", "december"})
_SHORT_MONTHS = frozenset({"feb", "apr", "jul", "aug", "sept", "oct", "nov", "dec"})
_FULL_WEEKDAYS = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
_RECURRING = re.compile(r"\b(?:every|each|any|most|per|whole|a|an|one|next|coming|no|non)\s+$", re.IGNORECASE)
# A question about what holds in general asks for no particular Friday.
_GENERAL = re.compile(
    r"\b(?:may|can|could|should|must|shall|allowed|rules?|polic(?:y|ies)|always|usually|normally|typically|never|ever"
    r"|generally|do\s+(?:i|we|you)\b|does\s+\w+|routine|habits?)\b",
    re.IGNORECASE,
)
# What is aimed at a time was said before it: goals for the spring, plans for 2026.
_AIMED_AT = re.compile(
    r"\b(?:plans?|goals?|targets?|budget|objectives?|resolutions?|aims?|roadmap|priorities"
    r"|forecast)\b[^.?!]{0,30}\bfor\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# What is to be done before Friday looks at the Friday that comes.
_DUE = re.compile(
    r"\b(?:to|must|should|supposed|due|finish|deadline|tasks?|todos?)\b.*\b(?:before|by|until|till)\s+$",
    re.IGNORECASE | re.DOTALL,
)
# Numbers of four digits that count something else.
_NUMBERED = re.compile(
    r"\b(?:room|port|number|no|nr|version|ticket|issue|id|pr|build|flat|invoice|route|bus|error|code|step|page|line|row)\.?\s*#?$",
    re.IGNORECASE,
)
_BORDER = re.compile(r"\b(?:before|after|since|until|till)\b", re.IGNORECASE)
_FUNCTION = re.compile(
    r"\b(?:what|who|when|where|which|how|why|did|do|does|is|are|was|were|the|my|our|i|we|you|have|has|had|me|to)\b",
    re.IGNORECASE,
)
# What may follow a date: the end, punctuation, or a word that begins another part of the sentence.
_CLEAR = re.compile(
    r"\s*(?:$|[?!.,;:)\]\n–—-]|(?:and|or|to|until|till|through|about|with|for|in|at|on|of|by|from|regarding|concerning"
    r"|did|do|was|were|is|are|has|have|had|what|which|who|when|where|how|why|that|the|this|i|we|my|our|me|us"
    r"|he|she|they"
    r"|please|pls|onwards?|again|so|then|because|but|as|if|near|around|morning|afternoon|evening|night|year|last)\b)",
    re.IGNORECASE,
)
# A keyword query has at most so many words and none of a sentence.
_MAX_KEYWORDS = 7


def stands(text: str, match: re.Match[str], kind: str, language: Language) -> bool:
    """Whether the found weak word is a date where it stands."""
    before, after = text[: match.start()], text[match.end() :]
    if language.code == "en" and _RECURRING.search(before):
        return False
    if match.groupdict().get("which") or match.groupdict().get("year") or match.groupdict().get("that"):
        return True
    if _AIMED_AT.search(before):
        return False
    word = match[0].lower().rstrip(".")
    led = language.leads_to_date(before)
    if kind == "day":
        return language.leads_to_day(before) and bool(_CLEAR.match(after))
    if kind == "year":
        alone = _is_keywords(text) and _at_edge(before, after) and not _BORDER.search(before)
        return (led or alone) and not _NUMBERED.search(before)
    if kind == "weekend":
        return led and not _GENERAL.search(before) and bool(_CLEAR.match(after))
    if kind == "season":
        return led and bool(_CLEAR.match(after))
    if _names_something(match[0], before, after):
        return False
    if kind == "weekday":
        return _weekday_stands(text, word, led, before, after, language)
    if language.code != "en":
        return led or _at_edge(before, after)
    if word in _PLAIN_MONTHS:
        return led or bool(_CLEAR.match(after)) or _is_keywords(text)
    # As a keyword "march" opens a name more often than it opens a date; short forms open neither.
    alone = not after.strip(" ?!.") or (word in _SHORT_MONTHS and not before.strip())
    return (led and bool(_CLEAR.match(after))) or (_is_keywords(text) and alone and word != "may")


def _weekday_stands(text: str, word: str, led: bool, before: str, after: str, language: Language) -> bool:
    if language.code != "en":
        return led or _at_edge(before, after)
    if re.search(r"\b(?:on|for|about)\s+$", before, re.IGNORECASE) and _GENERAL.search(before):
        return False
    if _DUE.search(before):
        return False
    if led:
        return bool(_CLEAR.match(after))
    return word in _FULL_WEEKDAYS and not after.strip(" ?!.") and bool(before.strip()) and not _GENERAL.search(before)


def _names_something(word: str, before: str, after: str) -> bool:
    """A capital word that runs on into another one is a name: March Capital, April Jones, Sun Microsystems."""
    if not word[:1].isupper():
        return False
    following = re.match(r"\s+([A-Z][\w'-]*)", after)
    if following and following[1] not in ("I", "What", "Who", "How", "When", "Which", "Where", "Why"):
        return True
    return bool(re.search(r"[^.!?\s]\s+(?:[A-Z][a-z]+)\s$", before)) and not re.search(
        r"\b(?:In|On|Since|After|Before|Until|From|By|Between|During|And|Of|Last|This|The|To)\s$", before
    )


def _is_keywords(text: str) -> bool:
    return len(text.split()) <= _MAX_KEYWORDS and not _FUNCTION.search(text)


def _at_edge(before: str, after: str) -> bool:
    return not after.strip(" ?!.") or not before.strip()
