"""Labelled queries: what the router should make of them. JSON Lines, one query a line.

`{"id", "query", "now", "part"?, "tags"?, "expected": {"queryType", "shouldSearch", "start", "end", "entityHints",
"lookupMode", "attributeHint", "aspects", "facets"}}`. `queryType` null: the gate is closed and nothing else is judged.
`start` and `end` are instants of the half-open range; both null: no range. `part` is `tune` for queries that rules
may be written on, `report` for those that are only counted.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import AwareDatetime, ValidationError

from core_search.errors import BundleError, UsageError
from core_search.models import Aspect, Facet, LookupMode, QueryType, Value


class ExpectedRoute(Value):
    """The right route. `aspects` are acceptable ones, any of them will do; empty ones are not judged."""

    query_type: QueryType | None = None
    should_search: bool = True
    start: AwareDatetime | None = None
    end: AwareDatetime | None = None
    entity_hints: tuple[str, ...] = ()
    lookup_mode: LookupMode | None = None
    attribute_hint: str | None = None
    aspects: tuple[Aspect, ...] = ()
    facets: tuple[Facet, ...] = ()


class LabelledQuery(Value):
    id: str
    query: str
    now: AwareDatetime
    part: str = ""
    tags: tuple[str, ...] = ()
    expected: ExpectedRoute


def load_labelled_queries(path: Path) -> tuple[LabelledQuery, ...]:
    """Every query of a file, in its order. All that is wrong with it is told at once, as `BundleError`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read labelled queries {str(path)!r}: {error}; give a JSON Lines file") from None
    return labelled_queries(text, path.name)


def labelled_queries(text: str, name: str) -> tuple[LabelledQuery, ...]:
    """The same from the text of a file of that name."""
    queries: list[LabelledQuery] = []
    problems: list[str] = []
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{name}:{number}"
        try:
            query = LabelledQuery.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            problems.append(f"{place}: line: not JSON, {error.msg}")
            continue
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_input=False):
                problems.append(f"{place}: {'.'.join(map(str, problem['loc']))}: {problem['msg']}")
            continue
        if query.id in seen:
            problems.append(f"{place}: id: {query.id!r} occurs twice")
        seen.add(query.id)
        queries.append(query)
    if problems:
        raise BundleError(problems)
    if not queries:
        raise UsageError(f"{name!r} has no query; a line has at least id, query, now and expected")
    return tuple(queries)
