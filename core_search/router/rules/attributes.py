"""Which property of a named thing a query asks for: "birthday", "phone", "port"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core_search.providers.base import KnownNames

# What people say to the key under which memories mostly keep it.
_ASKED: tuple[tuple[str, str], ...] = (
    (
        "birthday",
        r"turns?\s+\d+|turning\b|(?:birth|b)-?\s?days?|birthdays?|b-?day|date\s+of\s+birth|birth\s*date|dob|born|how\s+old|age\b|cumpleaños|geburtstag"
        r"|anniversaire|compleanno|compie|aniversário|wie\s+alt|quel\s+[âa]ge|quanti\s+anni|cuántos\s+años",
    ),
    (
        "phone",
        r"(?:tele)?phone(?:\s+numbers?)?|(?:mobile|cell)(?:\s+(?:phone|number))?|tel\b|number\s+to\s+call"
        r"|what\s+number\s+do\s+i\s+(?:call|ring)|teléfono|telefon(?:nummer)?|téléphone|telefono|telefone"
        r"|contact\s+(?:number|no\.?)|by\s+phone|(?:which|what)\s+number|(?:^\W*|\b(?:the|what|is)\s+)number\s+(?:of|for)\s*$|'s\s+number\b|n[uú]m[eé]ro\s+d[ei]\s+(?:t[eé]l[eé]fono|t[eé]l[eé]phone|telefone|portable|cellulare)|handynummer\b|how\s+(?:do|can)\s+(?:i|we)\s+(?:reach|call|ring|phone|get\s+hold\s+of)\b|^\W*(?:the\s+)?number\b|digits\b|(?:ring|call|dial|text)\b.{0,40}\bnumbers?\b|numbers?\b.{0,40}\b(?:ring|call|dial|text)\b|call\s+him|reach\s+(?:him|her)",
    ),
    (
        "email",
        r"address\b.{0,20}\b(?:e-?)?mail\b|(?:e-?)?mail\s+(?:to\s+)?.{0,30}\bat\b|e-?mails?(?:[\s-]+ad+resse?s?)?|by\s+mail|mail\s+address|correo|courriel|posta\s+elettronica",
    ),
    ("address", r"(?:home\s+|postal\s+|street\s+)?address|dirección|adresse|indirizzo"),
    (
        "city",
        r"(?:which|what)\s+city|which\s+town|(?:where|wo|dónde|où|dove)(?:'s|\s+(?:does|do|did|is|lebt|wohnt|vive"
        r"|habite|abita))\s+.{0,40}?(?:live|living|based|located|from)\b|where\s+does\s+.{1,40}\s+live|(?:wo\s+wohnt"
        r"|dónde\s+vive|où\s+habite|dove\s+(?:vive|abita))|city\s+of\s+residence|home\s*town",
    ),
    ("timezone", r"time\s*zone"),
    ("country", r"(?:which|what)\s+country|country\s+of"),
    (
        "role",
        r"(?:job|position|role|job\s+title|title|profession|occupation)\b(?!\s+(?:on|about|regarding)\b)"
        r"|do(?:es)?\s+.{1,40}?\s+do\s+for\s+(?:a\s+living|work)|for\s+a\s+living|works?\s+as\b|as\s+what\s+does|(?:in\s+)?what\s+capacity|employed\s+as"
        r"|(?:kind|sort|type|line)\s+of\s+(?:work|job)|what\s+do(?:es)?\s+(?:he|she|they)?\s*do\s+(?:at|in|for)\b|beruf|métier|trabajo\b",
    ),
    (
        "employer",
        r"employers?\b|(?:which|what)\s+(?:company|firm|employer)\b|whom?\s+does.{1,40}\bwork\s+for|works?\s+for\b"
        r"|employed\s+by|where\s+does\s+.{1,40}?\bwork\b",
    ),
    ("github", r"git\s*hub(?!\s+(?:repo|link|url))(?:\s+(?:handle|user\s*name|account|name))?|handle\b"),
    ("owner", r"who\s+(?:owns|maintains)|owners?\b|owned\s+by|maintainers?\b|maintained\s+by"),
    ("monthly", r"(?:each|per|every|a)\s+month|monthly|instal+ments?"),
    ("port", r"(?:which|what)\s+port|port\s+number|ports?\s+(?:of|for)\b|\w+\s+port\b|listen(?:s|ing)?\s+on|port\b"),
    ("version", r"(?:which|what)\s+(?:version|release)|versions?\b"),
    (
        "repository",
        r"(?:git\s+)?(?:repo(?:sitory)?|codebase)(?:\s+(?:url|link))?\b|git\s+(?:url|link|remote)|where.{0,20}\b(?:source|code)\b|source\s+code|(?:source|code)\s+(?:lives?|stored|hosted)\b",
    ),
    (
        "closes",
        r"(?:when|what\s+time|until\s+when|how\s+late).{1,60}?\bclos(?:e|es|ing)\b|closing\s+(?:time|hours?)"
        r"|open\s+until",
    ),
    ("office_hours", r"(?:office|consultation|surgery|opening|business|visiting)\s+hours"),
    ("opens", r"(?:when|what\s+time)\s+(?!did).{1,60}?\bopens?\b|opening\s+time"),
    ("opened", r"(?:when|what\s+year)\s+(?:did|was).{1,60}?\bopen(?:ed)?\b|opening\s+date|opened\b"),
    (
        "price",
        r"(?:what\s+(?:does|do|is|did)\s.{0,60}?\b(?:cost|charge)|how\s+much\s+(?:does|do|is|did|was).{1,60}?\b(?:charge|cost|per|pay)\b|how\s+much\s+(?:is|does)"
        r"|price|fee|rate|cost)s?\b",
    ),
    ("anniversary", r"anniversar(?:y|ies)"),
    ("wedding", r"wedding(?:\s+(?:date|day))?\b|get(?:s|ting)?\s+married|tie\s+the\s+knot"),
    ("deadline", r"deadline|due(?:\s+date)?\b"),
    ("school", r"(?:which|what)\s+school|school\b"),
    ("website", r"web\s*site|homepage|url\b"),
    ("allergy", r"allergic\s+to\s+what|(?:what|which).{1,40}allergic|allerg(?:y|ies)"),
    ("dose", r"doses?\b|dosage|how\s+many\s+(?:mg|micrograms|milligrams)"),
    ("language", r"(?:which|what)\s+(?:programming\s+)?language|written\s+in\b|coded\s+in\b|programmed\s+in\b"),
    (
        "lead",
        r"(?:who(?:'s|\s+is|\s+was)?\s+)?(?:leads|leading|heads|heading|runs|running|in\s+charge(?:\s+of)?|responsible(?:\s+for)?)\b|lead\s+of",
    ),
    ("hotel", r"(?:which|what)\s+hotel|hotel\b"),
    (
        "booking",
        r"booking\s*(?:reference|number|code|ref)?|reservation\s*(?:number|code)?|confirmation\s+(?:number"
        r"|code)",
    ),
    ("ticket", r"ticket(?:\s+(?:number|id))?\b"),
    ("nickname", r"nick\s*name"),
    ("name", r"(?:(?:full|last|first|sur|given|middle)\s*names?|surname|name|called)\b"),
    ("result", r"(?:finish(?:ing)?\s+)?(?:time|result)\b"),
    ("duration", r"how\s+long\s+(?:did|was|were|does|is)\b(?:.{0,60}\b(?:last|take|go\s+on|run)\b)?|duration\b"),
    ("severity", r"severity\b|how\s+(?:severe|bad|serious)"),
    ("date", r"(?:what|which)\s+(?:date|day)|date\s+of|when(?:\s+(?:is|was|will)|'s)\s+(?:the\s+|my\s+|our\s+)?$"),
    ("place", r"where(?:\s+(?:is|was|will)|'s)\s+(?:the\s+|my\s+|our\s+)?$|venue|location\b|take\s+place"),
    (
        "founded",
        r"found(?:ed|ing|ation)\b|established|set\s+up\b|(?:what|which)\s+year\s+(?:was|did).{0,40}\bstart(?:ed)?\b|how\s+long\s+has.{1,40}\bexist",
    ),
    ("staff", r"how\s+many\s+(?:people|employees|staff)\s+(?:work|does|are)|headcount|staff\b"),
    ("purpose", r"purpose|what\s+is\s+.{1,40}\s+for$|used\s+for"),
)
_PATTERNS = tuple((key, re.compile(rf"(?<![\w-])(?:{pattern})", re.IGNORECASE)) for key, pattern in _ASKED)
# Words for one key that another memory may keep under one of these.
_RELATED = {
    "price": ("session_price", "lesson_price", "price", "fee", "rate", "monthly", "cost"),
    "birthday": ("birthday", "birth_date", "date_of_birth", "born"),
    "phone": ("phone", "telephone", "mobile", "phone_number"),
    "email": ("email", "e-mail", "mail"),
    "role": ("role", "job", "title", "position", "occupation", "profession"),
    "city": ("city", "home", "lives_in", "town", "location"),
    "booking": ("booking", "booking_reference", "airline_reference", "reservation"),
    "date": ("date", "start", "when"),
    "place": ("place", "location", "venue"),
    "deadline": ("deadline", "due", "date", "when"),
    "lead": ("lead", "owner", "contact"),
    "owner": ("owner", "lead"),
    "website": ("website", "url", "homepage"),
    "office_hours": ("office_hours", "opening_hours", "opens", "hours"),
    "opens": ("opens", "opened", "office_hours"),
    "wedding": ("wedding", "date", "when"),
    "founded": ("founded", "established", "opened", "start"),
    "repository": ("repository", "repo"),
}


# Ways of asking that fit many things; a word of the text that is itself a key of the memory says more than these.
_WEAK = frozenset(
    {
        "price",
        "result",
        "duration",
        "severity",
        "date",
        "place",
        "name",
        "role",
        "purpose",
        "language",
        "owner",
        "lead",
        "staff",
        "school",
    }
)
# Keys that are plain words of many questions are not taken from the text alone.
_GENERIC = frozenset(
    {
        "when",
        "where",
        "who",
        "start",
        "end",
        "date",
        "place",
        "lead",
        "owner",
        "result",
        "name",
        "role",
        "type",
        "status",
        "time",
        "number",
        "bank",
        "contact",
    }
)


_WHICH = re.compile(
    r"\b(?:which|what|how\s+many|(?:who|what)(?:'s|\s+(?:is|was|are)))\s+(?:(?:the|our|my|its|kind\s+of)\s+)?((?:[^\W_]+\W+){1,3})",
    re.IGNORECASE,
)
_ASK_FOR = r"(?:(?:what(?:'s|\s+is|\s+was|\s+are)?|whats|tell\s+me|give\s+me|remind\s+me\s+of|i\s+need)\s+)?"
_NOUN_OF = re.compile(
    rf"\W*{_ASK_FOR}(?:(?:the\s+)?((?:[^\W\d_][\w-]*\s+){{1,3}})(?:of|for)\s+(?:my\s+|our\s+|the\s+)?ʘ(?:'s?\s+\w+)?"
    r"|(?:my\s+|our\s+|the\s+)?ʘ(?:'s?|s)\s+([^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*){0,2}))(?:\s+(?:again|please|pls))?\W*",
    re.IGNORECASE,
)
# Nouns that ask for all there is, or for a text; what stands with them is no property.
_NO_PROPERTIES_TEXT = """
a all any anything everything details info information notes note facts profile story stories history background
summary overview context news update updates mention mentions picture description search is was who what about
describe show look me and side part family situation life work plans plan trip visit talk message reply say memories
memory i you we do does did know have has had can not
"""
_NO_PROPERTIES = frozenset(_NO_PROPERTIES_TEXT.split())

_OWN = re.compile(
    r"\W*(?:(?:what(?:'s|\s+is|\s+are)?|whats|tell\s+me|remind\s+me\s+of)\s+)?my\s+(\w[\w\s-]*?)\W*", re.IGNORECASE
)


def find_attribute(text: str, names: KnownNames | None, hints: Sequence[str] = ()) -> tuple[str, str] | None:
    """The key that `text` asks for and the rest of the text; None when it asks for none.

    The key is written as this memory has it, otherwise as the plain noun.
    """
    known = names.attribute_keys() if names else frozenset()
    asked = next(((key, match) for key, pattern in _PATTERNS if (match := pattern.search(text))), None)
    direct = _direct(text, known)
    if direct and (asked is None or asked[0] in _WEAK or asked[0] in direct):
        words = set(direct.split("_"))
        return direct, " ".join(word for word in text.split() if word.lower().strip("?!.,") not in words)
    if asked is None:
        return None
    key, match = asked
    stored = stored_key(key, text, names, hints)
    if stored is None and key in _WEAK:
        return None
    return stored or key, text[: match.start()] + text[match.end() :]


def stored_key(key: str, text: str, names: KnownNames | None, hints: Sequence[str] = ()) -> str | None:
    """The key under which the memory keeps a property, first of all for those named; None when it keeps none.

    Of several it is the one whose other words stand in the text, otherwise the plain one, which fits all of them.
    """
    known = names.attribute_keys() if names else frozenset()
    own = frozenset().union(*(names.attribute_keys_of(hint) for hint in hints)) if names else known
    related = _RELATED.get(key, (key,))
    found = [name for name in related if name in own] or [name for name in related if name in known]
    said = set(re.findall(r"[^\W\d_]+", text.lower()))
    # "Each month" says "monthly" as well.
    closest = next(
        (
            name
            for name in found
            if any(
                part == word or (len(word) > 4 and part.startswith(word))
                for part in name.split("_")
                for word in said - {key}
            )
        ),
        None,
    )
    if closest or not found:
        return closest
    return key if sum(key in name.split("_") for name in found) > 1 else found[0]


def key_asked(text: str, names: KnownNames | None, hints: Sequence[str]) -> str | None:
    """The key in "at which clinic does she work", "who is our contact at …": a key of something named, right behind the
    word that asks. It may be the name of something else as well."""
    for match in _WHICH.finditer(text):
        words = re.findall(r"[^\W_]+", match[1].lower())
        for count in (3, 2, 1):
            key = "_".join(words[:count])
            owners = [hint for hint in hints if key in (names.attribute_keys_of(hint) if names else ())]
            if any(key.replace("_", " ") != owner.casefold() for owner in owners):
                return key
    return None


def noun_asked(masked: str) -> str | None:
    """The noun in "blood type of ʘ" or "my blood type", a property that no memory need have; None elsewhere."""
    match = _NOUN_OF.fullmatch(masked.strip()) if "ʘ" in masked else _OWN.fullmatch(masked)
    noun = next((found for found in match.groups() if found), "") if match else ""
    words = re.findall(r"[^\W_][\w-]*", noun.lower())
    return " ".join(words) if 0 < len(words) <= 3 and not _NO_PROPERTIES.intersection(words) else None


def own_attribute(text: str, names: KnownNames | None) -> str | None:
    """The key that a bare "my shoe size" asks for, of the owner; None where it is anything else."""
    match = _OWN.fullmatch(text)
    key = re.sub(r"[\s-]+", "_", match[1].strip().lower()) if match else ""
    return key if names and key in names.attribute_keys() - _GENERIC else None


def _direct(text: str, known: frozenset[str]) -> str | None:
    """The longest key of the memory whose words stand in the text."""
    plain = re.sub(r"[_\s-]+", " ", text.lower())
    found = [
        key
        for key in known - _GENERIC
        if len(key) > 2 and re.search(rf"(?<!\w){re.escape(key.replace('_', ' '))}(?!\w)", plain)
    ]
    return max(found, key=lambda key: (len(key), key), default=None)
