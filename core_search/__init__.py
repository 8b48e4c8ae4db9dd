"""A search inspector for agent memory: the CORE V2 pipeline with every stage in the open."""

from core_search.engine import SearchEngine, open_workspace
from core_search.errors import CoreSearchError
from core_search.results import SearchRequest, SearchResult
from core_search.settings import Settings
from core_search.trace import Trace

__all__ = [
    "CoreSearchError",
    "SearchEngine",
    "SearchRequest",
    "SearchResult",
    "Settings",
    "Trace",
    "open_workspace",
]
