"""The offline extractor: rules that read a query as the LLM would, without a network (SPEC 2 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core_search.models import Extraction, LookupMode, MatchedLabel, QueryType, Temporal
from core_search.providers.base import Embedder, ExtractionAnswer, KnownNames, Question
from core_search.router.rules.attributes import noun_asked, stored_key
from core_search.router.rules.dates import DateReading
from core_search.router.rules.facet_words import find_facets
from core_search.router.rules.kinds import Facts
from core_search.router.rules.second_opinion import Opinion, SecondOpinion
from core_search.router.rules.sighting import Sighting, see
from core_search.router.rules.verdict import judged

# Labels this close to the best one are what the query is about as well.
LABEL_MARGIN = 0.05


class RulesExtractor:
    """Reads a query by rules: dates, names, cue words. Deterministic, no network, a few milliseconds."""

    name = "rules"
    model = "rules-1"

    def __init__(self, embedder: Embedder | None = None):
        self._opinion = SecondOpinion(embedder) if embedder else None

    def extract(self, question: Question) -> ExtractionAnswer:
        """The route of a query; never raises for any text. `detail` names the rule that decided."""
        seen = see(question.query, question.now, question.names)
        opinion = self._opinion.of(question.query, seen) if self._opinion else None
        verdict = judged(seen, opinion)
        confidence = verdict.confidence
        if verdict.query_type is None:
            return self._answer(Extraction(should_search=False, confidence=confidence), verdict.rule, seen.dates)
        facts = _completed(seen.facts, verdict.query_type, opinion, question.names)
        extraction = _extraction(question, replace(seen, facts=facts), verdict.query_type, confidence)
        return self._answer(extraction, verdict.rule, seen.dates)

    def _answer(self, extraction: Extraction, rule: str, dates: DateReading) -> ExtractionAnswer:
        detail = {"rule": rule, "dateWords": [list(span) for span in dates.spans]}
        return ExtractionAnswer(extraction=extraction, extractor=self.name, model=self.model, detail=detail)


def _completed(facts: Facts, query_type: QueryType, opinion: Opinion | None, names: KnownNames | None) -> Facts:
    """The facts with the aspects, or the property, that the second opinion reads where no rule found one."""
    if opinion is None:
        return facts
    asks_aspect = query_type is QueryType.ASPECT_QUERY and not facts.aspects
    aspects = opinion.aspects if asks_aspect else facts.aspects
    attribute = facts.attribute
    if attribute is None and opinion.attribute and facts.hints and query_type is QueryType.ENTITY_LOOKUP:
        attribute = stored_key(opinion.attribute, facts.masked, names, facts.hints)
    if attribute is None and query_type is QueryType.ENTITY_LOOKUP:
        attribute = noun_asked(facts.masked)
    return replace(facts, aspects=aspects, attribute=attribute)


def _extraction(question: Question, seen: Sighting, query_type: QueryType, confidence: float) -> Extraction:
    facts = seen.facts
    is_lookup = query_type is QueryType.ENTITY_LOOKUP
    attribute = facts.attribute if is_lookup else None
    counted = query_type is QueryType.TEMPORAL_FACETS
    uses_aspects = query_type in (QueryType.ASPECT_QUERY, QueryType.TEMPORAL)
    return Extraction(
        query_type=query_type,
        aspects=facts.aspects if uses_aspects else (),
        temporal=seen.dates.temporal if counted or seen.is_scope else Temporal(),
        should_search=True,
        entity_hints=_hint_texts(facts, query_type),
        selected_labels=_labels(question.matched_labels),
        lookup_mode=LookupMode.ATTRIBUTE if attribute else LookupMode.BROAD,
        attribute_hint=attribute,
        facets=find_facets(facts.masked, bool(facts.hints)) if counted else (),
        confidence=confidence,
    )


def _hint_texts(facts: Facts, query_type: QueryType) -> tuple[str, ...]:
    if query_type is QueryType.RELATIONSHIP and facts.owner_is_asked:
        return ("I", *facts.hints)
    if query_type is QueryType.ENTITY_LOOKUP and facts.attribute and not facts.hints:
        return ("I",)  # "my shoe size"
    return facts.hints


def _labels(matched: Iterable[MatchedLabel]) -> tuple[str, ...]:
    """The matched labels that the query is about: the best and those close behind it."""
    ranked = sorted(matched, key=lambda label: -label.score)
    return tuple(label.label_name for label in ranked if label.score >= ranked[0].score - LABEL_MARGIN)
