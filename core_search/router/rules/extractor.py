"""The offline extractor: rules that read a query as the LLM would, without a network (SPEC 2 and 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core_search.models import Extraction, LookupMode, MatchedLabel, QueryType, Temporal
from core_search.providers.base import Embedder, ExtractionAnswer, Question
from core_search.router.rules.aspects import find_aspects
from core_search.router.rules.attributes import find_attribute
from core_search.router.rules.confidence import confidence_of
from core_search.router.rules.dates import DateReading, read_dates
from core_search.router.rules.facet_words import find_facets
from core_search.router.rules.gate_words import closed_reason
from core_search.router.rules.hints import Hint, find_hints
from core_search.router.rules.kinds import Facts, Kind, decide
from core_search.router.rules.property_questions import asks_property

# Labels this close to the best one are what the query is about as well.
LABEL_MARGIN = 0.05


class RulesExtractor:
    """Reads a query by rules: dates, names, cue words. Deterministic, no network, a few milliseconds."""

    name = "rules"
    model = "rules-1"

    def __init__(self, embedder: Embedder | None = None):
        self._embedder = embedder

    def extract(self, question: Question) -> ExtractionAnswer:
        """The route of a query; never raises for any text. `detail` names the rule that decided."""
        names = question.names
        in_text = names.find_in(question.query) if names else []
        dates = read_dates(question.query, question.now, in_text)
        text = dates.text_without_dates.replace("’", "'")
        closed = closed_reason(question.query, bool(in_text))
        if closed:
            confidence = confidence_of("closed")
            return self._answer(Extraction(should_search=False, confidence=confidence), f"closed: {closed}", dates)
        hints = find_hints(text, names)
        asked = asks_property(text, hints, names)
        facts = Facts(
            text=text,
            hints=hints,
            aspects=find_aspects(text),
            attribute=asked,
            has_range=dates.temporal != Temporal(),
            has_date_words=bool(dates.spans),
            asks_attribute=asked is not None,
        )
        kind = decide(facts)
        return self._answer(_extraction(question, facts, kind, dates), kind.rule, dates)

    def _answer(self, extraction: Extraction, rule: str, dates: DateReading) -> ExtractionAnswer:
        detail = {"rule": rule, "dateWords": [list(span) for span in dates.spans]}
        return ExtractionAnswer(extraction=extraction, extractor=self.name, model=self.model, detail=detail)


def _extraction(question: Question, facts: Facts, kind: Kind, dates: DateReading) -> Extraction:
    is_lookup = kind.query_type is QueryType.ENTITY_LOOKUP
    attribute = facts.attribute if is_lookup else None
    counted = kind.query_type is QueryType.TEMPORAL_FACETS
    uses_aspects = kind.query_type in (QueryType.ASPECT_QUERY, QueryType.TEMPORAL)
    return Extraction(
        query_type=kind.query_type,
        aspects=facts.aspects if uses_aspects else (),
        temporal=dates.temporal,
        should_search=True,
        entity_hints=_hint_texts(facts, kind),
        selected_labels=_labels(question.matched_labels),
        lookup_mode=LookupMode.ATTRIBUTE if attribute else LookupMode.BROAD,
        attribute_hint=attribute,
        facets=find_facets(facts.text, bool(facts.hints)) if counted else (),
        confidence=confidence_of(kind.rule),
    )


def _hint_texts(facts: Facts, kind: Kind) -> tuple[str, ...]:
    texts = [hint.text for hint in facts.hints]
    if kind.query_type is QueryType.RELATIONSHIP and (owner := _owner(facts.text, facts.hints)):
        texts.insert(0, owner)
    return tuple(texts)


def _owner(text: str, hints: Iterable[Hint]) -> str | None:
    """`I` when the owner is one of those who are connected: "how do I know", "introduced me to"."""
    said = re.search(r"(?<![\w'])(?:I|i|me|myself)(?!\w)", text)
    asks_for_owner = re.match(r"\s*(?:can|could|would|will)\s+you\s+(?:tell|show)\s+me|\s*(?:please\s+)?(?:tell|show|give|remind)\s+me", text, re.IGNORECASE)
    if said is None or (asks_for_owner and said.start() < asks_for_owner.end()):
        return None
    return "I"


def _labels(matched: Iterable[MatchedLabel]) -> tuple[str, ...]:
    """The matched labels that the query is about: the best and those close behind it."""
    ranked = sorted(matched, key=lambda label: -label.score)
    return tuple(label.label_name for label in ranked if label.score >= ranked[0].score - LABEL_MARGIN)
