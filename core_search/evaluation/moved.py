"""Which queries moved between two evaluations, and whether the difference is more than chance.

Both are scored with the judgments of the later one: a grade that was added in between moves no query.
"""

from __future__ import annotations

from collections.abc import Sequence

from core_search.evaluation.at_k import ScoresAtK, scores_at
from core_search.evaluation.bootstrap import difference_interval
from core_search.evaluation.outcomes import Outcome
from core_search.models import Value

# Values are sums of a few fractions: anything smaller is rounding.
_SAME = 1e-9


class MovedQuery(Value):
    """One query's values by measure, before and after."""

    key: str
    before: dict[str, float]
    after: dict[str, float]

    def by(self, measure: str) -> float:
        """The difference, after minus before; 0.0 when it is only rounding."""
        difference = self.after[measure] - self.before[measure]
        return 0.0 if abs(difference) < _SAME else difference


class Difference(Value):
    """The mean difference of one measure over the queries of both, with its paired 95 % interval."""

    mean: float
    low: float
    high: float


class Moved(Value):
    """`queries` are those that count in both, moved or not; `only_before` and `only_after` cannot be compared."""

    differences: dict[str, Difference]
    queries: tuple[MovedQuery, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    regraded: int  # queries whose judgments are not the same in both

    def moved(self, measure: str) -> tuple[MovedQuery, ...]:
        """Those with a difference, the largest loss first."""
        return tuple(sorted((q for q in self.queries if q.by(measure)), key=lambda q: q.by(measure)))


def moved(before: Sequence[Outcome], after: Sequence[Outcome], k: int) -> Moved:
    """Compare two evaluations query by query."""
    later = {outcome.key: outcome for outcome in after}
    regraded = sum(o.key in later and o.grades != later[o.key].grades for o in before)
    same_grades = [o.model_copy(update={"grades": later[o.key].grades}) if o.key in later else o for o in before]
    then, now = scores_at(same_grades, k, by=()), scores_at(after, k, by=())
    both = [key for key in now.per_query if key in then.per_query]
    return Moved(
        differences=_differences(then, now, both),
        queries=tuple(
            MovedQuery(key=key, before=then.per_query[key].values, after=now.per_query[key].values) for key in both
        ),
        only_before=tuple(key for key in then.per_query if key not in now.per_query),
        only_after=tuple(key for key in now.per_query if key not in then.per_query),
        regraded=regraded,
    )


def _differences(then: ScoresAtK, now: ScoresAtK, both: Sequence[str]) -> dict[str, Difference]:
    found = {}
    for measure in now.measures if both else ():
        after = [now.per_query[key].values[measure] for key in both]
        before = [then.per_query[key].values[measure] for key in both]
        low, high = difference_interval(after, before)
        found[measure] = Difference(mean=(sum(after) - sum(before)) / len(both), low=low, high=high)
    return found
