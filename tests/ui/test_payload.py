from __future__ import annotations

import pytest

from core_search import SearchRequest
from core_search.ui import payload
from tests.small import route


@pytest.mark.parametrize(
    ("query", "output", "parts"),
    [
        (
            "does Max prefer small pull requests",
            route("aspect_query", aspects=["Preference"]),
            ["## Episodes", "## In the owner's words"],
        ),
        (
            "Ann Lee birthday",
            route("entity_lookup", entityHints=["Ann Lee"], lookupMode="attribute", attributeHint="birthday"),
            ["## Ann Lee (Person)", "- **birthday**: 1990-05-01"],
        ),
        (
            "how does Ann Lee know Bob Stone",
            route("relationship", entityHints=["Ann Lee", "Bob Stone"]),
            ["## Facts", "Ann Lee knows Bob Stone."],
        ),
        ("topics", route("temporal_facets"), ["## Counts", "### Topics", "- code-review: 3"]),
        ("hello", route("exploratory", shouldSearch=False), ["Nothing was searched"]),
    ],
)
def test_markdown_has_what_the_result_has(shared, query, output, parts):
    result = shared.search(SearchRequest(query=query, workspace="sample", router_output=output))
    text = payload.as_markdown(result)
    assert text.startswith(f"# Memory: {query}\n")
    for part in parts:
        assert part in text


def test_json_is_the_wire_format_without_the_trace(shared):
    result = shared.search(SearchRequest(query="code review", workspace="sample"))
    wire = payload.as_json(result)
    assert "trace" not in wire
    assert wire["gate"]["open"] is True
    assert {"query", "workspace", "now", "router", "episodes", "budget", "degraded"} <= set(wire)
