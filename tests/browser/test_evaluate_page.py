"""The Evaluate page in a real browser: from the first press to an item's fate, and a stop that loses nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from core_search.database import Database
from core_search.evaluation.history import History
from core_search.evaluation.judged_set import stored_set
from core_search.evaluation.recorded import resume, setup_of
from core_search.ingest.values import Bundle, Qrel, Query
from tests.small import bundle

UNDER_WAY = re.compile(r"[1-9]\d* of 120 queries ·")
TABS = ("Results", "Losses", "Queries", "History", "Router")
QUESTIONS = (
    "my view on code review",
    "who plays chess",
    "what does the soup need",
    "how do Ann and Bob know each other",
)


def judged(count: int) -> Bundle:
    """The small memory with judged queries."""
    queries = tuple(Query(id=f"q{n}", query=f"{QUESTIONS[n % 4]} {n // 4}", tags=(f"t{n % 4}",)) for n in range(count))
    qrels = tuple(Qrel(query_id=query.id, doc_id=doc, grade=2) for query in queries for doc in ("e1", "e4", "e5"))
    return bundle("sample").model_copy(update={"queries": queries, "qrels": qrels})


@pytest.fixture(scope="module")
def judged_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred and twenty queries: enough to be stopped in the middle."""
    home = tmp_path_factory.mktemp("evaluate_browser")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(judged(120))
    return home


@pytest.fixture(scope="module")
def evaluated_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four queries that were evaluated twice."""
    home = tmp_path_factory.mktemp("evaluated_browser")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(judged(4))
        own, history = stored_set(engine, "sample"), History(Database(engine.settings))
        for changes in ({"rerank": False}, {}):
            list(resume(engine, history, history.start(setup_of(engine, own, changes)), own))
    return home


@pytest.fixture
def evaluate(visit, serve):
    """A new person on the Evaluate page over a home."""

    def arrive(home: Path, **options):
        visitor = visit(serve(home), **options)
        visitor.open()
        visitor.page.locator(".st-key-nav a").filter(has_text="Evaluate").click()
        visitor.page.locator(".st-key-start_evaluation button").first.wait_for()
        return visitor.settled()

    return arrive


def show(visitor, tab: str):
    """Click on a view's chip, and wait until it is the chosen one."""
    chip = visitor.page.locator(".st-key-stage_strip button").filter(has_text=tab).first
    chip.click()
    visitor.page.wait_for_function(
        "tab => document.querySelector('.st-key-stage_strip button[aria-checked=\"true\"]')?.innerText.startsWith(tab)",
        arg=tab,
    )
    return visitor.settled()


def finished(visitor):
    visitor.page.locator(".st-key-stop_evaluation").first.wait_for(state="detached", timeout=180_000)
    return visitor.settled()


def test_a_stop_in_the_middle_loses_nothing_and_a_reload_resumes(evaluate, judged_home):
    visitor = evaluate(judged_home)
    assert "Evaluate 120 judged queries of sample (about 20 s)" in visitor.text
    visitor.page.locator(".st-key-start_evaluation button").first.click()
    visitor.page.get_by_text(UNDER_WAY).first.wait_for()
    visitor.page.locator(".st-key-stop_evaluation button").first.click()
    visitor.page.locator(".st-key-resume_evaluation button").first.wait_for()
    history = History(Database(Settings(home=judged_home)))
    (record,) = history.recent("sample")
    assert 1 <= record.done < 120
    assert not record.finished

    visitor.page.reload()
    visitor.page.locator(".st-key-resume_evaluation button").first.click()
    visitor.page.locator(".st-key-stop_evaluation").first.wait_for()
    # A click elsewhere does not end it.
    visitor.page.get_by_text(UNDER_WAY).first.wait_for()
    visitor.page.locator(".st-key-stage_strip button").filter(has_text="Losses").first.click()
    finished(visitor)
    record = history.load(record.id)
    assert (record.done, record.finished) == (120, True)
    assert visitor.parameter("eval") == record.id
    assert visitor.parameter("tab") == "losses"


def test_a_bar_of_the_waterfall_leads_to_its_items_and_an_item_to_its_fate(evaluate, evaluated_home):
    visitor = evaluate(evaluated_home)
    show(visitor, "Losses")
    bars = visitor.page.locator(".st-key-inspect_body .js-plotly-plot .bars .point")
    lost_at = [
        at for at in range(bars.count()) if "194, 85, 77" in (bars.nth(at).locator("path").get_attribute("style") or "")
    ]
    bars.nth(lost_at[0]).click(force=True)
    visitor.settled()
    assert "lost before" in visitor.page.locator(".st-key-evaluate_bar").get_by_role("combobox").input_value()
    visitor.page.locator(".st-key-evitems_behind button").first.click()
    visitor.page.locator(".st-key-query_text").wait_for()
    visitor.settled()
    assert visitor.parameter("run")
    assert visitor.parameter("item").startswith("episode:e")
    visitor.is_calm()


def test_a_cell_of_the_confusion_lists_its_routes(evaluate, evaluated_home):
    lines = [
        {"id": "right", "query": "what is my view on code review", "expected": {"queryType": "aspect_query"}},
        {"id": "mixed-up", "query": "who plays chess", "expected": {"queryType": "temporal"}},
    ]
    data = "\n".join(json.dumps({**line, "now": "2026-03-01T18:00:00+00:00"}) for line in lines).encode()
    visitor = evaluate(evaluated_home)
    show(visitor, "Router")
    page = visitor.page
    page.locator(".st-key-inspect_body summary").first.click()
    page.locator(".st-key-router_upload input[type=file]").set_input_files(
        {"name": "mine.jsonl", "mimeType": "application/json", "buffer": data}
    )
    page.get_by_role("button", name="2 labelled queries").click()
    cell = page.locator(".st-key-inspect_body .scatterlayer .trace .point")
    cell.first.wait_for(state="attached")
    visitor.settled()
    page.locator(".st-key-inspect_body .js-plotly-plot").first.scroll_into_view_if_needed()
    box = cell.nth(1).bounding_box()  # the row that expects temporal comes second
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".st-key-router_all_cells button").wait_for()
    visitor.settled()
    assert "Expected temporal" in visitor.text
    assert "mixed-up" in visitor.text
    visitor.is_calm()


@pytest.mark.parametrize("width", [1440, 800])
def test_every_view_fits(evaluate, evaluated_home, width):
    visitor = evaluate(evaluated_home, viewport={"width": width, "height": 900})
    for tab in TABS:
        show(visitor, tab)
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visitor.is_calm()
