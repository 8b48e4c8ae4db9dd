"""The offline extractor: rules that read a query as the LLM would, without a network (SPEC 2 and 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core_search.models import Extraction, LookupMode, MatchedLabel, QueryType, Temporal, TemporalType
from core_search.providers.base import Embedder, ExtractionAnswer, KnownNames, Question
from core_search.router.rules.ask import ask_of
from core_search.router.rules.aspects import find_aspects
from core_search.router.rules.attributes import stored_key
from core_search.router.rules.confidence import DOUBT, confidence_of
from core_search.router.rules.dates import DateReading, read_dates
from core_search.router.rules.facet_words import find_facets
from core_search.router.rules.gate_words import LONGEST_CLOSED, closed_reason, speaks_of_owner
from core_search.router.rules.hints import Hint, distinct, find_hints, masked
from core_search.router.rules.kinds import UNSURE, WEAK, Facts, Kind, asks_for_owner, asks_when, asks_where, decide
from core_search.router.rules.languages import languages_of
from core_search.router.rules.nearest import MARGIN, MARGIN_WITH_NAME, WorldOrMemory
from core_search.router.rules.plain_words import PLAIN_WORDS
from core_search.router.rules.property_questions import asks_property
from core_search.router.rules.second_opinion import Opinion, SecondOpinion
from core_search.router.rules.spelling import correct_cues

# Labels this close to the best one are what the query is about as well.
LABEL_MARGIN = 0.05
# The second opinion overrules a weak rule by this much of its score, which runs from about 0 to 1.
OVERRULING_LEAD = 0.1
# What is named is looked up, or stands in an aspect; on LoCoMo other kinds with a smaller lead were mostly wrong.
OVERRULING_LEAD_NAMED = 0.25
_YEARS_BACK = re.compile(r"\byears?\s+(?:ago|back)\b|\blast\s+year\b", re.IGNORECASE)
_HESITATION = re.compile(r"(?<!\w)(?:u+h+|u+m+|e+rm+|h+m+)(?:,|\b)\s*", re.IGNORECASE)
# Key words without a question are what people type into the search of their own notes.
_ASKS = re.compile(
    r"\W*(?:(?:hi|hey|hello|ok(?:ay)?|so|please|pls|thanks?)\W+)*(?:what|who|when|where|why|how|which|is|are|was|were|do|does|did"
    r"|can|could|would|will|should|explain|tell|give|write|make|name|list|define|convert|translate|recommend|suggest|let"
    r"|play|sing|set|turn|say|show|difference|you|that|i)\b",
    re.IGNORECASE,
)
# Headings of an agent's prompt name its parts, not what is asked for.
_HEADING = re.compile(
    r"^\s*#*\s*(?:task|goal|objective|instructions?|context|background|role|system|user|input|output)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


class RulesExtractor:
    """Reads a query by rules: dates, names, cue words. Deterministic, no network, a few milliseconds."""

    name = "rules"
    model = "rules-1"

    def __init__(self, embedder: Embedder | None = None):
        self._nearest = WorldOrMemory(embedder) if embedder else None
        self._second = SecondOpinion(embedder) if embedder else None

    def extract(self, question: Question) -> ExtractionAnswer:
        """The route of a query; never raises for any text. `detail` names the rule that decided."""
        names = question.names
        in_text = names.find_in(ask_of(question.query)) if names else []
        dates = read_dates(question.query, question.now, in_text)
        text = ask_of(dates.text_without_dates).replace("’", "'")
        things = [name for name in in_text if name not in PLAIN_WORDS]
        closed = closed_reason(question.query, things) or (closed_reason(text, things) if text else None)
        if closed:
            confidence = confidence_of("closed")
            return self._answer(Extraction(should_search=False, confidence=confidence), f"closed: {closed}", dates)
        text = _HESITATION.sub("", text)
        hints = find_hints(text, names)
        plain = _HEADING.sub(" ", masked(text, hints)).replace("_", " ")  # names of functions are words
        if len(languages_of(text)) == 1:
            plain = correct_cues(plain)  # an English list: it would "correct" the words of other languages
        is_scope = _is_scope(question.query, plain, dates)
        # A month to come or that never was bounds nothing; what else is asked of something named says more.
        bounded = dates.temporal.type is not TemporalType.ALL or not hints
        facts = Facts(
            masked=plain,
            hints=distinct(hints),
            owner_is_asked=asks_for_owner(plain),
            aspects=find_aspects(plain),
            attribute=asks_property(plain, distinct(hints), names),
            has_date_words=bool(dates.spans) and is_scope and bounded,
        )
        kind = decide(facts)
        if self._is_of_the_world(text, plain, kind, hints):
            extraction = Extraction(
                should_search=False, confidence=confidence_of("nearest to questions of general knowledge")
            )
            return self._answer(extraction, "nearest to questions of general knowledge", dates)
        opinion = self._second.of(plain, facts.has_date_words) if self._second and kind.rule in WEAK else None
        if opinion:
            kind, facts = _weighed(kind, facts, opinion, names)
        return self._answer(_extraction(question, facts, kind, dates, is_scope), kind.rule, dates)

    def _is_of_the_world(self, text: str, plain: str, kind: Kind, hints: Sequence[Hint]) -> bool:
        """Only for a short English query without a sure sign of a memory: its names, the owner, words of an aspect."""
        if self._nearest is None or kind.rule not in UNSURE or not text or len(text) > LONGEST_CLOSED:
            return False
        if (
            not _ASKS.match(text)
            or speaks_of_owner(plain)
            or any(hint.how != "new" for hint in hints)
            or len(languages_of(text)) > 1
        ):
            return False
        return self._nearest.margin(text) > (MARGIN_WITH_NAME if hints else MARGIN)

    def _answer(self, extraction: Extraction, rule: str, dates: DateReading) -> ExtractionAnswer:
        detail = {"rule": rule, "dateWords": [list(span) for span in dates.spans]}
        return ExtractionAnswer(extraction=extraction, extractor=self.name, model=self.model, detail=detail)


def _weighed(kind: Kind, facts: Facts, opinion: Opinion, names: KnownNames | None) -> tuple[Kind, Facts]:
    """The kind after the second opinion was heard; it adds aspects or a property where none was found."""
    lead = opinion.lead_over(kind.query_type)
    best = opinion.best()
    is_odd = kind.rule == "names something" and best is not QueryType.ASPECT_QUERY
    if lead >= (OVERRULING_LEAD_NAMED if is_odd else OVERRULING_LEAD):
        kind = Kind(best, f"second opinion: against {kind.rule!r}")
    elif lead > 0:
        kind = Kind(kind.query_type, f"{kind.rule}{DOUBT}")
    key = stored_key(opinion.attribute, facts.masked, names, facts.hints) if opinion.attribute and facts.hints else None
    asks_aspect = kind.query_type is QueryType.ASPECT_QUERY and not kind.rule.endswith(DOUBT)
    aspects = facts.aspects or (opinion.aspects if asks_aspect else ())
    return kind, replace(facts, aspects=aspects, attribute=facts.attribute or key)


def _extraction(question: Question, facts: Facts, kind: Kind, dates: DateReading, is_scope: bool) -> Extraction:
    is_lookup = kind.query_type is QueryType.ENTITY_LOOKUP
    attribute = facts.attribute if is_lookup else None
    counted = kind.query_type is QueryType.TEMPORAL_FACETS
    uses_aspects = kind.query_type in (QueryType.ASPECT_QUERY, QueryType.TEMPORAL)
    return Extraction(
        query_type=kind.query_type,
        aspects=facts.aspects if uses_aspects else (),
        temporal=dates.temporal if counted or is_scope else Temporal(),
        should_search=True,
        entity_hints=_hint_texts(facts, kind),
        selected_labels=_labels(question.matched_labels),
        lookup_mode=LookupMode.ATTRIBUTE if attribute else LookupMode.BROAD,
        attribute_hint=attribute,
        facets=find_facets(facts.masked, bool(facts.hints)) if counted else (),
        confidence=confidence_of(kind.rule.partition(":")[0]),
    )


def _is_scope(query: str, masked_query: str, dates: DateReading) -> bool:
    """Whether the time bounds what is searched. In "when did she paint the sunrise last year" and "where did she live
    four years ago" it is the time of the event, which may have been told at any time."""
    years = any(_YEARS_BACK.search(query[begin:end]) for begin, end in dates.spans)
    return not (asks_when(masked_query) or (years and asks_where(masked_query)))


def _hint_texts(facts: Facts, kind: Kind) -> tuple[str, ...]:
    if kind.query_type is QueryType.RELATIONSHIP and facts.owner_is_asked:
        return ("I", *facts.hints)
    if kind.query_type is QueryType.ENTITY_LOOKUP and facts.attribute and not facts.hints:
        return ("I",)  # "my shoe size"
    return facts.hints


def _labels(matched: Iterable[MatchedLabel]) -> tuple[str, ...]:
    """The matched labels that the query is about: the best and those close behind it."""
    ranked = sorted(matched, key=lambda label: -label.score)
    return tuple(label.label_name for label in ranked if label.score >= ranked[0].score - LABEL_MARGIN)
