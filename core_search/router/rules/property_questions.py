"""Whether a query asks for one property of one named thing: "Rui's phone number", "what port does Ledger use"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core_search.providers.base import KnownNames
from core_search.router.rules.attributes import find_attribute, key_asked, own_attribute
from core_search.router.rules.hints import MASK

_FILLER_TEXT = """
can will would
hat has what what's whats which whose who when where how old much is are was were does do did has have the a an of for
to in on at by with my our your his her their its i me we you please pls again tell give show get find remind
need know can could there and number use uses used using run runs running charge charges per session live lives
based from born called name it current currently now will close closes open opens cost costs address time date
day days these exact full listen listens exactly s code reference want ok hey hi thanks que qué cuál es el la de del mi
cuándo dónde ist der die das von mein meine wann wie wo quel quelle est le les du mon ma sa son qual qui il lo
della dei di al mio mia numero numéro número lautet lookup entity field attribute key value each month will be
quando dove come
"""
_FILLER = frozenset(_FILLER_TEXT.split())
# Beside the words that ask, a question for a property says hardly anything: "the *current* phone number".
MOST_OTHER_WORDS = 1
# Verbs of a story: what somebody did, said or made is not a property.
_STORY = re.compile(
    r"\b(?:did|happen\w*|say|said|tell|told|feel|felt|think|thought|decide\w*|prefer\w*|like[sd]?|want\w*"
    r"|plan\w*|why|discuss\w*|mention\w*|rule|rules|(?:has|have|had)\s+(?:\w+\s+){0,3}?\w+(?:ed|en|ade|ost|ot"
    r"|one))\b",
    re.IGNORECASE,
)


def asks_property(masked: str, text: str, hints: Sequence[str], names: KnownNames | None) -> str | None:
    """The key of the property that a question asks for; None when it asks for something else.

    Without a name it is asked of the owner ("my shoe size").

    `masked` is `text` with `ʘ` in the place of the names (`hints.masked`).
    """
    if not hints:
        return own_attribute(masked, names)
    if key := key_asked(text, names, hints):
        return key
    rest = re.sub(rf"{MASK}(?:'s)?", " ", masked)
    found = find_attribute(rest, names, hints)
    if found is None or (_STORY.search(rest) and not re.search(r"\b(?:born|start|founded|clos\w+|how\s+long)", rest)):
        return None
    attribute, others = found
    unexplained = [word for word in re.findall(r"[^\W\d_]+", others.lower()) if word not in _FILLER and len(word) > 1]
    return attribute if len(unexplained) <= MOST_OTHER_WORDS else None
