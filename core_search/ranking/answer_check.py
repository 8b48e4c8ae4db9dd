"""Whether a reranker's answer can be used at all (SPEC 2, stage 3)."""

from __future__ import annotations

import math

from core_search.providers.base import RerankAnswer


def check_answer(answer: RerankAnswer, count: int) -> str | None:
    """Why `answer` is unusable for `count` candidates, or None: every candidate once, each with a score in 0..1."""
    seen: set[int] = set()
    for entry in answer.scores:
        if not 0 <= entry.index < count:
            return f"the answer names candidate {entry.index}, but there are {count}"
        if entry.index in seen:
            return f"the answer names candidate {entry.index} more than once"
        if not math.isfinite(entry.score):
            return f"candidate {entry.index} has the score {entry.score}"
        if not 0 <= entry.score <= 1:
            return f"candidate {entry.index} has the score {entry.score}, outside 0..1"
        seen.add(entry.index)
    if len(seen) < count:
        return f"the answer has {len(seen)} of {count} candidates"
    return None
