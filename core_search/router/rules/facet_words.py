"""Questions that count: which topics, how many decisions, whom most; and what they count."""

from __future__ import annotations

import re

from core_search.models import Facet

_TOPICS = (
    r"(?:topics?|themes?|subjects?|labels?|tags?|areas?|categories|temas?|themen|sujets?|thèmes?|argomenti"
    r"|assuntos?|issues\s+and\s+topics)"
)
_ENTITIES = (
    r"(?:people|persons?|entit(?:y|ies)|names?|compan(?:y|ies)|organi[sz]ations?|customers?|clients?"
    r"|projects?|places?|technolog(?:y|ies)|tools?|products?|colleagues?|contacts?|who|whom|personas?"
    r"|personen|leute|kunden|projekte|personnes?|persone|gente|clientes?|proyectos?|projets?|progetti|wen"
    r"|quién|chi\b)"
)
_ASPECTS = (
    r"(?:aspects?|kinds?|types?|sorts?|decisions?|preferences?|problems?|facts?|beliefs?|opinions?|goals?"
    r"|habits?|tasks?|events?|directives?|rules?"
    r"|statements?|decisões|tarefas|preferências|incidents?|bugs?|issues?|entscheidungen|probleme|aufgaben|decisiones|problemas|tareas"
    r"|décisions|problèmes|tâches|decisioni|problemi|compiti)"
)
_ITEMS = (
    r"(?:conversations?|episodes?|sessions?|notes?|messages?|meetings?|entries|memories|documents?|chats?"
    r"|discussions?|items?|things?|times?)"
)
_TALK = (
    r"(?:discuss\w*|talk\w*|mention\w*|c(?:o|a)me\s+up|com(?:es?|ing)\s+up|brought\s+up|bring\s+up|appear\w*"
    r"|cover(?:ed)?|speak|spoken|spoke|chat(?:ted)?|refer(?:red|s)?"
    r"|dominat\w+|touch(?:ed)?\s+on|stored?|record(?:ed)?|log(?:ged)?|writ\w+\s+about|wrote\s+about"
    r"|deal(?:t)?\s+with|dealing\s+with|work(?:ed|ing)?\s+on|busy\s+with|focus(?:ed|ing)?\s+on|tell|told"
    r"|show(?:ed|n)?\s+up|occup\w+|on\s+my\s+mind"
    r"|habl\w+|trat\w+|gesprochen|besprochen|geredet|hatten|parl\w+|abord\w+|discut\w+|trattat\w+|erwähnt"
    r"|mencion\w+|convers\w+)"
)
# Verbs of meeting people count only with the owner as who meets.
_MEET = (
    r"(?:meet|met|see|saw|seen|work(?:ed)?\s+with|know|have|had|deal(?:t)?\s+with|visit(?:ed)?|use[d]?"
    r"|spend\s+time\s+with)"
)
_WE = r"(?:i|we|you|ich|wir|yo|je|j'ai|on|nous|io|noi|the\s+user|my|our)"
_WHICH = (
    r"(?:what|which|welche[rns]?|qu[eé]|cu[aá]les|quels?|quelles?|(?:di\s+)?(?:quali|che)|de\s+qu[eé](?:ls?"
    r"|lles?)?|sobre\s+qu[eé]|über\s+welche|quais)"
)
_COUNTING = re.compile(
    rf"""
      {_WHICH}\s+(?:\w+\s+){{0,3}}?{_TOPICS}(?!\w)[^.?!]*?(?<!\w)(?:{_WE})(?!\w)[^.?!]*?{_TALK}(?!\w)
    | {_WHICH}\s+(?:\w+\s+){{0,3}}?{_TOPICS}\s+(?:\w+\s+){{0,3}}?(?:c(?:o|a)me\s+up|(?:were|was|got|get
      |been)\s+(?:\w+\s+)?(?:discussed|mentioned|covered)|dominat\w+|appear\w*|keep\w*\s+com\w+|hatten|abbiamo
      |hemos|ho\b|he\b|hab\w+|have\s+(?:i|we))
    | {_WHICH}\s+(?:were|are|was|is|have\s+been|waren|sind|fueron|eran|étaient|sono\s+stati)?\s*(?:the\s+|my\s+
      |our\s+|die\s+|los\s+|les\s+|i\s+|gli\s+|meine\s+|mis\s+)?(?:main|top|biggest|most\s+\w+|principal(?:es|i)?
      |wichtigsten|principaux|key|hot|recurring|common|dominant)\s+{_TOPICS}(?!\w)
    | (?:^\W*|(?:my|our|the|your)\s+)(?:main|top|biggest|recurring|hot|most\s+\w+)\s+{_TOPICS}(?!\w)
      | (?:topic|theme|label|tag|entity|people|aspect)\s+(?:counts?|stats|statistics|breakdown|frequenc\w+
      |distribution|overview)
    | {_WHICH}\s+(?:\w+\s+)?{_ENTITIES}(?:\s+(?:and|or)\s+\w+)?\s+(?:\w+\s+){{0,3}}?(?:{_TALK})(?!\w)
    | {_WHICH}\s+(?:\w+\s+)?{_ENTITIES}(?:\s+(?:and|or)\s+\w+)?\s+(?:did|have|do|had)\s+(?:i
      |we)\s+(?:\w+\s+)?{_MEET}(?!\w)
    | {_WHICH}\s+(?:kinds?|types?|sorts?|arten?|tipos?|tipi|genre)\s+(?:of|von|de|di)\s+(?:\w+\s+)?(?:things?
      |facts?|statements?|memor\w+|information|stuff|knowledge|notes?|items?|entries|fakten|cosas|cose)(?!\w)
    | (?:who|whom|wen|which\s+\w+|what|over\s+wen)\b[^?.]*?\b{_WE}\b[^?.]*?\b(?:most(?:\s+often)?|least|the\s+most
      |am\s+(?:meisten|häufigsten)|le\s+plus|más|di\s+più)\b
    | (?:who|which\s+\w+|what)\s+(?:was|were|is|are|got|came|gets|comes|appear\w*)\s+(?:\w+\s+)?(?:mentioned\s+
      |discussed\s+|up\s+|talked\s+about\s+)?(?:the\s+)?(?:most|least)\b(?:\s+(?:often|mentioned|discussed
      |frequent\w*|active|in|during)|\W*$)
    | (?:how\s+many|number\s+of|count(?:\s+of)?|total\s+(?:number\s+of\s+)?|wie\s+viele|cu[aá]nt[oa]s
      |combien\s+d[e']|quant[ie])\s+(?:of\s+)?(?:the\s+|my\s+|our\s+)?(?:\w+\s+){{0,2}}?(?:{_TOPICS}|{_ENTITIES}
      |{_ASPECTS}|{_ITEMS})(?!\w)(?:\W*$|\s+(?:\w+\s+){{0,3}}?(?:{_WE})\b|\s+(?:are|were|is|was|have\s+been)\b
      |\s+(?:about|with|on|of|per|by|since|from|came|did|do|have|has)\b(?!\s+ʘ))
    | (?:how\s+many|(?:the\s+)?number\s+of)\s+(?:{_TOPICS}|{_ASPECTS})\s+(?:did|do|does|has|have|from|with|by)\s+ʘ
    | (?:wie\s+viele|cu[aá]nt[oa]s|quant[oa]s|combien\s+d[e']|quant[ie])\s*(?:\w+\s+){{0,2}}?(?:{_TOPICS}|{_ENTITIES}
      |{_ASPECTS})(?!\w)
      | (?:quante\s+volte|cu[aá]ntas\s+veces|combien\s+de\s+fois|wie\s+oft)\s+(?:ho|he|ai|habe|hemos|abbiamo|avons
      |haben)
    | (?:who|whom)\s+(?:did|have|do|had|'ve)\s+(?:i|we)\s+(?:\w+\s+)?(?:(?:talk|spok|speak)\w*\s+about|mention\w*
      |discuss\w*|brought\s+up)
    | how\s+many\s+(?:\w+\s+)?(?:{_ITEMS}|{_ASPECTS})\s+(?:mention|refer|touch|are\s+about|talk)\w*
    | (?:share|percentage|proportion|fraction|percent)\s+of\s+(?:my|our|the)\s+(?:{_ITEMS}|{_ASPECTS}|memor\w+)
    | {_TOPICS}\s+(?:that\s+)?(?:dominat\w+|c[oa]me\s+up|kep?t?\s+com\w+)
    | {_WHICH}\s+(?:\w+\s+)?{_ENTITIES}\s+(?:did\s+(?:i|we)\s+hear|(?:wrote|spoke|talked|called|contacted|reached)\b
      |kamen|kommen|salieron|sono\s+venut\w+)
    | mostly\s+(?:go\s+on|talk\w*|writ\w*|speak\w*|think\w*)\s+about
    | how\s+(?:often|frequently|many\s+times)\s+(?:did|have|has|was|were|do|is)\s+[^.?!]{{1,60}}?{_TALK}(?!\w)
    | how\s+(?:often|many\s+times)\s+(?:did|have)\s+(?:i|we)\b
    | top[\s-]+(?:\d+|three|five|ten|topics?|people|entities|themes?|subjects?|labels?|customers?|projects?)(?!\w)
      | (?:most|frequently|least)[\s-]+(?:often\s+|frequently\s+)?(?:mentioned|discussed|talked|active|referenced)
    | ^\W*(?:please\s+)?count\s+(?:up\s+)?(?:(?:all|the|my|our|of)\s+){{0,3}}(?:\w+\s+)?(?:{_TOPICS}|{_ENTITIES}
      |{_ASPECTS}|{_ITEMS})(?!\w)
    | (?:number|amount)\s+of\s+(?:\w+\s+)?(?:{_TOPICS}|{_ENTITIES}|{_ASPECTS}|{_ITEMS})\s+\w+(?:ed|en|ade)\b
    | \b(?:ranking|rank|tallies|tally\s+up)\b | (?:what|which)\s+(?:percentage|share|proportion|portion)\b
    | \bnumber\s+of\s+times\b
    | \bmore\s+about\s+[^.?!]{{1,40}}\s+or\s+(?:about\s+)?\w+
    | most\s+(?:common|frequent|recurring|popular)\s+(?:\w+\s+)?(?:{_TOPICS}|{_ENTITIES}|{_ASPECTS})
    | (?<!\w)(?:stats|statistics|statistik(?:en)?|estad[ií]sticas|statistiques|statistiche|breakdown|distribution
      |histogram|frequenc(?:y|ies)|tally|facets|counts)(?!\w)
    | break\s+(?:\w+\s+){{0,4}}?down\s+(?:by|into|per)
      | count(?:ed|s)?\s+(?:\w+\s+){{0,3}}?(?:by|per)\s+(?:topic|label|person|people|entity|kind|type|aspect|theme
      |subject|project|customer)
    | {_TOPICS}\s+(?:that\s+)?(?:i|we)\s+(?:have\s+|\'ve\s+)?(?:\w+\s+)?{_TALK}
      | {_TOPICS}\s+of\s+(?:the\s+)?(?:day|week|month|year|quarter)
      | ^\W*(?:{_TOPICS})(?:\s+(?:discussed|covered|mentioned|in|from|for|of|by\s+\w+|per\s+\w+|over\s+time))?\W*$
    | {_TOPICS}\s+(?:se\s+)?(?:habl|trat|discut|abord|parl|gesproch|besproch|convers)\w+
      | (?:le\s+plus|am\s+(?:meisten|häufigsten)|di\s+più|más)\b.*(?:habl|parl|gesproch|sprach|besproch|mencion
      |erwähn)\w+
      | (?:habl|parl|gesproch|sprach|besproch|mencion|erwähn|sprech)\w*\b.*(?:le\s+plus|am\s+(?:meisten|häufigsten)
      |di\s+più|más)\b
    | (?:people|persons|projects?|customers?|companies|entities|technologies|tools|places|names
      |clients)\s+(?:that\s+)?(?:(?:i|we)\s+|(?:were|are|got)\s+)?(?:\w+\s+)?(?:mention|discuss|talk|referenc
      |c[oa]me\s+up|bring\s+up|brought)\w*
    | (?:list|show|give|name)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+
      |our\s+)?(?:\w+\s+)?{_TOPICS}(?!\w)(?:\W*$|\s+(?:i|we|discussed|mentioned|from|of|for|in|that|covered))
    | (?:who|whom|which\s+(?:\w+\s+)?{_ENTITIES}(?:\s+and\s+\w+)?)\s+(?:all\s+)?(?:was|were|got|gets|has\s+been
      |have\s+been|is|are)\s+(?:being\s+)?(?:mentioned|discussed|talked\s+about)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = (
    (
        Facet.TOPICS,
        re.compile(
            rf"(?<!\w)(?:{_TOPICS}|what\s+(?:did|do|have)\s+(?:i|we)\s+(?:talk|discuss)\w*)(?!\w)", re.IGNORECASE
        ),
    ),
    (Facet.ENTITIES, re.compile(rf"(?<!\w)(?:{_ENTITIES}|mentions?)(?!\w)", re.IGNORECASE)),
    (Facet.ASPECTS, re.compile(rf"(?<!\w)(?:{_ASPECTS})(?!\w)", re.IGNORECASE)),
)


# What is talked about without being named is a subject.
_SUBJECT = re.compile(
    r"\b(?:talk|go|going|writ|speak|think|chat)(?:e|ing)?\s+(?:on\s+)?(?:more\s+|mostly\s+)?about\b(?!\s+ʘ)",
    re.IGNORECASE,
)


def counts(text: str) -> bool:
    """Whether the query wants counts rather than texts."""
    return bool(_COUNTING.search(text))


def find_facets(text: str, named_thing: bool) -> tuple[Facet, ...]:
    """What is counted; empty for everything. A count of one named thing counts mentions of entities."""
    found = tuple(facet for facet, pattern in _NAMED if pattern.search(text))
    if not found and _SUBJECT.search(text):
        return (Facet.TOPICS,)
    if not found and named_thing:
        return (Facet.ENTITIES,)
    return found
