"""How long pages and stages take to draw with 20,000 episodes, in a real browser; the report prints it."""

from __future__ import annotations

import pytest

from core_search.ui.theme import STAGE_TITLES
from tests.browser.large_memory import build

pytestmark = pytest.mark.measure  # on request: a minute of building

# A page or a stage has a second on a machine of its own; here others may be at work.
MOST_S = 15
# What only that page draws; the others are told by their title.
MARKS = {"Inspect": ".st-key-inspect_body", "Memory": ".st-key-memory_head"}
PAGES = ("Memory", "Inspect", "Compare", "Inspect", "Review", "Evaluate", "Memory")

# Clicks, and waits until what was clicked for is drawn: nothing runs, nothing is stale, every chart has its picture.
# Answers with the seconds between the two. A frame is waited for in between, so that the click can take effect.
CLICK = """
async ([element, done]) => {
    const isDone = new Function('return ' + done);
    const isDrawn = () => isDone()
        && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'
        && document.querySelector('.cs-end')
        && !document.querySelector('[data-testid=stMain] [data-stale=true]')
        && [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(c => c.querySelector('.main-svg'));
    const started = performance.now();
    element.click();
    while (!isDrawn() && performance.now() - started < 60000)
        await new Promise(requestAnimationFrame);
    return (performance.now() - started) / 1000;
}
"""


@pytest.fixture(scope="module")
def large(serve, tmp_path_factory) -> str:
    """The address of the app over the large memory."""
    home = tmp_path_factory.mktemp("large_home")
    build(home)
    return serve(home)


def seconds(visitor, selector: str, text: str, done: str) -> float:
    element = visitor.page.locator(selector).filter(has_text=text).first.element_handle()
    return visitor.page.evaluate(CLICK, [element, done])


def told(times: dict[str, float]) -> str:
    return ", ".join(f"{name} {time:.2f}" for name, time in times.items())


def test_stages_and_pages_draw_within_a_second(visit, large, record_property):
    visitor = visit(large).open().ask("what do I prefer about code review")
    stages = {}
    for name in [*list(STAGE_TITLES)[1:], "overview"]:
        drawn = f"document.querySelector('.st-key-stage_{name}')"
        stages[name] = seconds(visitor, ".st-key-stage_strip button", STAGE_TITLES[name], drawn)
    pages = {}
    for number, title in enumerate(PAGES, 1):
        drawn = f"document.title.startsWith('{title}') && document.querySelector('{MARKS.get(title, '.cs-end')}')"
        pages[f"{number} {title}"] = seconds(visitor, ".st-key-nav a", title, drawn)
        visitor.settled()
    record_property("measured: seconds to draw a stage with 20,000 episodes", told(stages))
    record_property("measured: seconds to draw a page with 20,000 episodes", told(pages))
    visitor.is_calm()
    assert max(stages.values()) < MOST_S
    assert max(pages.values()) < MOST_S
