"""A small memory that was searched, and a judged one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from core_search import SearchEngine, SearchResult, Settings
from core_search.comparison.side import Side, side_of_result
from core_search.ingest.values import Qrel, Query
from tests.small import ask, bundle, route

QUERIES = (
    Query(id="q1", query="small pull requests"),
    Query(id="q2", query="soup recipe"),
    Query(id="q3", query="nothing relevant here"),
)
QRELS = (
    Qrel(query_id="q1", doc_id="e1", grade=2),
    Qrel(query_id="q2", doc_id="e4", grade=2),
    Qrel(query_id="q3", doc_id="e6", grade=0),
)


@pytest.fixture(scope="module")
def searching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle().model_copy(update={"queries": QUERIES, "qrels": QRELS}))
        yield engine


@pytest.fixture(scope="module")
def side(searching: SearchEngine) -> Callable[..., Side]:
    """`side("A", limit=1)` is a search for code review, as that side."""

    def search(name: str, output: dict[str, object] | None = None, **changes: object) -> Side:
        chosen = output or route("aspect_query", aspects=["Preference", "Belief"], selectedLabels=["code-review"])
        result: SearchResult = ask(searching, "small", "code review", chosen, **changes)
        return side_of_result(result, name)

    return search
