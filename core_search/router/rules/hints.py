"""Whom or what a query names: names of the memory, names that are not in it, role and kinship words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core_search.providers.base import KnownNames

_KIN = (
    "wife|husband|spouse|partner|fiancée?|girlfriend|boyfriend|mother|father|mum|mom|mummy|dad|daddy|parents?|sister|brother"
    "|siblings?|son|daughter|child|kids?|children|baby|grandmother|grandfather|grandma|grandpa|grandparents?|aunt|uncle|cousin"
    "|niece|nephew|(?:mother|father|sister|brother|son|daughter)-in-law|in-laws|stepmother|stepfather|godmother|godfather|ex"
)
_ROLES = (
    "manager|boss|supervisor|lead|team\\s+lead|tech\\s+lead|mentor|mentee|coach|trainer|teacher|tutor|professor|doctor|dentist"
    "|gp|physio|physiotherapist|therapist|paediatrician|pediatrician|vet|nurse|accountant|lawyer|attorney|landlord|tenant"
    "|neighbou?r|colleague|coworker|co-worker|teammate|roommate|flatmate|contractor|builder|plumber|electrician|cleaner"
    "|babysitter|nanny|friend|assistant|intern|recruiter|client|customer|employer|bank|ceo|cto|cfo|founder|director"
    "|product\\s+manager|engineering\\s+manager|designer|hairdresser|barber|mechanic|agent|advisor|adviser|dog|cat|pet"
)
_ADJECTIVES = r"(?:(?:best|old|new|former|ex|late|younger|older|elder|little|big|oldest|youngest|eldest|family|running|piano|personal|project|line|previous|current|future|second|first|grand|great|step|kitchen|skip-level)[\s-]+)*"
_ROLE = re.compile(
    rf"(?<!\w)(?:my|our|his|her|their|the)\s+((?P<adjectives>{_ADJECTIVES})(?:{_KIN}|{_ROLES}))(?=\W|$|s\b|'s)",
    re.IGNORECASE,
)
_FOREIGN_ROLE = re.compile(
    r"(?<!\w)(?:mi|mis|mon|ma|mes|meine?[rnms]?|unsere?[rnms]?|il\s+mio|la\s+mia|mio|mia|minha|meu|o\s+meu|a\s+minha|nuestr[oa]|notre)\s+"
    r"(mujer|esposa|marido|esposo|madre|padre|hermana|hermano|hij[oa]|jef[ea]|m[eé]dico|vecin[oa]|entrenador|amig[oa]"
    r"|frau|mann|ehefrau|ehemann|mutter|vater|schwester|bruder|sohn|tochter|chef(?:in)?|arzt|ärztin|nachbar(?:in)?|trainer(?:in)?|freund(?:in)?|kolleg(?:e|in)"
    r"|femme|épouse|mari|époux|mère|père|sœur|soeur|frère|fils|fille|chef(?:fe)?|patron(?:ne)?|médecin|voisine?|ami[e]?|collègue"
    r"|moglie|marito|sorella|fratello|figli[oa]|capo|dottore|medico|vicin[oa]|amic[oa]|allenatore|collega"
    r"|mulher|m[aã]e|pai|irm[aã]o?|filh[oa]|chefe)(?!\w)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(?<!\w)(?:Dr|Dra|Prof|Professor|Mr|Mrs|Ms|Miss|Sir|Doctor|Herr|Frau|Señora?|Sr|Sra|Mme|M)\.?\s+[A-ZÀ-ÞŁ][\w’'-]+(?:\s+[A-ZÀ-ÞŁ][\w’'-]+)*")
_INITIAL = re.compile(r"(?<!\w)[A-ZÀ-ÞŁ][\w’-]+\s+[A-Z]\.(?!\w)")
_CAPITAL = r"[^\W\d_a-zà-öø-ÿ][\w]*(?:[-’'&+.][^\W_]\w*)*"
_NAME = re.compile(rf"(?<![\w@#/.-])(?:{_CAPITAL})(?:\s+(?:(?:de|da|do|das|dos|del|della|di|van|von|der|den|of|la|le|el|al|bin|the)\s+){{0,2}}(?:{_CAPITAL}|\d+(?:\.\d+)+))*")
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{2,60})[\"”»]")
_POSSESSIVE = re.compile(r"['’]s?$", re.IGNORECASE)
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]{2,4}")

# Words with a capital that name nobody: openers of sentences, languages' names of days, common abbreviations.
_NO_NAMES = frozenset(
    ["i", "i'm", "i've", "i'd", "i'll", "a", "an", "the", "this", "that", "these", "those", "it", "he", "she", "we", "you", "they", "my", "our", "your", "his", "her", "their", "its", "me", "us", "what", "what's", "whats", "who", "who's", "whose", "whom", "when", "where", "why", "how", "which", "is", "are", "was", "were", "am", "be", "been", "do", "does", "did", "done", "has", "have", "had", "can", "could", "should", "would", "will", "shall", "may", "might", "must", "and", "or", "but", "if", "so", "then", "also", "not", "no", "yes", "any", "all", "some", "every", "each", "both", "between", "since", "before", "after", "until", "during", "from", "in", "on", "at", "for", "with", "about", "of", "to", "by", "as", "into", "over", "under", "last", "next", "first", "please", "pls", "ok", "okay", "hi", "hey", "hello", "thanks", "thank", "show", "tell", "give", "list", "find", "get", "look", "search", "summarize", "summarise", "summary", "recap", "overview", "brief", "catch", "bring", "remind", "remember", "recall", "explain", "describe", "compare", "count", "break", "pull", "load", "gather", "retrieve", "return", "fetch", "check", "use", "using", "write", "draft", "task", "todo", "note", "notes", "context", "background", "everything", "anything", "something", "someone", "nobody", "people", "topics", "topic", "things", "stats", "decision", "decisions", "rule", "rules", "problem", "problems", "preference", "preferences", "goal", "goals", "task", "tasks", "habit", "habits", "open", "booking", "shortest", "path", "connection", "relationship", "link", "info", "information", "details", "birthday", "phone", "email", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "today", "yesterday", "tomorrow", "q1", "q2", "q3", "q4", "h1", "h2", "pr", "prs", "ci", "cd", "api", "apis", "ui", "ux", "id", "ids", "ok", "fyi", "tldr", "tl", "dr", "asap", "eta", "llm", "ai", "json", "csv", "pdf", "url", "http", "https", "sql", "html", "css", "todo", "readme", "adr", "rfc", "okr", "okrs", "kpi", "user", "users", "assistant", "agent", "system", "human", "you're", "don't", "do", "answer", "keep", "group", "only", "never", "always", "before", "here's", "let", "let's", "now", "was", "wer", "wie", "wo", "wann", "welche", "welcher", "welches", "ich", "wir", "mein", "meine", "der", "die", "das", "den", "seit", "vor", "im", "am", "über", "hat", "habe", "qué", "que", "quién", "cuál", "cuándo", "dónde", "cómo", "mi", "mis", "el", "la", "los", "las", "un", "una", "de", "sobre", "resumen", "qui", "quoi", "quel", "quelle", "quels", "quelles", "quand", "où", "comment", "qu'est-ce", "est-ce", "j'ai", "je", "nous", "mon", "ma", "mes", "le", "les", "fais", "résume", "cosa", "chi", "quale", "quali", "quando", "dove", "come", "ho", "abbiamo", "il", "lo", "gli", "riassumi", "cos'è", "english", "german", "french", "spanish", "italian", "portuguese", "danish"]
)
# Surfaces that are names in some memory and plain words in most sentences; lower case they are words.
_PLAIN_WORDS = frozenset(["go", "port", "launch", "will", "may", "mark", "lead", "met", "is", "builds", "start", "end", "swift", "rust", "spring", "bill", "art"])
_MOST = 12


@dataclass(frozen=True, slots=True)
class Hint:
    """A name as the query writes it, where it stands, and how it was found: known, role, title, new, quoted."""

    text: str
    start: int
    end: int
    how: str


def find_hints(text: str, names: KnownNames | None) -> tuple[Hint, ...]:
    """The names in `text`, in the order of the text; where two overlap, the longer one."""
    found = [*_known(text, names), *_titles(text), *_roles(text), *_new(text, names), *_quoted(text)]
    found.sort(key=lambda hint: (hint.start - hint.end, hint.how != "known"))
    chosen: list[Hint] = []
    for hint in found:
        if all(hint.end <= other.start or other.end <= hint.start for other in chosen):
            chosen.append(hint)
    chosen.sort(key=lambda hint: hint.start)
    distinct: dict[str, Hint] = {}
    for hint in chosen:
        distinct.setdefault(hint.text.casefold(), hint)
    return tuple(distinct.values())[:_MOST]


def bare_name(name: str) -> str:
    """A name without a leading article or possessive word, and without a closing possessive."""
    name = re.sub(r"^(?:my|our|the|his|her|their|a|an)\s+(?=\S)", "", name.strip(), flags=re.IGNORECASE)
    return _POSSESSIVE.sub("", name).strip()


def _known(text: str, names: KnownNames | None) -> Iterable[Hint]:
    if names is None:
        return
    for name in names.find_in(text):
        if name in _PLAIN_WORDS:
            continue
        bare = bare_name(name)
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)" if name[:1].isascii() else re.escape(name), text):
            yield Hint(bare, match.start(), match.end(), "known")
    # A possessive that lost its apostrophe: "olgas email".
    for match in re.finditer(r"(?<!\w)([^\W\d_]{3,})s(?!\w)", text):
        if names.knows(match[1]) and not names.knows(match[0]) and match[1] not in _PLAIN_WORDS:
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
    for match in _NAME.finditer(text):
        words = list(re.finditer(r"\S+", match[0]))
        begin, end = match.start(), match.end()
        opens = _opens_sentence(text, begin)
        while words and (_plain(words[0][0]) or (names and names.knows(words[0][0]) and len(words) == 1)):
            words.pop(0)
            opens = False
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
        if len(words) == 1 and re.fullmatch(r"[\d.]+", name):
            continue
        yield Hint(name, begin, end, "new")
    if not names and len(text) <= 20:
        for match in _CJK.finditer(text):
            yield Hint(match[0], match.start(), match.end(), "new")


def _plain(word: str) -> bool:
    return _POSSESSIVE.sub("", word).casefold().strip(".,;:!?") in _NO_NAMES


def _opens_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip(" \t\"“'‘(-*•")
    return not before or before[-1] in ".!?:\n"


def _quoted(text: str) -> Iterable[Hint]:
    for match in _QUOTED.finditer(text):
        if len(match[1].split()) <= 4 and re.search(r"[A-ZÀ-Þ]", match[1]):
            yield Hint(match[1].strip(), match.start(1), match.end(1), "quoted")
