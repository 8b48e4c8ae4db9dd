from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core_search.comparison.report import compare
from core_search.evidence import comparison_html, run_html


class Tags(HTMLParser):
    """Every tag, and every attribute that could load or run something."""

    def __init__(self, page: str):
        super().__init__()
        self.names: set[str] = set()
        self.loads: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.names.add(tag)
        self.loads += [(name, value) for name, value in attributes if name in ("src", "href") or name.startswith("on")]


@pytest.fixture(params=["run", "comparison"])
def page(request, sides):
    def write(texts: bool = True) -> str:
        if request.param == "run":
            return run_html(sides[0], texts)
        return comparison_html(sides, compare(sides), texts)

    return write


def test_it_runs_nothing_and_loads_nothing(page):
    tags = Tags(page())
    assert tags.loads == []
    assert not tags.names & {"script", "img", "link", "iframe", "object", "embed", "form", "base", "svg"}
    assert "default-src 'none'" in page()


def test_texts_are_shown_as_text(page):
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page()
    assert "&lt;b&gt;soup&lt;/b&gt;" in page()


def test_texts_can_be_left_out(page):
    written = page(texts=False)
    for word in ("soup", "secretword", "Ann Lee", "cooking", "HYPERLINK"):
        assert word not in written
    assert "h1" in written  # ids stay


def test_a_failed_search_is_said_to_have_failed(sides):
    failed = replace(sides[0], result=None, error="<i>the disk</i> is gone")
    written = run_html(failed)
    assert "did not run to its end" in written
    assert "&lt;i&gt;the disk" in written
    assert "the disk" not in run_html(failed, texts=False)
    assert "did not run" in comparison_html([sides[1], failed], compare([sides[1], failed]))
