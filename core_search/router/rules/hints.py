"""Whom or what a query names: names of the memory, names that are not in it, role and kinship words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core_search.providers.base import KnownNames
from core_search.router.rules.languages import languages_of
from core_search.router.rules.plain_words import NO_NAMES, PLAIN_WORDS
from core_search.router.rules.spelling import DATE_WORDS

_KIN = (
    "wife|husband|spouse|partner|fiancée?|girlfriend|boyfriend|mother|father|mum|mom|mummy|dad|daddy"
    "|parents?|sister|brother"
    "|siblings?|son|daughter|child|kids?|children|baby|grandmother|grandfather|grandma|grandpa|grandparents?"
    "|aunt|uncle|cousin"
    "|niece|nephew|(?:mother|father|sister|brother|son|daughter)-in-law|in-laws|stepmother|stepfather"
    "|godmother|godfather|ex"
)
_ROLES = (
    "manager|boss|supervisor|lead|team\\s+lead|tech\\s+lead|mentor|mentee|coach|trainer|teacher|tutor"
    "|professor|doctor|dentist"
    "|gp|physio|physiotherapist|therapist|paediatrician|pediatrician|vet|nurse|accountant|lawyer|attorney"
    "|landlord|tenant"
    "|neighbou?r|colleague|coworker|co-worker|teammate|roommate|flatmate|contractor|builder|plumber|electrician|cleaner"
    "|babysitter|nanny|friend|assistant|intern|recruiter|client|customer|employer|bank|ceo|cto|cfo|founder|director"
    "|product\\s+manager|engineering\\s+manager|designer|hairdresser|barber|mechanic|agent|advisor|adviser|dog|cat|pet"
)
_ADJECTIVES = (
    r"(?:(?:best|old|new|former|ex|late|younger|older|elder|little|big|oldest|youngest|eldest|family|running"
    r"|piano|personal|project|line|previous|current|future|second|first|grand|great|step|kitchen"
    r"|skip-level)[\s-]+)*"
)
_ROLE = re.compile(
    rf"(?<!\w)(?:my|our|his|her|their|the)\s+((?P<adjectives>{_ADJECTIVES})(?:{_KIN}|{_ROLES}))(?=\W|$|s\b|'s)",
    re.IGNORECASE,
)
_FOREIGN_ROLE = re.compile(
    r"(?<!\w)(?:mi|mis|mon|ma|mes|meine?[rnms]?|unsere?[rnms]?|il\s+mio|la\s+mia|mio|mia|minha|meu|o\s+meu"
    r"|a\s+minha|nuestr[oa]|notre)\s+"
    r"(mujer|esposa|marido|esposo|madre|padre|hermana|hermano|hij[oa]|jef[ea]|m[eé]dico|vecin[oa]|entrenador|amig[oa]"
    r"|frau|mann|ehefrau|ehemann|mutter|vater|schwester|bruder|sohn|tochter|chef(?:in)?|arzt|ärztin"
    r"|nachbar(?:in)?|trainer(?:in)?|freund(?:in)?|kolleg(?:e|in)"
    r"|femme|épouse|mari|époux|mère|père|sœur|soeur|frère|fils|fille|chef(?:fe)?|patron(?:ne)?|médecin"
    r"|voisine?|ami[e]?|collègue"
    r"|moglie|marito|sorella|fratello|figli[oa]|capo|dottore|medico|vicin[oa]|amic[oa]|allenatore|collega"
    r"|mulher|m[aã]e|pai|irm[aã]o?|filh[oa]|chefe)(?!\w)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"(?<!\w)(?<!meine\s)(?<!meiner\s)(?<!seine\s)(?:Dr|Dra|Prof|Professor|Mr|Mrs|Ms|Miss|Sir|Doctor|Herr"
    r"|Frau|Señora?|Sr|Sra|Mme"
    r"|M)\.?\s+[A-ZÀ-ÞŁ][\w’'-]+(?:\s+[A-ZÀ-ÞŁ][\w’'-]+)*"
)
_INITIAL = re.compile(
    r"(?<!\w)(?:[A-ZÀ-ÞŁ][\w’-]+\s+[A-Z]\.(?!\w)|(?:[A-ZÀ-ÞŁ]\.\s?)+(?:(?:de|da|van|von)\s+)?[A-ZÀ-ÞŁ][\w’'-]+)"
)
_CAPITAL = r"[^\W\d_a-zà-öø-ÿ][\w]*(?:[-’'&+.][^\W_]\w*)*"
_NAME = re.compile(
    rf"(?<![\w@#/.-])(?:{_CAPITAL})(?:\s+(?:(?:de|da|do|das|dos|del|della|di|van|von|der|den|of|la|le|el|al"
    rf"|bin|the)\s+){{0,2}}(?:{_CAPITAL}|\d+(?:\.\d+)+))*"
)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{2,60})[\"”»]")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_SOMEBODY = r"((?:my\s+|the\s+|our\s+)?[^\W\d_][\w'-]*(?:\s+[^\W\d_][\w'-]*){0,2}?)"
_ASKED_OF = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:do|does|did|are|is|of)\s+{_SOMEBODY}\s+(?:and|with|&)\s+{_SOMEBODY}\s+(?:know|knew|met|meet"
        rf"|connected|related|linked|acquainted|ever|work\w*\s+together|each\s+other|friends)\b",
        rf"(?<!difference\s)\b(?:between|connects|links|introduced)\s+{_SOMEBODY}\s+(?:and|with|to)\s+{_SOMEBODY}\W*$",
        rf"\b(?:is|was)\s+{_SOMEBODY}\s+(?:connected|related|linked|married)\s+(?:to|with)\s+{_SOMEBODY}\W*$",
        rf"\b(?:does|did)\s+{_SOMEBODY}\s+(?:know|meet)\s+{_SOMEBODY}\W*$",
        rf"\b(?:birthday|age|phone(?:\s+number)?|e-?mail(?:\s+address)?|address|job|role)\s+(?:of"
        rf"|for)\s+{_SOMEBODY}\W*$",
        r"\b(?:who\s+is|who's|whos|who\s+was)\s+([^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*)?)\W*$",
    )
)
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]{2,4}")

_MOST = 12
# A letter that no text uses (a bilabial click), so that it counts as a word.
MASK = "ʘ"


@dataclass(frozen=True, slots=True)
class Hint:
    """A name as the query writes it, where it stands, and how it was found: known, role, title, new, quoted."""

    text: str
    start: int
    end: int
    how: str


def find_hints(text: str, names: KnownNames | None) -> tuple[Hint, ...]:
    """The names in `text`, in the order of the text; where two overlap, the longer one."""
    found = [*_known(text, names), *_titles(text), *_roles(text), *_new(text, names), *_quoted(text), *_asked_of(text)]
    known = [hint for hint in found if hint.how == "known"]
    # "Margarida Mikkel" is two people of the memory, not a third one.
    roles = [hint for hint in found if hint.how == "role"]
    found = [hint for hint in found if hint.how != "new" or (_inside(hint, known) < 2 and _inside(hint, roles) == 0)]
    sure = [hint for hint in found if hint.how != "asked"]
    found = sure + [hint for hint in found if hint.how == "asked" and not any(_overlap(hint, other) for other in sure)]
    found.sort(key=lambda hint: (hint.start - hint.end, hint.how != "known"))
    chosen: list[Hint] = []
    for hint in found:
        if all(hint.end <= other.start or other.end <= hint.start for other in chosen):
            chosen.append(hint)
    return tuple(sorted(chosen, key=lambda hint: hint.start))


def distinct(hints: Iterable[Hint]) -> tuple[str, ...]:
    """The texts of the hints, each once, in their order; not more than anything can be done with."""
    return tuple({hint.text.casefold(): hint.text for hint in reversed(list(hints))}.values())[::-1][:_MOST]


def masked(text: str, hints: Iterable[Hint]) -> str:
    """`text` with `ʘ` in the place of every hint, so that rules see where names stand and not what they say."""
    parts, position = [], 0
    for hint in hints:
        parts += [text[position : hint.start], MASK]
        position = max(position, hint.end)
    return "".join([*parts, text[position:]])


def bare_name(name: str) -> str:
    """A name without a leading article or possessive word, and without a closing possessive."""
    name = re.sub(r"^(?:my|our|the|his|her|their|a|an)\s+(?=\S)", "", name.strip(), flags=re.IGNORECASE)
    return _POSSESSIVE.sub("", name).strip()


def _known(text: str, names: KnownNames | None) -> Iterable[Hint]:
    if names is None:
        return
    for name in names.find_in(text):
        if name in PLAIN_WORDS:
            continue
        bare = bare_name(name)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)" if name[:1].isascii() else re.escape(name), text):
            yield Hint(bare, match.start(), match.end(), "known")
    # A possessive that lost its apostrophe: "olgas email".
    for match in re.finditer(r"(?<!\w)([^\W\d_]{3,})s(?!\w)", text):
        if names.knows(match[1]) and not names.knows(match[0]) and match[1] not in PLAIN_WORDS:
            yield Hint(match[1], match.start(), match.end(), "known")


def _titles(text: str) -> Iterable[Hint]:
    for pattern in (_TITLE, _INITIAL):
        for match in pattern.finditer(text):
            yield Hint(_POSSESSIVE.sub("", match[0]), match.start(), match.end(), "title")


def _roles(text: str) -> Iterable[Hint]:
    for match in _ROLE.finditer(text):
        yield Hint(match[1], match.start(1), match.end(1), "role")
    for match in _FOREIGN_ROLE.finditer(text):
        yield Hint(match[1], match.start(1), match.end(1), "role")


def _new(text: str, names: KnownNames | None) -> Iterable[Hint]:
    """Capitalised names that the memory does not know. A lone capital word that opens a sentence is none."""
    if len(text.split()) > 3 and text == text.upper():
        return
    # German writes every noun with a capital.
    german = languages_of(text)[-1].code == "de"
    for match in _NAME.finditer(text):
        words = list(re.finditer(r"\S+", match[0]))
        opens = _opens_sentence(text, match.start())
        while words and _plain(words[0][0]) and not (_in_calendar(words[0][0]) and len(words) > 1):
            words.pop(0)
            opens = False
        while words and words[0][0].islower():
            words.pop(0)
        while words and (_plain(words[-1][0]) or words[-1][0].islower()):
            words.pop()
        if not words:
            continue
        begin, end = match.start() + words[0].start(), match.start() + words[-1].end()
        name = _POSSESSIVE.sub("", text[begin:end])
        if len(words) == 1 and opens and not re.search(r"['’]s$", text[begin:end]):
            continue
        if len(words) == 1 and (name.isupper() or len(name) < 2) and name.isascii():
            continue
        if len(words) == 1 and german and not re.search(r"s$", text[begin:end]):
            continue
        if len(words) == 1 and re.fullmatch(r"[\d.]+", name):
            continue
        # With its possessive it is longer than the known name, which it still is.
        yield Hint(name, begin, end, "known" if names and names.knows(name) else "new")
    if not names and len(text) <= 20:
        for match in _CJK.finditer(text):
            yield Hint(match[0], match.start(), match.end(), "new")


def _plain(word: str) -> bool:
    return _POSSESSIVE.sub("", word).casefold().strip(".,;:!?") in NO_NAMES


def _in_calendar(word: str) -> bool:
    """A month or a weekday: dates are out of the text by now, so with a name behind it, it is part of that name."""
    return word.lower() in DATE_WORDS or word.lower() in ("march", "may", "june", "july")


def _opens_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip(" \t\"“'‘(-*•")
    return not before or before[-1] in ".!?:\n"


def _overlap(hint: Hint, other: Hint) -> bool:
    return hint.start < other.end and other.start < hint.end


def _inside(hint: Hint, others: Iterable[Hint]) -> int:
    return sum(hint.start <= other.start and other.end <= hint.end for other in others)


def _asked_of(text: str) -> Iterable[Hint]:
    """Whom a connection or a property is asked of, in lower case: "how do alice and bob know each other"."""
    for pattern in _ASKED_OF:
        for match in pattern.finditer(text):
            for group, written in enumerate(match.groups(), 1):
                name = bare_name(written)
                if name and not any(word.casefold() in NO_NAMES for word in name.split()):
                    start = match.start(group) + written.rindex(name)
                    yield Hint(name, start, start + len(name), "asked")


def _quoted(text: str) -> Iterable[Hint]:
    for match in _QUOTED.finditer(text):
        if len(match[1].split()) <= 4 and re.search(r"[A-ZÀ-Þ]", match[1]):
            yield Hint(match[1].strip(), match.start(1), match.end(1), "quoted")
