"""Two searches in a memory whose texts want to break whatever shows them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core_search import SearchEngine, Settings
from core_search.comparison.side import Side, side_of_result
from tests.small import ask, bundle, episode, route

HOSTILE = "<script>alert(1)</script><img src=https://example.com/x onerror=alert(1)> soup secretword"


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Side]]:
    texts = (episode("h1", HOSTILE, 2), episode("h2", '=HYPERLINK("https://example.com") soup', 3))
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle("hostile", episodes=texts, statements=(), documents=()))
        query = "<b>soup</b> for Ann Lee"
        output = route("exploratory", entityHints=["Ann Lee"])
        results = [ask(engine, "hostile", query, output, **changes) for changes in ({}, {"limit": 1})]
        yield [side_of_result(result, name) for result, name in zip(results, "AB", strict=True)]
