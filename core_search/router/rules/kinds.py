"""The type of a query: a list of rules, the first that applies decides. Each has a name, which the trace shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core_search.models import Aspect, QueryType
from core_search.router.rules.facet_words import counts
from core_search.router.rules.hints import Hint

_CONNECTED = re.compile(
    r"""
      know\s+each\s+other | (?:relation(?:ship)?s?|connections?|links?|ties?|bond|path|chain)\s+(?:is\s+there\s+)?(?:between|with|from|to|of|among)
    | (?:relation(?:ship)?|connection|link|tie)\b\s*\??$ | (?:is|are|was|were|am)\s+.{1,60}?\s+(?:related|connected|linked|acquainted|married|tied)\b
    | \bconnect(?:s|ed|ing)?\b | how\s+(?:do|does|did)\s+(?:i|we)\s+(?:know|meet|get\s+to\s+know)\b
    | how\s+(?:do|does|did|have|has)\s+.{1,60}?\s+(?:know|meet|met|become\s+friends|worked?\s+together|work\s+together|relate|fit\s+together)\b
    | (?:do|does|did|have|has)\s+.{1,50}?\s+(?:know|met|meet|ever\s+met|work(?:ed)?\s+(?:together|with))\b
    | introduced\s+.{1,40}\s+to | what\s+(?:links|ties|connects|relates)\b | in\s+common\b | (?:<->|<-->|↔|<=>)
    | who\s+(?:is|are)\s+.{1,40}\s+to\s+(?:me|us|[A-Z]\w+)\b | what\s+is\s+.{1,40}\s+to\s+(?:me|us)\b
    | (?:is|are)\s+.{1,40}\s+and\s+.{1,40}\s+(?:friends?|siblings|colleagues|married|cousins|a\s+couple|family)
    | kenn(?:en|t)\s+sich | verbindung\s+zwischen | beziehung\s+zwischen | verbindet | se\s+conocen | relaci[oó]n\s+entre | conexi[oó]n\s+entre
    | se\s+connaissent | (?:relation|lien)\s+entre | si\s+conoscono | (?:rapporto|relazione|legame|collegamento)\s+tra | como\s+se\s+conhecem
    | through\s+whom | via\s+whom | mutual\s+(?:friends?|contacts?)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OVERVIEW = re.compile(
    r"""
    (?<!\w)(?:
        s[uo]m{1,2}[ae]ri[sz]\w* | summary | summaries | overview | recap | tl;?\s?dr | catch(?:ing)?\s+(?:me\s+|us\s+)?up | fill\s+me\s+in | brief(?:ing)?(?:\s+me)?\b(?!ly)
      | (?:bring|get|getting|be)\s+(?:me\s+|us\s+)?(?:back\s+)?up\s+to\s+(?:speed|date) | (?:big|whole|overall)\s+picture | background | (?<!out\s+of\s)context\b | state\s+of\s+(?:the\s+)?\w+ | status\s+(?:of|on|update)
      | where\s+(?:do|did)\s+(?:things|we|i)\s+(?:stand|leave\s+off|get\s+to|left\s+off) | what(?:'s|\s+is|\s+has\s+been)\s+(?:new|up\s+with|going\s+on|been\s+going\s+on|the\s+(?:latest|story|situation|state|status|deal|background))
      | what\s+(?:have|has|had)\s+(?:i|we)\s+been\s+(?:up\s+to|doing|working\s+on)\s*(?:lately|recently|these\s+days)?\s*[?.!]*$ | the\s+story\s+(?:of|behind|so\s+far) | history\s+(?:of|behind) | walk\s+me\s+through | run\s+me\s+through | refresh\s+(?:my|me)
      | (?:give|get)\s+me\s+the\s+(?:gist|highlights|lowdown) | highlights | gist\b | digest | synopsis | rundown | run-?down | round-?up | debrief | tell\s+me\s+what(?:'s|\s+is)\s+(?:going\s+on|new) | orient(?:ation)?\s+me
      | zusammenfass\w* | fasse?\b.*\bzusammen | überblick | resum(?:en|e|ir|ido|ime|íme) | résum\w* | récap\w* | vue\s+d'ensemble | panorama | riassu\w* | riepilog\w* | panoramica | resumo | ponme\s+al\s+día | mets-moi\s+au\s+courant | aggiornami | bring\s+mich\s+auf\s+den\s+(?:neuesten\s+)?stand | hintergr[uü]nde? | contexto | contexte | contesto
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT = re.compile(
    r"""
      who(?:'s|\s+is|\s+was|\s+are|s)\b | wer\s+ist | qui\s+est | quién\s+es | chi\s+è | quem\s+é
    | (?:tell|show|give)\s+me\s+(?:\w+\s+){0,3}?(?:about|on|of)\b | what\s+(?:do|did|can|have)\s+(?:you|i|we|u)\s+(?:all\s+)?(?:\w+\s+)?(?:know|remember|have|got|noted?|stored?|recorded|tell\s+me|say)\s+(?:about|on)\b
    | (?:everything|anything|all|info(?:rmation)?|details?|notes?|facts|more|something)\s+(?:\w+\s+){0,4}?(?:about|on|regarding)\b
    | what(?:'s|\s+is|\s+are|\s+was)\s+(?:the\s+|our\s+)?\S+(?:\s+\S+){0,3}\s*\??$ | (?:profile|bio|biography|dossier)\b | (?:describe|look\s+up|search\s+for|find)\b | was\s+wei(?:ß|ss)t\s+du | qué\s+sabes | que\s+sais-tu | cosa\s+sai
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DONE = re.compile(
    r"\b(?:happen\w*|going\s+on|went\s+on|(?:did|have|has|had|was|were)\s+(?:i|we|you|they|he|she|\w+)\b|(?:done|up\s+to|busy|accomplish\w*|notes?\s+from|from|meetings?|show\s+me|everything|what's\s+on|things|log|journal|timeline|agenda|schedule))",
    re.IGNORECASE,
)
_LATELY = re.compile(r"\b(?:recent(?:ly)?|lately|these\s+days|latest)\b", re.IGNORECASE)
_OWNER = re.compile(r"\b(?:I|i|me|myself)\b")
# A property asked of one thing: nothing but question words, the property and the name.
_STRONG_ASPECTS = frozenset(
    {Aspect.DIRECTIVE, Aspect.PREFERENCE, Aspect.BELIEF, Aspect.DECISION, Aspect.GOAL, Aspect.TASK, Aspect.PROBLEM, Aspect.HABIT}
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the other rules found in a query."""

    text: str  # without its date words
    hints: tuple[Hint, ...]
    aspects: tuple[Aspect, ...]
    attribute: str | None
    has_range: bool
    has_date_words: bool
    asks_attribute: bool


@dataclass(frozen=True, slots=True)
class Kind:
    query_type: QueryType
    rule: str


def decide(facts: Facts) -> Kind:
    """The type of a query that is searched."""
    text = facts.text
    strong = bool(_STRONG_ASPECTS & set(facts.aspects))
    named = bool(facts.hints)
    connected = _CONNECTED.search(text)
    people = len(facts.hints) + bool(_OWNER.search(text))
    if connected and people >= 2:
        return Kind(QueryType.RELATIONSHIP, "connection of two names")
    if counts(text):
        return Kind(QueryType.TEMPORAL_FACETS, "count")
    if _OVERVIEW.search(text):
        if strong and _asks_for_kinds(text):
            return Kind(QueryType.ASPECT_QUERY, "rules or preferences asked for by name")
        return Kind(QueryType.EXPLORATORY, "overview")
    if facts.asks_attribute and named:
        return Kind(QueryType.ENTITY_LOOKUP, "property of a named thing")
    if strong:
        return Kind(QueryType.ASPECT_QUERY, "words of an aspect")
    if named and _ABOUT.search(text):
        return Kind(QueryType.ENTITY_LOOKUP, "about a named thing")
    if facts.has_date_words:
        return Kind(QueryType.TEMPORAL, "time")
    if facts.aspects:
        return Kind(QueryType.ASPECT_QUERY, "words of a weak aspect")
    if named:
        return Kind(QueryType.ENTITY_LOOKUP, "names something")
    if _LATELY.search(text):
        return Kind(QueryType.EXPLORATORY, "lately")
    return Kind(QueryType.ASPECT_QUERY, "topic")


def _asks_for_kinds(text: str) -> bool:
    """A task of an agent that names what it wants: "retrieve any rule about …", "the user's preferences"."""
    return bool(
        re.search(
            r"(?:retrieve|look\s+up|find|fetch|check|load|recall|need|list|return|get|search)\b[^.?!]{0,80}?\b(?:rules?|preferences?|prefers?|conventions?|instructions?|directives?|guidelines?|polic(?:y|ies)|decisions?|tasks?)\b",
            text,
            re.IGNORECASE | re.DOTALL,
        )
    )
