"""The type of a query: a list of rules, the first that applies decides. Each has a name, which the trace shows."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core_search.models import Aspect, QueryType
from core_search.router.rules.facet_words import counts
from core_search.router.rules.hints import MASK

# `ʘ` stands for a name or a role (`hints.masked`).
_CONNECTED = re.compile(
    r"""
      know\s+(?:each|one)\s*(?:other|another)
    | (?:relation(?:ship)?s?|connections?|links?|ties?|bond|paths?|chain|overlap
      |degrees\s+of\s+separation)\s+(?:is\s+there\s+|exists?\s+)?(?:between|with|from|to|of|among|do(?:es)?)\b
    | (?:relation(?:ship)?s?|connections?|links?|ties?|related|connected)\W*$
      | ^\W*(?:relation(?:ship)?|connection|link)\b
    | (?:is|are|was|were|am)\s+(?:my\s+|the\s+|our\s+)?(?:ʘ|I\b|we\b).{0,60}?\b(?:related|connected|linked
      |acquainted|married|tied|close)\b
    | (?:connect|link|tie|relate|bind|join|unite)s?\s+(?:my\s+|the\s+|our\s+)?(?:ʘ|me\b|us\b)
    | how\s+(?:do|does|did|have|has|might|could|would)\s+(?:my\s+|the\s+|our\s+)?(?:ʘ(?:'s\s+\w+)?|I\b
      |we\b).{0,40}?\b(?:know|knew|meet|met|become\s+friends|worked?\s+(?:together|with)|working\s+together|relate
      |fit\s+together|get\s+(?:to\s+know|along|on\s+with)|came?\s+to\s+know|connect|interact)\b
    | (?:do|does|did|have|has|will)\s+(?:my\s+|the\s+|our\s+)?ʘ\s+(?:and\s+(?:my\s+|the\s+)?ʘ\s+)?(?:ever\s+
      |already\s+|actually\s+|both\s+)*(?:know|known|meet|met|work(?:ed)?\s+(?:together|with))\b
    | (?:how|where)\s+(?:did\s+)?(?:my\s+)?ʘ\s+(?:met|meets?|knows?)\s+(?:my\s+)?ʘ
      | how\s+(?:my\s+)?ʘ\s+and\s+(?:my\s+)?ʘ\s+(?:met|know)
    | ʘ\s+(?:is|was|are|were)\s+(?:related|connected|linked)\b
      | (?:my|our)\s+(?:connections?|relation(?:ship)?|links?|ties?)\s+(?:to|with)\b
      | introduc\w+\s+.{0,40}?(?:to|me|ʘ) | in\s+common\b | <-+> | ↔ | <=> | ʘ\s*(?:-+>|→|&|\+|/|\bx\b|\bvs\b)\s*ʘ
    | (?:who|what)(?:'s|\s+(?:is|are|was))\s+(?:my\s+|the\s+)?ʘ\s+(?:to|for)\s+(?:me|us|my\s+ʘ|ʘ)
    | (?:is|are|was)\s+ʘ\s+(?:and\s+ʘ\s+)?(?:a\s+|the\s+|my\s+)?(?:friends?|siblings?|colleagues?|married|cousins?
      |a\s+couple|family|relatives?)\s*(?:of|with|to|\W|$)
    | kenn(?:en|t|e)\b.*\b(?:sich|ʘ) | (?:verbindung|beziehung|zusammenhang)\s+(?:\w+\s+){0,2}?(?:zwischen|von|zu)
      | verbindet | se\s+conoce\w* | (?:relaci[oó]n|conexi[oó]n|v[ií]nculo)\s+(?:\w+\s+){0,2}?(?:entre|con)
      | conozco\s+a
    | se\s+conna\w+ | (?:relation|lien|rapport)\s+(?:\w+\s+|y\s+a-t-il\s+){0,2}?(?:entre|avec) | connais
      | si\s+conosc\w+ | (?:rapporto|relazione|legame|collegamento|connessione)\s+(?:tra|fra|con)
      | se\s+conhece\w* | (?:rela[cç][aã]o|liga[cç][aã]o)\s+entre
    | \bin\s+(?:touch|contact)\s+with | \bto\s+do\s+with\s+(?:my\s+|the\s+)?ʘ
    | (?:how|are|is|were|was)\b[^.?!]{0,60}\b(?:linked|connected|acquainted)\b
    | \bI\s+know\s+(?:that|who)\s+knows?\b | through\s+whom | via\s+whom
      | mutual\s+(?:friends?|contacts?|acquaintances?)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OVERVIEW = re.compile(
    r"""
    (?<!\w)(?<!no\s)(?<!not\sa\s)(?<!without\sa\s)(?:
        s[uo]m{1,2}[ae]ri[sz]\w* | summary | summaries | overview | recap | tl;?\s?dr
          | catch(?:ing)?\s+(?:me\s+|us\s+)?up | fill\s+me\s+in | brief(?:ing)?(?:\s+me)?\b(?!ly)
      | (?:bring|get|getting|be)\s+(?:me\s+|us\s+)?(?:back\s+)?up\s+to\s+(?:speed|date)
        | (?:big|whole|overall)\s+picture | background | context\b | state\s+of\s+(?:the\s+)?\w+
          | status\b(?!\s+code) | where\s+(?:are|were)\s+we\b | where\s+[^.?!]{1,50}\s+stands?\b(?!\s+on\b)
          | how(?:'s|\s+(?:is|are|has|was|were))\s+[^.?!]{1,50}\s(?:going|coming\s+along|progressing
            |doing|shaping\s+up|moving\s+along)\b
          | how\s+far\s+(?:along|have)\b | (?:main|key|essential)\s+(?:points?|takeaways?|facts)\b
          | takeaways?\b | essentials\b
          | lay\s+of\s+the\s+land | in\s+(?:review|a\s+nutshell|short|brief)\b | overall\b | outline\b | nutshell
          | in\s+general\s*\W*$
          | (?:condense|compile|sketch|boil)\b
      | where\s+(?:do|did)\s+(?:things|we|i)\s+(?:stand(?!\s+on\b)|leave\s+off|get\s+to|left\s+off)
        | what(?:'s|\s+is|\s+has\s+been)\s+(?:new|up\s+with|going\s+on|been\s+going\s+on|the\s+(?:latest|story
        |situation|state|status|deal|background))
      | (?:recent|latest)\s+(?:work|news|activit\w+|progress|changes?|developments?|updates?|discussions?
        |conversations?|on)\b
        | ^\W*(?:any\s+|the\s+|latest\s+|give\s+me\s+|an?\s+)*(?:updates?|news|progress)\s+(?:on|of|about|with
        |regarding) | (?:should|need\s+to)\s+(?:i\s+|we\s+)?know\b | the\s+story\s+(?:of|behind|so\s+far)
        | history\s+(?:of|behind) | walk\s+me\s+through | run\s+me\s+through | refresh\s+(?:my|me)\b(?![^.?!]*\bwho\b)
      | (?:give|get)\s+me\s+the\s+(?:gist|highlights|lowdown) | (?:short|condensed|long)\s+version
        | prep(?:are)?\s+(?:me|us)\b | what\s+(?:did|have|has)\s+(?:i|we)\s+miss(?:ed)?\b | (?:high|top)[\s-]level
        | sum(?:s|med|ming)?\s+(?:it\s+|this\s+|that\s+)?up\b | what(?:'s|\s+is|\s+has\s+been)\s+happening\b
        | oriented\b | on-?board\s+me
        | (?:gather|collect|pull|load|assemble)\s+(?:together\s+|up\s+)?(?:all\s+|any|every)\w*
        | (?:relevant|useful)\s+(?:to|for|history|information|notes) | situation\b
        | refresher\b | wrap(?:s|ped|ping)?[\s-]?up\b
        | how(?:'s|\s+(?:is|are))\s+[^.?!]{1,50}\slooking\b | what's\s+the\s+score\b
        | where\s+(?:did|have)\s+(?:we|i)\s+(?:leave|left)
        | cómo\s+va\b | wie\s+steht\s+es | où\s+en\s+(?:est|sommes|suis) | a\s+che\s+punto | come\s+procede
        | em\s+que\s+pé | como\s+(?:vai|está|anda)\b | comment\s+avance
        | fais(?:-moi)?\s+le\s+point | état\s+(?:de|du|des)
        | stato\s+(?:di|del\w*) | estado\s+del? | stand\s+(?:der|des|von) | highlights | gist\b | digest
        | synopsis | rundown | run-?down | round-?up | debrief | tell\s+me\s+what(?:'s|\s+is)\s+(?:going\s+on|new)
        | orient(?:ation)?\s+me
      | zusammenfass\w* | fasse?\b.*\bzusammen | überblick | resum(?:en|e|ir|ido|ime|íme) | résum\w* | récap\w*
        | vue\s+d'ensemble | panorama | riassu\w* | riepilog\w* | panoramica | resumo | ponme\s+al\s+día
        | mets-moi\s+au\s+courant | aggiornami | bring\s+mich\s+auf\s+den\s+(?:neuesten\s+)?stand
        | hintergr[uü]nde? | contexto | contexte | contesto
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT = re.compile(
    r"""
      who(?:'s|\s+is|\s+was|\s+are|s)\b | wer\s+ist | qui\s+est | quién\s+es | chi\s+è | quem\s+é
    | (?:tell|show|give)\s+me\s+(?:\w+\s+){0,3}?(?:about|on|of)\b
      | what\s+(?:do|did|can|have)\s+(?:you|i|we|u)\s+(?:all\s+)?(?:\w+\s+)?(?:know|remember|have|got|noted?
      |stored?|recorded|told?\s+(?:me|you)|tell\s+me|say)\s+(?:about|on)\b
    | (?:everything|anything|all|info(?:rmation)?|details?|notes?|facts|more|something)\s+(?:[\w']+\s+){0,4}?(?:about
      |on|regarding)\b
    | what(?:'s|\s+is|\s+are|\s+was)\s+(?:the\s+|our\s+)?\S+(?:\s+\S+){0,3}\s*\??$
      | (?:profile|bio|biography|dossier)\b | (?:describe|look\s+up|search\s+for|find)\b | was\s+wei(?:ß|ss)t\s+du
      | qué\s+sabes | que\s+sais-tu | cosa\s+sai
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DONE = re.compile(
    r"\b(?:happen\w*|going\s+on|went\s+on|(?:did|have|has|had|was|were)\s+(?:i|we|you|they|he|she|\w+)\b"
    r"|(?:done|up\s+to|busy|accomplish\w*|notes?\s+from|from|meetings?|show\s+me|everything|what's\s+on"
    r"|things|log|journal|timeline|agenda|schedule))",
    re.IGNORECASE,
)
_ASKS_WHEN = re.compile(
    r"\W*(?:(?:and|so|but|hey|hi|ok(?:ay)?|remind\s+me|tell\s+me)\W+)*when(?:'s|\s+(?:did|do|does|was|were|is|are|has|have"
    r"|had|will|ʘ)\b)",
    re.IGNORECASE,
)
_WHO_DID = re.compile(
    r"\W*who\s+(?:(?:was|is)\s+(?:it\s+)?(?:that|who)\s+)?(?:\w+ed|made|chose|took|wrote|gave|said|told|brought|found|set|led)\b",
    re.IGNORECASE,
)
_TELL_ME = re.compile(
    r"\b(?:tell|show|give|remind|let)\s+me\b|\b(?:can|could|may|should)\s+I\s+(?:ask|see|find)\b"
    r"|\bI\s+(?:need|want|would\s+like|wonder|am\s+wondering|forgot|forget|mentioned|said|told)\b|\b(?:that"
    r"|what)\s+I\s+\w+",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"(?<![\w'])(?:I|me|myself|my\s+(?:connections?|relation(?:ship)?|links?|ties?))(?!\w)", re.IGNORECASE
)
_LATELY = re.compile(r"\b(?:recent(?:ly)?|lately|these\s+days|latest)\b", re.IGNORECASE)
# A property asked of one thing: nothing but question words, the property and the name.
_STRONG_ASPECTS = frozenset(
    {
        Aspect.DIRECTIVE,
        Aspect.PREFERENCE,
        Aspect.BELIEF,
        Aspect.DECISION,
        Aspect.GOAL,
        Aspect.TASK,
        Aspect.PROBLEM,
        Aspect.HABIT,
    }
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the other rules found in a query."""

    masked: str  # without date words, with its spelling put right, with `ʘ` for every hint
    hints: tuple[str, ...]
    owner_is_asked: bool
    aspects: tuple[Aspect, ...]
    attribute: str | None
    has_date_words: bool


@dataclass(frozen=True, slots=True)
class Kind:
    query_type: QueryType
    rule: str


def decide(facts: Facts) -> Kind:
    """The type of a query that is searched."""
    text = facts.masked
    strong = bool(_STRONG_ASPECTS & set(facts.aspects))
    named = bool(facts.hints)
    connected = _CONNECTED.search(text)
    if connected and not _ASKS_WHEN.match(text) and len(facts.hints) + facts.owner_is_asked >= 2:
        return Kind(QueryType.RELATIONSHIP, "connection of two names")
    if counts(text):
        return Kind(QueryType.TEMPORAL_FACETS, "count")
    if _OVERVIEW.search(text):
        if strong and _asks_for_kinds(text):
            return Kind(QueryType.ASPECT_QUERY, "rules or preferences asked for by name")
        return Kind(QueryType.EXPLORATORY, "overview")
    if facts.attribute:
        return Kind(QueryType.ENTITY_LOOKUP, "property of a named thing")
    if named and _ASKS_WHEN.match(text) and not strong:
        return Kind(QueryType.ENTITY_LOOKUP, "when was it")
    if named and _WHO_DID.match(text):
        return Kind(QueryType.ENTITY_LOOKUP, "who did it")
    if strong:
        return Kind(QueryType.ASPECT_QUERY, "words of an aspect")
    if named and _ABOUT.search(text):
        return Kind(QueryType.ENTITY_LOOKUP, "about a named thing")
    if facts.has_date_words:
        return Kind(QueryType.TEMPORAL, "time")
    if _LATELY.search(text):
        return Kind(QueryType.TEMPORAL, "lately")
    if named:
        return Kind(QueryType.ENTITY_LOOKUP, "names something")
    if facts.aspects:
        return Kind(QueryType.ASPECT_QUERY, "words of a weak aspect")
    return Kind(QueryType.ASPECT_QUERY, "topic")


def asks_when(masked: str) -> bool:
    """Whether it asks for the day of something: a time that it says beside belongs to the thing, not to the search."""
    return bool(_ASKS_WHEN.match(masked))


def asks_where(masked: str) -> bool:
    """Whether it asks where something was that somebody named did."""
    return bool(re.match(rf"\W*where\s+(?:did|was|were|is|has)\b[^.?!]*{MASK}", masked, re.IGNORECASE))


def asks_for_owner(masked: str) -> bool:
    """Whether "I" or "me" is one of those that are connected, not the one who is told ("tell me how …")."""
    rest = _TELL_ME.sub("", masked)
    return bool(_OWNER.search(rest))


def _asks_for_kinds(text: str) -> bool:
    """A task of an agent that names what it wants: "retrieve any rule about …", "the user's preferences"."""
    return bool(
        re.search(
            r"(?:retrieve|look\s+up|find|fetch|check|load|recall|need|list|return|get"
            r"|search)\b[^.?!]{0,80}?\b(?:rules?|preferences?|prefers?|instructions?|directives?|guidelines?"
            r"|polic(?:y|ies)|decisions?|tasks?)\b",
            text,
            re.IGNORECASE | re.DOTALL,
        )
    )
