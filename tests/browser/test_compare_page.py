"""Compare and fork, as a person does it: a wrong label, fate, remedy, the difference, and a link for somebody else."""

from __future__ import annotations

import json

import pytest

COMPARE = "Compare"


def compared(visitor, path: str = COMPARE):
    visitor.open(path)
    visitor.page.wait_for_selector(".st-key-compare_overview")
    return visitor.settled()


def is_calm(visitor) -> None:
    """The visitor's, but a page that is opened by its own address asks for its health at a wrong place first."""
    visitor.errors[:] = [text for text in visitor.errors if "404" not in text]
    visitor.is_calm()


def test_the_first_visit_needs_no_explanation(visit):
    visitor = compared(visit())
    for words in ("What was asked otherwise", "B against A:", "Where they part", "Ranks from run to run"):
        assert words in visitor.text
    assert "rerank" in visitor.text
    is_calm(visitor)


@pytest.mark.parametrize("width", [1440, 800])
def test_it_fits_the_window(visit, width):
    visitor = compared(visit(viewport={"width": width, "height": 900}))
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    is_calm(visitor)


def test_the_link_shows_somebody_else_the_same(visit):
    one = compared(visit())
    other = compared(visit(), f"{COMPARE}?runs={one.parameter('runs')}")
    assert other.parameter("runs") == one.parameter("runs")
    assert other.page.locator(".st-key-compare_overview").inner_text() == (
        one.page.locator(".st-key-compare_overview").inner_text()
    )


def test_a_run_opens_at_the_stage_where_they_part(visit):
    visitor = compared(visit())
    runs = visitor.parameter("runs").split(",")
    visitor.page.get_by_text("Open B at").click()
    visitor.page.wait_for_selector(".st-key-stage_strip")
    visitor.settled()
    assert visitor.parameter("run") == runs[1]
    assert visitor.parameter("stage")
    is_calm(visitor)


def test_the_page_is_handed_on_as_a_file(visit, tmp_path):
    visitor = compared(visit())
    visitor.page.locator(".st-key-compare_hand_on button").click()
    visitor.settled()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="HTML").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    visitor.page.goto(path.as_uri())
    assert "What came back otherwise" in visitor.page.inner_text("body")
    assert visitor.page.locator("script, img, link").count() == 0


def test_fork_fate_remedy_and_comparison(visit):
    visitor = visit().open()
    whole = visitor.parameter("run")
    visitor.page.locator(".st-key-fork_panel summary").click()
    visitor.settled()
    # A wrong label: the cooking one for a question about code reviews.
    visitor.page.get_by_role("combobox", name="Labels to search in").click()
    visitor.page.get_by_role("option", name="cooking").click()
    visitor.page.keyboard.press("Escape")
    visitor.page.get_by_text("backstop", exact=True).first.click()
    visitor.page.get_by_role("button", name="Run the fork").click()
    visitor.page.wait_for_selector(".st-key-parent_difference")
    visitor.settled()
    forked = visitor.parameter("run")
    assert forked != whole
    assert "Against the run it was forked from" in visitor.text
    assert "part at Route" in visitor.text
    # Fate names the scope, and the remedy brings the item back.
    visitor.page.goto(f"{visitor.address}/?run={forked}&item=episode:e1")
    visitor.page.wait_for_selector(".st-key-find_remedy")
    visitor.settled()
    visitor.page.locator(".st-key-find_remedy button").first.click()
    visitor.page.wait_for_selector(".st-key-apply_remedy")
    visitor.settled()
    assert "label" in visitor.page.locator(".st-key-detail").inner_text()
    visitor.page.locator(".st-key-apply_remedy button").first.click()
    visitor.page.wait_for_function(f"!location.search.includes('{forked}')")
    visitor.settled()
    assert "Returned as number" in visitor.page.locator(".st-key-detail").inner_text()
    # And the comparison of the wrong one with the whole one parts at the route.
    compared(visitor, f"{COMPARE}?runs={whole},{forked}")
    assert "Open A at Route" in visitor.text
    is_calm(visitor)


def test_export_gives_spans(visit, tmp_path):
    visitor = visit().open()
    visitor.page.get_by_role("button", name="Export").click()
    visitor.settled()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="OpenTelemetry").click()
    path = tmp_path / "spans.json"
    download.value.save_as(path)
    spans = json.loads(path.read_text("utf-8"))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["name"] == "retrieval"
    is_calm(visitor)
