"""How sure a route is where rules alone decide: the share of right routes of a rule on queries that it had not seen.

Each share is drawn towards a prior by five pseudo-counts: `(right + 5 * prior) / (queries + 5)`.
"""

from __future__ import annotations

# By rule: right routes and all routes of labelled queries in the first run after the rules were written.
_FIRST_RUN: dict[str, tuple[int, int]] = {
    "closed": (13, 13),
    "connection of two names": (12, 12),
    "count": (15, 16),
    "overview": (19, 21),
    "property of a named thing": (27, 27),
    "words of an aspect": (51, 56),
    "about a named thing": (6, 6),
    "names something": (13, 16),
    "time": (30, 36),
    "topic": (3, 5),
    "lately": (2, 2),
}
_PSEUDO_COUNTS = 5
_PRIOR = 0.8
# Rules that take what no other rule wanted.
_FALLBACKS = frozenset({"names something", "words of a weak aspect", "topic"})
_FALLBACK_PRIOR = 0.6


def confidence_of(rule: str) -> float:
    """The probability that a route decided by `rule` is right, 0 to 1."""
    right, queries = _FIRST_RUN.get(rule, (0, 0))
    prior = _FALLBACK_PRIOR if rule in _FALLBACKS else _PRIOR
    return (right + _PSEUDO_COUNTS * prior) / (queries + _PSEUDO_COUNTS)
