"""The gate between routing and searching (SPEC 2, "The gate")."""

from __future__ import annotations

from core_search.models import RouterOutput
from core_search.results import GateDecision


def decide(output: RouterOutput, threshold: float, force: bool | None = None) -> GateDecision:
    """Search when the route says so and is sure enough; `force` overrides it."""
    sure = output.confidence >= threshold
    is_open = (output.should_search and sure) if force is None else force
    if force is not None:
        reason = f"forced {'open' if force else 'closed'} by the caller"
    elif not output.should_search:
        reason = "the route says that the memory has nothing to add to this query"
    elif not sure:
        reason = f"confidence {output.confidence:.4g} is under {threshold:g}"
    else:
        reason = f"confidence {output.confidence:.4g} reaches {threshold:g}"
    return GateDecision(open=is_open, reason=reason, confidence=output.confidence, threshold=threshold)
