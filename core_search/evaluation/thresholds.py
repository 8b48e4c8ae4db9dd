"""The table behind the cosine thresholds of an embedding profile: right and wrong pairs, a rule, and what it gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core_search.engine import SearchEngine
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.pairs import Pairs, hint_pairs, query_pairs
from core_search.models import Value

PERCENTILES = (1, 3, 5, 10, 25, 50, 75, 90, 95, 99)


class ThresholdRow(Value):
    """One threshold: the pairs' percentiles, what the rule gives, and what the value in use keeps and lets pass."""

    setting: str
    pairs: str
    rule: str
    right: int
    wrong: int
    right_percentiles: dict[str, float]
    wrong_percentiles: dict[str, float]
    by_rule: float | None  # None without pairs
    in_use: float
    keeps_right: float
    passes_wrong: float


def keeps(share: float) -> Callable[[Pairs], float]:
    """The highest hundredth that keeps `share` of the right pairs."""
    return lambda pairs: math.floor(float(np.quantile(pairs.right, 1 - share)) * 100) / 100


def refuses(share: float) -> Callable[[Pairs], float]:
    """The lowest hundredth that refuses `share` of the wrong pairs."""
    return lambda pairs: math.ceil(float(np.quantile(pairs.wrong, share)) * 100) / 100


def parts(pairs: Pairs) -> float:
    """The hundredth that parts them best: most right pairs kept less wrong pairs passed (Youden's index)."""
    right, wrong = np.array(pairs.right), np.array(pairs.wrong)
    grid = np.arange(-100, 101) / 100
    return float(max(grid, key=lambda value: (right >= value).mean() - (wrong >= value).mean()))


# Setting, pairs, rule in words, rule. What a later stage judges again is cut by what must not be lost; what decides by
# itself (an entity, a label that nobody chose) is cut by what must not come in; in between, what parts the two best.
RULES: Sequence[tuple[str, str, str, Callable[[Pairs], float]]] = (
    ("label_threshold", "label", "parts right from wrong best; the extractor chooses among what passes", parts),
    ("label_fallback", "label", "refuses 99 % of the wrong ones; the label scopes the search unseen", refuses(0.99)),
    ("hint_threshold", "hint", "refuses 95 % of the nearest wrong ones", refuses(0.95)),
    ("lookup_threshold", "hint", "refuses 99 % of the nearest wrong ones; the entity is the answer", refuses(0.99)),
    ("episode_threshold", "episode", "keeps 90 % of the right ones; the reranker judges them again", keeps(0.90)),
    ("voice_threshold", "voice", "parts right from wrong best", parts),
)


def threshold_table(engine: SearchEngine, sets: Sequence[JudgedSet]) -> tuple[ThresholdRow, ...]:
    """A row a threshold, over the pairs of all sets together."""
    found = {"label": Pairs(), "episode": Pairs(), "voice": Pairs(), "hint": Pairs()}
    for judged in sets:
        for kind, pairs in query_pairs(engine, judged).items():
            found[kind] = found[kind].plus(pairs)
        found["hint"] = found["hint"].plus(hint_pairs(engine, judged.workspace))
    profile = engine.providers.embedder.profile.model_dump()
    return tuple(_row(setting, kind, says, rule, found, profile[setting]) for setting, kind, says, rule in RULES)


def _row(
    setting: str, kind: str, says: str, rule: Callable[[Pairs], float], found: Mapping[str, Pairs], in_use: float
) -> ThresholdRow:
    pairs = found[kind]
    return ThresholdRow(
        setting=setting,
        pairs=kind,
        rule=says,
        right=len(pairs.right),
        wrong=len(pairs.wrong),
        right_percentiles=_percentiles(pairs.right),
        wrong_percentiles=_percentiles(pairs.wrong),
        by_rule=rule(pairs) if pairs.right and pairs.wrong else None,
        in_use=in_use,
        keeps_right=_share(pairs.right, in_use),
        passes_wrong=_share(pairs.wrong, in_use),
    )


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    return {str(p): float(v) for p, v in zip(PERCENTILES, np.percentile(values, PERCENTILES), strict=True)}


def _share(values: Sequence[float], threshold: float) -> float:
    return sum(value >= threshold for value in values) / len(values) if values else 0.0
