"""Ways to run the same query: the whole pipeline, and the pipeline with a part taken out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core_search.assemble import assemble
from core_search.engine import SearchEngine
from core_search.evaluation.no_statements import LexicalWithoutStatements, VectorsWithoutStatements
from core_search.ingest.values import Query
from core_search.models import QueryType
from core_search.pipeline import run
from core_search.results import SearchRequest, SearchResult
from core_search.stores.base import LexicalField

# A ranked run (SPEC 6): neither floor nor token budget cuts it. Session documents share the limit with episodes and
# are no answer here, so the limit leaves room for all of them; the caller cuts at its depth.
RANKED: Mapping[str, Any] = {"limit": 10_000, "token_budget": 2**31 - 1, "rerank_floor": 0.0, "exploratory_floor": 0.0}


@dataclass(frozen=True)
class Variant:
    """A name, what it says in words, and what it changes. A `router_output` stands in for the extraction."""

    name: str
    says: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    router_output: Mapping[str, Any] | None = None
    statements: bool = True


def fixed_route(query_type: QueryType) -> dict[str, Any]:
    """An extraction that says nothing of the query: a type, no aspects, hints, labels or time."""
    return {"queryType": query_type.value, "shouldSearch": True, "confidence": 1.0}


FULL = Variant("full", "the whole pipeline")
ABLATIONS: Sequence[Variant] = (
    FULL,
    Variant("no rerank", "the order of the handler's paths, then of the backstop", {"rerank": False}),
    Variant("no backstop", "candidates of the handler alone", {"backstop": False}),
    Variant("no labels", "no label matches, so none scopes the search", {"label_threshold": 1.0}),
    Variant("no statements", "no statement finds or scores an episode by vector or BM25", statements=False),
    Variant(
        "router by hand",
        "every query is an aspect_query without aspects, hints, labels or time: its content alone",
        router_output=fixed_route(QueryType.ASPECT_QUERY),
    ),
    Variant(
        "router exploratory",
        "every query is exploratory, without hints, labels or time",
        router_output=fixed_route(QueryType.EXPLORATORY),
    ),
)


def request_of(
    workspace: str, query: Query, variant: Variant = FULL, changes: Mapping[str, Any] | None = None
) -> SearchRequest:
    """What a variant asks for. `changes` are settings by name; those of the variant go before them."""
    return SearchRequest(
        query=query.query,
        workspace=workspace,
        now=query.now,
        set={**(changes or {}), **variant.changes},
        router_output=variant.router_output,
    )


def search(
    engine: SearchEngine,
    workspace: str,
    query: Query,
    variant: Variant = FULL,
    changes: Mapping[str, Any] | None = None,
) -> SearchResult:
    """One query in one variant, with its trace."""
    request = request_of(workspace, query, variant, changes)
    if variant.statements:
        return engine.search(request)
    with engine.memory(workspace) as memory:
        context = engine.context(memory, request)
        stores = replace(
            context.stores,
            vectors=VectorsWithoutStatements(context.stores.vectors),
            lexical=LexicalWithoutStatements(context.stores.lexical),
        )
        context = replace(context, stores=stores)
        state, recorder = run(context, request)
        return assemble(context, request, state, recorder.trace(), memory.meta.fingerprint)


def episodes_of(result: SearchResult, depth: int) -> tuple[str, ...]:
    """The first `depth` episodes of a result, best first; session documents are not judged."""
    return tuple(episode.uuid for episode in result.episodes if episode.kind == "episode")[:depth]


def bm25_alone(
    engine: SearchEngine, workspace: str, queries: Iterable[Query], depth: int
) -> dict[str, tuple[str, ...]]:
    """The baseline: BM25 of the query's text over the episodes' texts, by query id."""
    with engine.memory(workspace) as memory:
        lexical = memory.stores.lexical
        return {
            query.id: tuple(id_ for id_, _ in lexical.search(LexicalField.EPISODE, query.query, depth))
            for query in queries
        }
