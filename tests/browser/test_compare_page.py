"""Compare and fork, as a person does it: a wrong label, fate, remedy, the difference, and a link for somebody else."""

from __future__ import annotations

import json
import re

import pytest

from core_search import SearchEngine, Settings
from core_search.comparison.set_runs import KeptSets
from core_search.comparison.set_spec import Configuration, SetSpec
from core_search.database import Database
from core_search.ingest.values import Qrel, Query
from tests.small import bundle

COMPARE = "Compare"
QUESTIONS = (
    "my view on code review",
    "who plays chess",
    "what does the soup need",
    "how do Ann and Bob know each other",
)


def compared(visitor, path: str = COMPARE):
    visitor.open(path)
    visitor.page.wait_for_selector(".st-key-compare_overview")
    return visitor.settled()


def is_calm(visitor) -> None:
    """The visitor's, but a page that is opened by its own address asks for its health at a wrong place first."""
    visitor.errors[:] = [text for text in visitor.errors if "404" not in text]
    visitor.is_calm()


def is_calm_but_for(visitor, address: str) -> None:
    visitor.outside.remove(address)
    assert visitor.outside == []


def test_the_first_visit_needs_no_explanation(visit):
    visitor = compared(visit())
    for words in ("What was asked otherwise", "B against A:", "Where they part", "Ranks from run to run"):
        assert words in visitor.text
    # Streamlit's own CSV of a table would carry formulas out.
    visitor.page.locator(".st-key-compare_table").hover()
    assert not visitor.page.get_by_label("Download as CSV").is_visible()
    assert "rerank" in visitor.text
    is_calm(visitor)


@pytest.mark.parametrize("width", [1440, 800])
def test_it_fits_the_window(visit, width):
    visitor = compared(visit(viewport={"width": width, "height": 900}))
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    is_calm(visitor)


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
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.context.set_offline(True)
    visitor.page.goto(path.as_uri())
    assert "What came back otherwise" in visitor.page.inner_text("body")
    assert asked == [path.as_uri()]  # the file itself, and nothing else
    is_calm_but_for(visitor, path.as_uri())


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
    # And the comparison of the wrong one with the whole one parts at the route, for somebody else with the link too.
    compared(visitor, f"{COMPARE}?runs={whole},{forked}")
    assert "Open A at Route" in visitor.text
    visitor.page.locator(".st-key-compare_hand_on button").click()
    link = visitor.page.locator("[data-testid=stCode]").inner_text().strip()
    other = visit()
    assert link.startswith(other.address)
    compared(other, link.removeprefix(f"{other.address}/"))
    assert other.page.locator(".st-key-compare_parting").inner_text() == (
        visitor.page.locator(".st-key-compare_parting").inner_text()
    )
    is_calm(visitor)
    is_calm(other)


def test_export_gives_spans(visit, tmp_path):
    visitor = visit().open()
    visitor.page.get_by_role("button", name="Export").click()
    visitor.settled()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="OpenTelemetry").click()
    path = tmp_path / "spans.json"
    download.value.save_as(path)
    spans = json.loads(path.read_text("utf-8"))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert spans[0]["name"] == "retrieval sample"
    is_calm(visitor)


# ---------------------------------------------------------------- a query set


@pytest.fixture(scope="module")
def kept_set(small_home) -> str:
    """The id of a comparison over eighty judged queries that nobody has run yet."""
    queries = tuple(Query(id=f"q{n}", query=f"{QUESTIONS[n % 4]} {n}") for n in range(80))
    qrels = tuple(Qrel(query_id=query.id, doc_id=doc, grade=2) for query in queries for doc in ("e1", "e4", "e5"))
    with SearchEngine(Settings(home=small_home)) as engine:
        engine.load(bundle("judged").model_copy(update={"queries": queries, "qrels": qrels}))
        database = Database(engine.settings)
        two = (Configuration(name="defaults"), Configuration(name="limit=1", changes={"limit": 1}))
        ids = tuple(query.id for query in queries)
        kept = KeptSets(database).save(SetSpec(workspace="judged", configurations=two, query_ids=ids, as_answered=True))
        database.close()
    return kept


def test_a_set_is_stopped_and_resumed_and_a_cell_opens_both_runs(visit, kept_set):
    visitor = visit().open(f"{COMPARE}?mode=set&set={kept_set}")
    page = visitor.page
    page.locator(".st-key-set_start button").first.click()
    page.get_by_text(re.compile(r"^[1-9]\d* of 160$")).first.wait_for()  # some are done
    page.locator(".st-key-set_stop button").click()
    page.locator(".st-key-set_resume button").wait_for()
    visitor.settled()
    assert "of 160 searches are done; the rest is not in the numbers" in visitor.text
    page.reload()  # what was run is kept
    page.locator(".st-key-set_resume button").click()
    page.locator(".st-key-set_stop").wait_for()
    page.locator(".st-key-set_stop").wait_for(state="detached", timeout=120_000)
    visitor.reload()
    assert "searches are done" not in visitor.text
    assert "B is worse than A" in visitor.text or "no clear difference" in visitor.text
    # The last column of the first row: the query that loses most.
    grid = page.locator(".st-key-set_heat .dvn-scroller").first
    box = grid.bounding_box()
    grid.click(position={"x": box["width"] - 60, "y": 35 + 17})
    page.wait_for_selector(".st-key-compare_parting")
    visitor.settled()
    assert len(visitor.parameter("runs").split(",")) == 2
    assert "Open B at Rerank" in visitor.text
    is_calm(visitor)


def test_an_item_is_judged_with_the_keys_of_a_card(visit):
    visitor = compared(visit())
    visitor.page.goto(f"{visitor.address}/{COMPARE}?runs={visitor.parameter('runs')}&item=episode:e1")
    visitor.page.locator(".st-key-in_place_name input").fill("Ann")
    visitor.page.keyboard.press("Enter")
    visitor.settled()
    visitor.page.locator("h3").first.click()  # out of the field
    for key, shown in (("3", "3 Answers it"), ("u", ""), ("c", ""), ("2", "I do not understand the query")):
        before = visitor.page.locator(".rv-turn").get_attribute("data-turn")
        visitor.page.keyboard.press(key)
        visitor.page.wait_for_function(
            "before => (now => now && now !== before)(document.querySelector('.rv-turn')?.dataset.turn)", arg=before
        )
        assert shown in visitor.page.locator(".st-key-in_place").inner_text()
    assert "in A" in visitor.page.locator(".st-key-in_place").inner_text()
    is_calm(visitor)
