"""One judged query evaluated in both ways: its ranking for the measures, and what a user's search lost on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core_search.engine import SearchEngine
from core_search.evaluation.losses import QueryLosses, losses_of_query
from core_search.evaluation.outcomes import DEPTH, Outcome, run_query
from core_search.evaluation.qrels import relevant
from core_search.ingest.values import Query
from core_search.models import Value


class EvaluatedQuery(Value):
    """`outcome` is of the ranking without floors and budget (SPEC 6), `losses` of the search as a user gets it.

    `losses` is None when nothing is relevant: then there is nothing to lose.
    """

    outcome: Outcome
    losses: QueryLosses | None = None

    @property
    def key(self) -> str:
        return self.outcome.key


def evaluate_query(
    engine: SearchEngine,
    workspace: str,
    query: Query,
    grades: Mapping[str, int],
    changes: Mapping[str, Any] | None = None,
    depth: int = DEPTH,
) -> EvaluatedQuery:
    """Search twice: ranked to `depth` episodes, and with every cut."""
    outcome = run_query(engine, workspace, query, grades, changes=changes, depth=depth)
    lost = losses_of_query(engine, workspace, query, grades, changes) if relevant(grades) else None
    return EvaluatedQuery(outcome=outcome, losses=lost)
