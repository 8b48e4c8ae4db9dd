"""How sure a route is: the share of right routes of the rule that decided, as the router report counts it by rule.

Rules that were written on the tuning part are right on nearly all of it, so each share is drawn towards a prior by
five pseudo-counts: `(right + 5 * prior) / (queries + 5)`. The report has the reliability on queries that were not
tuned on.
"""

from __future__ import annotations

# By rule: right routes and all routes of the tuning part of the labelled queries.
_TUNED: dict[str, tuple[int, int]] = {
    "words of an aspect": (34, 34),
    "property of a named thing": (15, 15),
    "about a named thing": (10, 10),
    "names something": (1, 1),
    "time": (26, 26),
    "count": (14, 14),
    "overview": (14, 14),
    "connection of two names": (12, 12),
    "closed": (14, 14),
}
_PSEUDO_COUNTS = 5
_PRIOR = 0.8
# Rules that take what no other rule wanted.
_FALLBACKS = frozenset({"names something", "words of a weak aspect", "topic"})
_FALLBACK_PRIOR = 0.6


def confidence_of(rule: str) -> float:
    """The probability that a route decided by `rule` is right, 0 to 1."""
    right, queries = _TUNED.get(rule, (0, 0))
    prior = _FALLBACK_PRIOR if rule in _FALLBACKS else _PRIOR
    return (right + _PSEUDO_COUNTS * prior) / (queries + _PSEUDO_COUNTS)
