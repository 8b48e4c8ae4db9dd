"""Queries with their judgments about one workspace: what an evaluation runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core_search.engine import SearchEngine
from core_search.errors import UsageError
from core_search.evaluation.qrels import Qrels, qrels_of
from core_search.ingest.values import Query
from core_search.workspace import read_query_set

# LoCoMo's adversarial questions: nothing in the memory answers them, so there is nothing to find.
EXCLUDED_TAGS = ("category-5",)


@dataclass(frozen=True)
class JudgedSet:
    """Queries and grades by query id and episode uuid. Queries without judgments are not run."""

    workspace: str
    queries: tuple[Query, ...]
    qrels: Qrels

    def without_tags(self, tags: Sequence[str]) -> JudgedSet:
        kept = tuple(query for query in self.queries if not set(tags) & set(query.tags))
        return JudgedSet(self.workspace, kept, self.qrels)

    def judged(self) -> Iterator[tuple[Query, Mapping[str, int]]]:
        """Each query that has judgments, with its grades by item."""
        for query in self.queries:
            if query.id in self.qrels:
                yield query, self.qrels[query.id]


def stored_set(engine: SearchEngine, workspace: str) -> JudgedSet:
    """The query set that a workspace was loaded with."""
    with engine.memory(workspace) as memory:
        queries, judgments = read_query_set(memory.generation)
    if not queries or not judgments:
        raise UsageError(
            f"workspace {workspace!r} was loaded without judged queries; give --queries FILE and --qrels FILE, or load "
            "a bundle with queries.jsonl and qrels.txt"
        )
    return JudgedSet(workspace, queries, qrels_of(judgments))
