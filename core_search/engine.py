"""The front door: one search over a workspace, from its request to its result."""

from __future__ import annotations

from datetime import UTC, datetime

from core_search.assemble import assemble
from core_search.context import Context
from core_search.deadline import Deadline
from core_search.errors import ProviderError
from core_search.generation import OpenMemory
from core_search.library import SAMPLE, SAMPLE_DATA, Library
from core_search.models import RouterOutput
from core_search.one_thread import limit_blas
from core_search.options import SearchOptions
from core_search.pasted_keys import without_keys
from core_search.pipeline import not_begun, run
from core_search.providers.build import Providers
from core_search.results import SearchRequest, SearchResult
from core_search.router.route import route
from core_search.router.rules.dates import read_dates
from core_search.settings import Settings
from core_search.trace import StageDraft

__all__ = ["SAMPLE", "SAMPLE_DATA", "OpenMemory", "SearchEngine", "open_workspace"]


class SearchEngine(Library):
    """Searches over the workspaces of one installation. Safe to share between threads; close it when done."""

    def __init__(self, settings: Settings | None = None, providers: Providers | None = None):
        limit_blas()
        super().__init__(settings, providers)

    def __enter__(self) -> SearchEngine:
        return self

    def search(self, request: SearchRequest) -> SearchResult:
        """Run one search. Raises `SearchFailed`, with the trace up to the failure, when a stage fails."""
        request = without_keys(request, self.settings.secrets)
        with self.memory(request.workspace) as memory:
            try:
                context = self.context(memory, request)
            except ProviderError as error:
                raise not_begun(error) from error
            state, recorder = run(context, request)
            return assemble(context, request, state, recorder.trace(), memory.meta.fingerprint)

    def route(self, request: SearchRequest) -> RouterOutput:
        """Only stage 1: what the query is understood as."""
        request = without_keys(request, self.settings.secrets)
        with self.memory(request.workspace) as memory:
            return route(self.context(memory, request), request, StageDraft("route"))[0].output

    def context(self, memory: OpenMemory, request: SearchRequest) -> Context:
        """Everything that is fixed before the first stage."""
        options = self.default_options().with_changes(request.set)
        deadline = Deadline(options.deadline_s)
        query = request.query
        zone = memory.stores.zone
        now = (request.now or memory.meta.header.clock or datetime.now(UTC)).astimezone(zone)
        # Date words say when, not what: they would pull the vector towards texts about dates.
        names = memory.stores.names
        written = names.find_in(query)
        dates = read_dates(query, now, written)
        text = dates.text_without_dates.strip() or query
        return Context(
            query=query,
            query_text=text,
            vector=deadline.run(lambda: self.providers.embedder.embed([text]))[0],
            named=tuple(tuple(names.exact(name)) for name in written),
            now=now,
            options=options,
            stores=memory.stores,
            providers=self.providers,
            deadline=deadline,
        )

    def default_options(self) -> SearchOptions:
        """What a search is set to when nothing is said: the thresholds of the models in use."""
        reranker = self.providers.reranker
        profile = self.providers.embedder.profile.model_dump(exclude={"name"})
        options = SearchOptions(**profile, rerank_floor=reranker.floor, exploratory_floor=reranker.exploratory_floor)
        label = self.settings.label_threshold
        return options if label is None else options.model_copy(update={"label_threshold": label})


def open_workspace(name: str, settings: Settings | None = None) -> SearchEngine:
    """An engine with one workspace opened and checked: the short way in for scripts."""
    engine = SearchEngine(settings)
    with engine.memory(name):
        return engine
