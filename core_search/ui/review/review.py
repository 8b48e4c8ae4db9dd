"""What every view of the Review page is given."""

from __future__ import annotations

from dataclasses import dataclass

from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import QuerySet
from core_search.ui.frame import Page


@dataclass(frozen=True)
class Review:
    """The page, what is kept, and the chosen set with its queries."""

    page: Page
    store: JudgmentStore
    query_set: QuerySet

    def label(self, grade: int) -> str:
        """A grade in the words of the set."""
        return f"{grade} {self.query_set.labels[grade]}"
