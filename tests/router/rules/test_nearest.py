"""Queries without any sign go where their nearest examples are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from core_search.options import REFERENCE_PROFILE
from core_search.providers.base import KnownNames, Question
from core_search.router.rules import RulesExtractor
from core_search.router.rules.exemplars import WORLD
from core_search.router.rules.nearest import WorldOrMemory


class TwoDirections:
    """Questions of the world and texts with "cheese" point one way, everything else the other."""

    model = "two-directions"
    dimension = 2
    profile = REFERENCE_PROFILE

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1.0, 0.0] if text in WORLD or "cheese" in text else [0.0, 1.0] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), 2)


def test_margin_is_the_difference_of_the_nearest() -> None:
    nearest = WorldOrMemory(TwoDirections())
    assert nearest.margin("cheese") == 1.0
    assert nearest.margin("release checklist") == -1.0


def test_only_queries_without_a_sign_are_compared(now: datetime, names: KnownNames) -> None:
    extractor = RulesExtractor(TwoDirections())

    def is_searched(query: str) -> bool:
        return extractor.extract(Question(query, now, "Europe/Lisbon", (), names)).extraction.should_search

    assert not is_searched("is cheese yellow")
    assert is_searched("is the checklist done")
    assert is_searched("does my cheese taste good")  # the owner's
    assert is_searched("cheese of Alice")  # a name of the memory
    assert is_searched("decisions on cheese")  # words of an aspect
    assert is_searched("cheese yesterday")  # a time
