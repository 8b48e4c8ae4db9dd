"""What a handler returns: rows for the ranking, and the answers beside them."""

from __future__ import annotations

from dataclasses import dataclass

from core_search.context import Row
from core_search.stores.base import FacetCounts


@dataclass(frozen=True, slots=True)
class PickedAttribute:
    """The attribute of an entity that answers the query."""

    entity: str
    key: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Handled:
    """`rows` has everything that the paths found, path by path, kept and dropped."""

    rows: tuple[Row, ...] = ()
    entity: PickedAttribute | None = None
    facets: FacetCounts | None = None
