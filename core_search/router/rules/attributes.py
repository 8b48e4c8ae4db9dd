"""Which property of a named thing a query asks for: "birthday", "phone", "port"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core_search.providers.base import KnownNames

# What people say to the key under which memories mostly keep it.
_ASKED: tuple[tuple[str, str], ...] = (
    (
        "birthday",
        r"turns?\s+\d+|birthdays?|b-?day|date\s+of\s+birth|birth\s*date|dob|born|how\s+old|age\b|cumpleaños|geburtstag"
        r"|anniversaire|compleanno|aniversário",
    ),
    (
        "phone",
        r"(?:tele)?phone(?:\s+numbers?)?|(?:mobile|cell)(?:\s+(?:phone|number))?|tel\b|number\s+to\s+call"
        r"|what\s+number\s+do\s+i\s+(?:call|ring)|teléfono|telefon(?:nummer)?|téléphone|telefono|telefone"
        r"|how\s+(?:do|can)\s+(?:i|we)\s+(?:reach|call|ring|phone|get\s+hold\s+of)\b|^\W*(?:the\s+)?number\b|digits\b|(?:ring|call|dial|text)\b.{0,40}\bnumbers?\b|numbers?\b.{0,40}\b(?:ring|call|dial|text)\b|call\s+him|reach\s+(?:him|her)",
    ),
    (
        "email",
        r"address\b.{0,20}\b(?:e-?)?mail\b|(?:e-?)?mail\s+(?:to\s+)?.{0,30}\bat\b|e-?mails?(?:\s+addresse?s?)?|mail\s+address|correo|courriel|posta\s+elettronica",
    ),
    ("address", r"(?:home\s+|postal\s+|street\s+)?address|dirección|adresse|indirizzo"),
    (
        "city",
        r"(?:which|what)\s+city|which\s+town|(?:where|wo|dónde|où|dove)(?:'s|\s+(?:does|do|did|is|lebt|wohnt|vive"
        r"|habite|abita))\s+.{0,40}?(?:live|living|based|located|from)\b|where\s+does\s+.{1,40}\s+live|(?:wo\s+wohnt"
        r"|dónde\s+vive|où\s+habite|dove\s+(?:vive|abita))|city\s+of\s+residence|home\s*town",
    ),
    ("country", r"(?:which|what)\s+country|country\s+of"),
    (
        "role",
        r"(?:job|position|role|job\s+title|title|profession|occupation)\b"
        r"|do(?:es)?\s+.{1,40}?\s+do\s+for\s+(?:a\s+living|work)|for\s+a\s+living|works?\s+as\b",
    ),
    ("github", r"git\s*hub(?:\s+(?:handle|user\s*name|account|name))?"),
    ("port", r"(?:which|what)\s+port|port\s+number|ports?\s+(?:of|for)\b|\w+\s+port\b|listen(?:s|ing)?\s+on|port\b"),
    ("version", r"(?:which|what)\s+(?:version|release)|versions?\b"),
    ("repository", r"repo(?:sitory)?(?:\s+(?:url|link))?\b|source\s+code\s+(?:live|of)"),
    (
        "closes",
        r"(?:when|what\s+time|until\s+when|how\s+late).{1,60}?\bclos(?:e|es|ing)\b|closing\s+(?:time|hours?)"
        r"|open\s+until",
    ),
    ("opens", r"(?:when|what\s+time).{1,60}?\bopens?\b|opening\s+(?:time|hours?)"),
    ("office_hours", r"(?:office|consultation|surgery)\s+hours"),
    (
        "price",
        r"(?:what\s+(?:does|do|is|did)\s.{0,60}?\b(?:cost|charge)|how\s+much\s+(?:does|do|is|did|was).{1,60}?\b(?:charge|cost|per|pay)\b|how\s+much\s+(?:is|does)"
        r"|price|fee|rate|cost)s?\b",
    ),
    ("wedding", r"wedding\s+(?:date|day)|get\s+married|anniversary"),
    ("deadline", r"deadline|due\s+date"),
    ("school", r"(?:which|what)\s+school|school\b"),
    ("website", r"web\s*site|homepage|url\b"),
    ("allergy", r"allergic\s+to\s+what|(?:what|which).{1,40}allergic|allerg(?:y|ies)"),
    ("dose", r"doses?\b|dosage|how\s+many\s+(?:mg|micrograms|milligrams)"),
    ("language", r"(?:which|what)\s+(?:programming\s+)?language|written\s+in\b"),
    ("owner", r"who\s+owns|owner\b|owned\s+by"),
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
    ("founded", r"founded|founding\s+(?:year|date)"),
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
    "deadline": ("deadline", "due"),
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
