"""How far reviewers agree: Cohen's weighted kappa for two (scikit-learn), Krippendorff's alpha for more (krippendorff).

Both weigh a difference by its size: kappa with quadratic weights, alpha with its ordinal distance. Only items that
both, or at least two, have graded count; "cannot judge" is no grade. The 95 % interval is a percentile bootstrap over
items (Efron 1979); resamples in which the measure is not defined are left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core_search.judgments.values import GRADES, Grade, ItemKey, Verdict

RESAMPLES = 500  # half a second for kappa; the ends move by less than .02 from seed to seed at 100 items
SEED = 20_240_229  # any fixed number: the same grades give the same interval
MINIMUM_ITEMS = 2  # one item has no chance agreement to compare with
_CELLS = [(first, second) for first in GRADES for second in GRADES]

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One measure over `items` cards. Without a value, `undefined` says why."""

    measure: str
    reviewers: tuple[str, ...]
    items: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A card whose grades differ. `spread` is the distance from the lowest grade to the highest."""

    key: ItemKey
    grades: tuple[Grade, ...]
    spread: int


def graded(grades: Iterable[Grade]) -> dict[ItemKey, dict[str, int]]:
    """Grades by card and reviewer."""
    table: dict[ItemKey, dict[str, int]] = {}
    for grade in grades:
        if grade.verdict is Verdict.GRADED and grade.grade is not None:
            table.setdefault(grade.key, {})[grade.reviewer] = grade.grade
    return table


def agreement(grades: Iterable[Grade]) -> Agreement | None:
    """Kappa when two reviewers share cards, alpha when more do; None when fewer than two graded anything."""
    table = graded(grades)
    reviewers = sorted({reviewer for row in table.values() for reviewer in row})
    if len(reviewers) < 2:
        return None
    return _kappa_of(table, reviewers[0], reviewers[1]) if len(reviewers) == 2 else _alpha_of(table, reviewers)


def pairwise(grades: Iterable[Grade]) -> list[Agreement]:
    """Kappa of every two reviewers who share cards."""
    table = graded(grades)
    reviewers = sorted({reviewer for row in table.values() for reviewer in row})
    pairs = (_kappa_of(table, one, other) for one, other in combinations(reviewers, 2))
    return [pair for pair in pairs if pair.items]


def disagreements(grades: Iterable[Grade], settled: Iterable[ItemKey] = ()) -> list[Disagreement]:
    """Cards with differing grades that are not settled, the widest apart first."""
    done = set(settled)
    by_card: dict[ItemKey, list[Grade]] = {}
    for grade in grades:
        if grade.verdict is Verdict.GRADED and grade.key not in done:
            by_card.setdefault(grade.key, []).append(grade)
    found = []
    for key, said in by_card.items():
        values = [grade.grade for grade in said if grade.grade is not None]
        if len(set(values)) > 1:
            found.append(Disagreement(key, tuple(said), max(values) - min(values)))
    return sorted(found, key=lambda one: (-one.spread, one.key))


def weighted_kappa(pairs: Sequence[tuple[int, int]], reviewers: Sequence[str] = ("", "")) -> Agreement:
    """Cohen's kappa with quadratic weights over pairs of grades for the same card."""
    counts = np.array([pairs.count(cell) for cell in _CELLS], dtype=np.int64)
    bare = Agreement("kappa", tuple(reviewers), len(pairs))

    def drawn(rng: np.random.Generator) -> Counts:
        # Drawing pairs with replacement is drawing their counts from a multinomial.
        return rng.multinomial(len(pairs), counts / len(pairs))

    return _with_interval(bare, counts, _kappa, drawn)


def alpha(ratings: Sequence[Sequence[int]], reviewers: Sequence[str] = ()) -> Agreement:
    """Krippendorff's ordinal alpha over the grades of each card; cards with fewer than two are left out."""
    rows = [[list(row).count(grade) for grade in GRADES] for row in ratings if len(row) > 1]
    counts = np.array(rows, dtype=np.int64).reshape(-1, len(GRADES))
    bare = Agreement("alpha", tuple(reviewers), len(rows))

    def drawn(rng: np.random.Generator) -> Counts:
        return counts[rng.integers(0, len(counts), len(counts))]

    return _with_interval(bare, counts, _alpha, drawn)


def _kappa_of(table: Mapping[ItemKey, Mapping[str, int]], one: str, other: str) -> Agreement:
    pairs = [(row[one], row[other]) for row in table.values() if one in row and other in row]
    return weighted_kappa(pairs, (one, other))


def _alpha_of(table: Mapping[ItemKey, Mapping[str, int]], reviewers: Sequence[str]) -> Agreement:
    return alpha([list(row.values()) for row in table.values()], reviewers)


def _with_interval(
    bare: Agreement,
    counts: Counts,
    measure: Callable[[Counts], float | None],
    drawn: Callable[[np.random.Generator], Counts],
) -> Agreement:
    names, items = bare.reviewers, bare.items
    if items < MINIMUM_ITEMS:
        reason = f"at least {MINIMUM_ITEMS} items that two reviewers graded are needed"
        return Agreement(bare.measure, names, items, undefined=reason)
    value = measure(counts)
    if value is None:
        reason = "everything has one and the same grade: chance alone would agree as well"
        return Agreement(bare.measure, names, items, undefined=reason)
    rng = np.random.default_rng(SEED)
    resampled = [again for _ in range(RESAMPLES) if (again := measure(drawn(rng))) is not None]
    low, high = np.quantile(resampled, (0.025, 0.975)) if resampled else (value, value)
    return Agreement(bare.measure, names, items, value, float(low), float(high))


def _kappa(counts: Counts) -> float | None:
    from sklearn.metrics import cohen_kappa_score  # a second of import that only this needs

    used = np.flatnonzero(counts)
    if len(used) == 1 and len(set(_CELLS[used[0]])) == 1:
        return None
    first, second = zip(*_CELLS, strict=True)
    return float(cohen_kappa_score(first, second, labels=GRADES, weights="quadratic", sample_weight=counts))


def _alpha(counts: Counts) -> float | None:
    import krippendorff

    used = counts.any(axis=0)
    if used.sum() < 2:
        return None
    return float(krippendorff.alpha(value_counts=counts, value_domain=GRADES, level_of_measurement="ordinal"))
