"""What the views of one evaluation draw from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from core_search.evaluation.at_k import ScoresAtK, scores_at
from core_search.evaluation.evaluated_query import EvaluatedQuery
from core_search.evaluation.history import EvaluationRecord, History, Setup
from core_search.evaluation.recorded import differences
from core_search.models import Episode
from core_search.ui.evaluate.sets import SetChoice
from core_search.ui.frame import Page

KEPT_IN_MEMORY = 24  # evaluations with their scores that all sessions share; each has a few megabytes at most


@dataclass(frozen=True)
class EvaluateView:
    """An evaluation, the set that it was made with as it stands now, and the cutoff that is looked at.

    `choice` and `now` are None when the set is gone or has no judgments any more.
    """

    page: Page
    history: History
    record: EvaluationRecord
    k: int
    choice: SetChoice | None
    now: Setup | None

    @cached_property
    def queries(self) -> tuple[EvaluatedQuery, ...]:
        return self._opened[0]

    @cached_property
    def scores(self) -> ScoresAtK:
        return self._opened[1]

    @cached_property
    def by_key(self) -> dict[str, EvaluatedQuery]:
        return {query.key: query for query in self.queries}

    @cached_property
    def changed(self) -> list[str]:
        """How the memory and the judgments differ from those of the evaluation."""
        if self.now is None:
            return []
        found = differences(self.record.setup, self.now)
        return [words for words in found if words.startswith("the ")]

    def episodes(self, ids: list[str]) -> dict[str, Episode]:
        with self.page.engine.memory(self.record.setup.workspace) as memory:
            return dict(memory.stores.graph.episodes(ids))

    @cached_property
    def _opened(self) -> tuple[tuple[EvaluatedQuery, ...], ScoresAtK]:
        database = str(self.page.engine.settings.home)
        opened: tuple[tuple[EvaluatedQuery, ...], ScoresAtK] = _scored(
            database, self.record.id, self.record.done, self.k, self.history
        )
        return opened


def _score(
    home: str, evaluation_id: str, done: int, k: int, _history: History
) -> tuple[tuple[EvaluatedQuery, ...], ScoresAtK]:
    queries = tuple(_history.queries(evaluation_id))
    return queries, scores_at([query.outcome for query in queries], k)


_scored = st.cache_resource(show_spinner=False, max_entries=KEPT_IN_MEMORY)(_score)


def query_id(key: str) -> str:
    """The query's own id, of a key over several workspaces."""
    return key.rpartition("\t")[2]
