"""Questions that count: which topics, how many decisions, whom most; and what they count."""

from __future__ import annotations

import re

from core_search.models import Facet

_TOPICS = r"(?:topics?|themes?|subjects?|labels?|tags?|areas?|categories|temas?|themen|sujets?|thèmes?|argomenti|assuntos?|issues\s+and\s+topics)"
_ENTITIES = r"(?:people|persons?|entit(?:y|ies)|names?|compan(?:y|ies)|organi[sz]ations?|customers?|clients?|projects?|places?|technolog(?:y|ies)|tools?|products?|colleagues?|contacts?|who|whom|personas?|personen|leute|kunden|projekte|personnes?|persone|gente|clientes?|proyectos?|projets?|progetti|wen|quién|chi\b)"
_ASPECTS = (
    r"(?:aspects?|kinds?|types?|sorts?|decisions?|preferences?|problems?|facts?|beliefs?|opinions?|goals?|habits?|tasks?|events?|directives?|rules?"
    r"|statements?|incidents?|bugs?|issues?|entscheidungen|probleme|aufgaben|decisiones|problemas|tareas|décisions|problèmes|tâches|decisioni|problemi|compiti)"
)
_ITEMS = r"(?:conversations?|episodes?|sessions?|notes?|messages?|meetings?|entries|memories|documents?|chats?|discussions?|items?|things?|times?)"
_TALK = (
    r"(?:discuss(?:ed|ing)?|talk(?:ed|ing)?|mention(?:ed|ing|s)?|c(?:o|a)me\s+up|com(?:es?|ing)\s+up|brought\s+up|appear(?:ed|s)?|cover(?:ed)?|speak|spoke|chat(?:ted)?|refer(?:red)?"
    r"|dominat\w+|touch(?:ed)?\s+on|mentioned|stored?|record(?:ed)?|log(?:ged)?|wrote\s+about|deal(?:t)?\s+with|work(?:ed)?\s+on|busy\s+with|focus(?:ed)?\s+on|know|have|had|meet|met|see|saw|tell|told|remember(?:ed)?|active|show(?:ed)?\s+up"
    r"|hablad[oa]|hablé|hablamos|trat\w+|gesprochen|besprochen|hatten|parlé|abordé\w*|discut\w+|parlato|trattat\w+|erwähnt|mencion\w+)"
)
_COUNTING = re.compile(
    rf"""
      (?:what|which|welche[rns]?|qué|cu[aá]les|quels?|quelles?|quali|di\s+quali|de\s+qué)\s+(?:were\s+|are\s+|was\s+|is\s+|have\s+been\s+|fueron\s+|waren\s+)?(?:the\s+|my\s+|our\s+|los\s+|die\s+|les\s+|i\s+|gli\s+)?(?:\w+\s+){{0,2}}?{_TOPICS}(?!\w)
    | (?:what|which)\s+(?:other\s+|new\s+)?{_ENTITIES}(?:\s+(?:and|or)\s+\w+)?\s+(?:\w+\s+){{0,3}}?{_TALK}(?!\w)
    | (?:what|which|welche)\s+(?:kinds?|types?|sorts?|arten?)\s+of\s+(?:\w+\s+)?(?:things?|facts?|statements?|memor\w+|information|stuff|knowledge|notes?|items?)
    | (?:who|whom|which\s+\w+|what|wen)\b[^?.]*?\b(?:most|most\s+often|least|the\s+most|am\s+meisten|le\s+plus|más|di\s+più)(?:\s*$|\s*[?.!]|\s+(?:often|frequently|in|on|this|last|about|mentioned|discussed))
    | (?:how\s+many|number\s+of|count(?:\s+of)?|total|wie\s+viele|cu[aá]nt[oa]s|combien\s+de|quant[ie])\s+(?:of\s+)?(?:the\s+|my\s+|our\s+)?(?:\w+\s+){{0,2}}?(?:{_TOPICS}|{_ENTITIES}|{_ASPECTS}|{_ITEMS})(?!\w)(?!\s+(?:does|do|did)\s+[A-Z])
    | how\s+(?:often|frequently|many\s+times)\s+(?:did|have|has|was|were|do)\s+(?:i|we|you|they|\w+)\s+(?:\w+\s+){{0,3}}?{_TALK}(?!\w)
    | how\s+(?:often|many\s+times)\s+(?:did|have)\s+(?:i|we)\b | how\s+(?:often|many\s+times)\s+(?:was|were|has|have)\s+.{{1,40}}\s+(?:been\s+)?(?:mentioned|discussed|brought)
    | (?:most|top|least)[\s-]+(?:\d+\s+|five\s+|three\s+|ten\s+)?(?:\w+[\s-]+){{0,2}}?(?:{_TOPICS}|{_ENTITIES}|{_ASPECTS})(?!\w)
    | top\s+(?:\d+|three|five|ten)\b | (?:most|frequently)[\s-]+(?:mentioned|discussed|talked|frequent|common|active)
    | (?<!\w)(?:stats|statistics|statistik(?:en)?|estad[ií]sticas|statistiques|statistiche|breakdown|distribution|histogram|tally|facets?|counts?)(?!\w)
    | break\s+(?:\w+\s+){{0,4}}?down\s+by | (?:group(?:ed)?|count(?:ed)?)\s+by\s+(?:topic|label|person|people|entity|kind|type|aspect)
    | {_TOPICS}\s+(?:counts?|list|of\s+(?:the\s+)?(?:day|week|month|year)|(?:that\s+)?(?:i|we)\s+(?:\w+\s+)?{_TALK})
    | (?:list|show|give)\s+(?:me\s+)?(?:all\s+)?(?:the\s+|my\s+|our\s+)?(?:main\s+|top\s+)?{_TOPICS}(?!\w)
    | (?:who|whom|what|which\s+\w+)\s+(?:all\s+)?(?:was|were|got|has\s+been|have\s+been)\s+(?:being\s+)?(?:mentioned|discussed|talked\s+about)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = (
    (Facet.TOPICS, re.compile(rf"(?<!\w)(?:{_TOPICS}|what\s+(?:did|do|have)\s+(?:i|we)\s+(?:talk|discuss)\w*)(?!\w)", re.IGNORECASE)),
    (Facet.ENTITIES, re.compile(rf"(?<!\w)(?:{_ENTITIES}|mentions?)(?!\w)", re.IGNORECASE)),
    (Facet.ASPECTS, re.compile(rf"(?<!\w)(?:{_ASPECTS})(?!\w)", re.IGNORECASE)),
)


def counts(text: str) -> bool:
    """Whether the query wants counts rather than texts."""
    return bool(_COUNTING.search(text))


def find_facets(text: str, named_thing: bool) -> tuple[Facet, ...]:
    """What is counted; empty for everything. A count of one named thing counts mentions of entities."""
    found = tuple(facet for facet, pattern in _NAMED if pattern.search(text))
    if not found and named_thing:
        return (Facet.ENTITIES,)
    return found
