"""Rules and second opinion weighed: the kind of a query, or that its gate is closed, and how sure that is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core_search.models import QueryType
from core_search.router.rules.confidence import confidence_of
from core_search.router.rules.gate_words import speaks_of_owner
from core_search.router.rules.second_opinion import Opinion, are_key_words
from core_search.router.rules.sighting import Sighting

# How likely a closed gate must be: with a rule that says so, for a question, for key words, which are what people type
# into the search of their own notes, and against a sign of a memory (a name that it knows, "my", "we"). By four-fold
# cross-validation over the examples as many gates are right from .55 to .65, and fewer wrongly closed: a search too
# many costs less than one that is refused.
CLOSED_BY_RULE, CLOSED, CLOSED_KEY_WORDS, CLOSED_AGAINST_SIGNS = 0.2, 0.65, 0.85, 0.8
# What is named without any other sign is looked up; on questions to a story other kinds with a small lead were wrong.
_NAMED, OVERRULING_LEAD_NAMED = "names something", 0.3
# A gate that was left open against doubts is not closed by a low confidence (the threshold of searches is 0.2).
LEAST_OPEN = 0.25
# Rules for a whole text, which are not overruled.
_SURE = frozenset({"small talk", "arithmetic", "a chore that needs no memory"})
# Agents speak of their user, or write more than a line.
_AGENT = re.compile(r"\bthe\s+user|\S[ \t]*\n\s*\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`query_type` is None for a closed gate; `confidence` is the probability that the route is right."""

    query_type: QueryType | None
    rule: str
    confidence: float


def judged(seen: Sighting, opinion: Opinion | None) -> Verdict:
    """Without an opinion the rules alone decide."""
    if opinion is None:
        if seen.closed:
            return Verdict(None, f"closed: {seen.closed}", confidence_of("closed"))
        return Verdict(seen.kind.query_type, seen.kind.rule, confidence_of(seen.kind.rule))
    if opinion.closed >= _needed(seen):
        rule = f"closed: {seen.closed}" if seen.closed else "second opinion: closed"
        return Verdict(None, rule, max(opinion.closed, confidence_of("closed")) if seen.closed else opinion.closed)
    best = opinion.best()
    if seen.kind.rule == _NAMED and opinion.scores[best] - opinion.scores[seen.kind.query_type] < OVERRULING_LEAD_NAMED:
        best = seen.kind.query_type
    rule = seen.kind.rule if best is seen.kind.query_type else f"second opinion: against {seen.kind.rule!r}"
    return Verdict(best, rule, max(opinion.scores[best], LEAST_OPEN))


def _needed(seen: Sighting) -> float:
    if seen.closed:
        return 0.0 if seen.closed in _SURE else CLOSED_BY_RULE
    text = seen.facts.masked
    has_signs = bool(_AGENT.search(text)) or speaks_of_owner(text) or any(hint.how != "new" for hint in seen.hints)
    if has_signs:
        return CLOSED_AGAINST_SIGNS
    return CLOSED_KEY_WORDS if are_key_words(seen.text) else CLOSED
