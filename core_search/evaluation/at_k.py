"""The five numbers of an evaluation at a cutoff k: nDCG, recall, precision, reciprocal rank, and what is judged."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.evaluation.measures import QueryScores, score_queries
from core_search.evaluation.outcomes import Outcome
from core_search.evaluation.retrieval_report import GROUPINGS, Breakdown, breakdown
from core_search.models import Value

CUTOFFS = (1, 3, 5, 10, 20)
DEFAULT_K = 10


class ScoresAtK(Value):
    """`measures` are named for a cutoff; reciprocal rank has none and looks at the whole kept ranking."""

    k: int
    measures: tuple[str, ...]
    breakdown: Breakdown
    per_query: dict[str, QueryScores]  # by key; only queries that count


def measures_at(k: int) -> tuple[str, ...]:
    return (f"nDCG@{k}", f"R@{k}", f"P@{k}", "RR", f"Judged@{k}")


def scores_at(outcomes: Sequence[Outcome], k: int, by: Sequence[str] = GROUPINGS) -> ScoresAtK:
    """Score the queries that ran and have a relevant item; the others are in no mean (`measures`)."""
    counting = [outcome for outcome in outcomes if outcome.counts]
    grades = {outcome.key: outcome.grades for outcome in counting}
    rankings = {outcome.key: outcome.ranking for outcome in counting}
    _, per_query = score_queries(grades, rankings, measures_at(k))
    return ScoresAtK(k=k, measures=measures_at(k), breakdown=breakdown(counting, per_query, by), per_query=per_query)
