"""Stage 2: one handler per query type. A new type is a member of `QueryType`, a file here and a line below."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from core_search.context import Context, Routed
from core_search.handlers import (
    aspect_query,
    entity_lookup,
    exploratory,
    relationship,
    temporal,
    temporal_facets,
)
from core_search.handlers.answer import Handled
from core_search.models import QueryType
from core_search.trace import StageDraft

Handler = Callable[[Context, Routed, StageDraft], Handled]

HANDLERS: Mapping[QueryType, Handler] = MappingProxyType(
    {
        QueryType.ASPECT_QUERY: aspect_query.handle,
        QueryType.ENTITY_LOOKUP: entity_lookup.handle,
        QueryType.TEMPORAL: temporal.handle,
        QueryType.TEMPORAL_FACETS: temporal_facets.handle,
        QueryType.EXPLORATORY: exploratory.handle,
        QueryType.RELATIONSHIP: relationship.handle,
    }
)
