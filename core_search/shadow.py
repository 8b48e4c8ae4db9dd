"""What each of the other handlers would have returned for the same query."""

from __future__ import annotations

from core_search.answers import items_of
from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.forks import QUERY_TYPE, fork
from core_search.models import QueryType, Value
from core_search.results import SearchRequest, SearchResult


class ShadowResult(Value):
    """What another handler returns for the same extraction. Counts are of items; exactly one of `result`, `error`."""

    query_type: QueryType
    result: SearchResult | None = None
    error: str | None = None
    shared: int = 0  # items that both have
    only_here: int = 0
    only_original: int = 0


def shadow(engine: SearchEngine, request: SearchRequest, result: SearchResult) -> tuple[ShadowResult, ...]:
    """The other five query types with everything else the same, in the order of `QueryType`."""
    before = items_of(result)
    shadows = []
    for query_type in QueryType:
        if query_type is result.router.query_type:
            continue
        try:
            other = engine.search(fork(result, request, {QUERY_TYPE: query_type}))
        except CoreSearchError as error:
            shadows.append(ShadowResult(query_type=query_type, error=str(error), only_original=len(before)))
            continue
        after = items_of(other)
        shadows.append(
            ShadowResult(
                query_type=query_type,
                result=other,
                shared=len(before & after),
                only_here=len(after - before),
                only_original=len(before - after),
            )
        )
    return tuple(shadows)
