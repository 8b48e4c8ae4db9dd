"""Typing errors in the few words that the rules depend on: "yesteday", "sumarise", "decsions".

Only words of these lists are corrected, only when the writing begins with the same letter (or has its first two
exchanged) and is close to exactly one of them; everything else stays as it is.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

_DATE_WORDS_TEXT = """
yesterday monday tuesday wednesday thursday friday saturday sunday january february april august september
october november december weekend quarter
"""
DATE_WORDS = tuple(_DATE_WORDS_TEXT.split())
# Short units are corrected only behind a word that a unit of time follows.
_UNITS = {
    "wek": "week",
    "weak": "week",
    "weke": "week",
    "wekk": "week",
    "weeek": "week",
    "moth": "month",
    "mnth": "month",
}
_UNITS |= {"mouth": "month", "montth": "month", "motnh": "month", "yaer": "year", "yer": "year"}
_BEFORE_UNIT = re.compile(r"(?:last|lats|past|this|thsi|previous|\d+)\s+$", re.IGNORECASE)
_CUE_WORDS_TEXT = """
about summarize summarise summary everything background overview context decision decisions decided decide
preference preferences prefer problem problems opinion opinions believe belief beliefs instruction instructions
guideline guidelines policy policies habit habits usually routine topics people mentioned discuss discussed
birthday phone number email address relationship between connected remind happened version repository deadline
favorite favourite concerns issues tasks goals recently
"""
CUE_WORDS = tuple(_CUE_WORDS_TEXT.split())
_SHORT = {
    "waht": "what",
    "wat": "what",
    "wht": "what",
    "whta": "what",
    "hwat": "what",
    "teh": "the",
    "abuot": "about",
    "abt": "about",
}
_SHORT |= {
    "whos": "who's",
    "whats": "what's",
    "hwo": "how",
    "hw": "how",
    "whcih": "which",
    "wich": "which",
    "waas": "was",
    "knwo": "know",
}
_SHORT |= {
    "taht": "that",
    "konw": "know",
    "eachother": "each other",
    "lats": "last",
    "thsi": "this",
    "diid": "did",
    "dicuss": "discuss",
}
# Words as they are meant, close to a word of the lists.
# Right words that lie close to a word of the lists (the vocabulary of a language model was searched for them).
_MEANT_TEXT = """
route routing remained remain concert concerts content contents contempt contest contests contexts corners
cancers institution institutions introduction introductions induction insertion intrusion intuition instructor
instructors interaction interactions interceptions decade decline declined dealing emily emile emails tanks
talks quartet habitats abbot augusta augusto augustus weakened favored favoured consecrated haiti unusually
prone ponce motioned probe probable discs discus disused ariel goats belize bellevue onion onions otter sturdy
precedence sundry sundae above issue abort reference references conference contact contacts contract option
options police peoples tropics
"""
_MEANT = frozenset(_MEANT_TEXT.split())
_STEMMER = Stemmer.Stemmer("english")
_WORD = re.compile(r"(?<![\w@#'’/.-])[A-Za-z]{3,14}(?![\w@/-]|\.\w)")
_CLOSENESS = 0.8  # difflib's ratio: one edit in five letters
_MOST_WORDS = 60  # typing errors matter in short queries; a long prompt repeats itself


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corrected text. `pieces` has (begin in the corrected text, begin in the original, grown by)."""

    text: str
    pieces: tuple[tuple[int, int, int, int], ...] = ()

    def original(self, position: int, is_end: bool) -> int:
        """The position in the text as it was written; inside a corrected word its border."""
        shift = 0
        for begin, end, old_begin, old_end in self.pieces:
            if position <= begin:
                break
            if position < end:
                return old_end if is_end else old_begin
            shift = old_end - end
        return position + shift


def correct_dates(text: str) -> Corrected:
    """`text` with the date words that are spelled wrong put right."""
    return _corrected(text, DATE_WORDS, dates=True)


def correct_cues(text: str) -> str:
    """`text` with the words that the rules look for put right."""
    return _corrected(text, CUE_WORDS, dates=False).text


def _corrected(text: str, words: tuple[str, ...], dates: bool) -> Corrected:
    found = list(_WORD.finditer(text))
    if len(found) > _MOST_WORDS:
        return Corrected(text)
    parts: list[str] = []
    pieces: list[tuple[int, int, int, int]] = []
    position = length = 0
    for match in found:
        written = match[0]
        lower = written.lower()
        if dates:
            right = _UNITS.get(lower) if _BEFORE_UNIT.search(text[: match.start()]) else None
            right = right or (_nearest(lower, words) if len(lower) >= 5 else None)
        else:
            right = _SHORT.get(lower) or (
                _nearest(lower, words) if len(lower) >= 5 and not written[0].isupper() else None
            )
        if right is None or right == lower:
            continue
        parts += [text[position : match.start()], right]
        length += match.start() - position
        pieces.append((length, length + len(right), match.start(), match.end()))
        length += len(right)
        position = match.end()
    parts.append(text[position:])
    return Corrected("".join(parts), tuple(pieces))


@lru_cache(maxsize=4096)
def _nearest(word: str, words: tuple[str, ...]) -> str | None:
    stem = _STEMMER.stemWord
    if word in _MEANT or stem(word) in {stem(other) for other in (*words, *DATE_WORDS)}:
        return None  # right as it is, or another form of a right word
    exchanged = word[1::-1]
    near = [
        other for other in words if abs(len(other) - len(word)) <= 2 and (other[0] == word[0] or other[:2] == exchanged)
    ]
    found = difflib.get_close_matches(word, near, n=1, cutoff=_CLOSENESS)
    return found[0] if found else None
