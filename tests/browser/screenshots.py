"""Pictures of every stage and page, for people to look at: `python tests/browser/screenshots.py OUT [--home HOME]`.

Starts the app on the sample memory, 1440 and 800 px wide, light and dark. `--home` takes a folder that has the
memory loaded already. The three pictures of the README, of searches whose models were loaded before:

    python tests/browser/screenshots.py .github/screenshots --readme
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from server import CHROMIUM, FLAGS, ROOT, served

from core_search import SearchEngine, SearchRequest, Settings
from core_search.engine import SAMPLE
from core_search.records import Records

STAGES = (
    "overview", "route", "gate", "handle", "merge", "backstop", "rerank", "compact", "budget", "fallback", "result",
)  # fmt: skip
QUESTION = "what is my view on code review"
README_WIDTH = 1280
# Streamlit shows grey bars until the code of a widget is loaded.
DRAWN = """() => !document.querySelector('[data-testid=stSkeleton], [data-stale=true]')
    && [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(c => c.querySelector('.main-svg'))"""


def settle(page: Page) -> None:
    """Until the last thing of the page is there, nothing runs any more and every chart has its picture."""
    page.wait_for_selector(".cs-end", state="attached", timeout=180_000)
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=180_000)
    page.wait_for_function(DRAWN, timeout=180_000)
    page.wait_for_timeout(900)


def shoot(page: Page, out: Path, name: str) -> None:
    """The whole page: the viewport is made as high as its contents."""
    settle(page)
    width = page.viewport_size["width"] if page.viewport_size else 1440
    height = page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]')?.scrollHeight || 900")
    page.set_viewport_size({"width": width, "height": max(700, min(int(height) + 60, 6_000))})
    page.wait_for_timeout(700)
    page.screenshot(path=str(out / f"{name}.png"))
    page.set_viewport_size({"width": width, "height": 900})


def two_runs(home: Path) -> list[str]:
    """A kept run with the reranker and one without, of an engine that is warm."""
    settings = Settings(home=home, router="local", embeddings="local", reranker="local")
    with SearchEngine(settings) as engine:
        records = Records(settings)
        question = SearchRequest(query=QUESTION, workspace=SAMPLE)
        engine.search(question)
        without = question.model_copy(update={"set": {"rerank": False}})
        return [records.save(engine.search(request)) for request in (question, without)]


def readme(browser: Browser, address: str, runs: list[str], out: Path) -> None:
    """Each page as high as what is shown of it, so that nothing is cut through."""
    first, second = runs
    for name, path, scheme, last in (
        ("inspect", f"?run={first}", "light", ".st-key-overview_bump"),
        ("compare", f"Compare?runs={first},{second}", "dark", ".cs-end"),
        ("memory", "Memory", "light", ".cs-end"),
    ):
        context = browser.new_context(viewport={"width": README_WIDTH, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{address}/{path}")
        settle(page)
        page.set_viewport_size({"width": README_WIDTH, "height": 3_000})
        settle(page)
        bottom = page.locator(last).first.evaluate("element => element.getBoundingClientRect().bottom")
        clip = {"x": 0, "y": 0, "width": README_WIDTH, "height": round(bottom) + 20}
        page.screenshot(path=str(out / f"{name}.png"), clip=clip)
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", nargs="*", help="stages, or names of other pages")
    parser.add_argument("--widths", nargs="*", type=int, default=[1440, 800])
    parser.add_argument("--schemes", nargs="*", default=["light", "dark"])
    parser.add_argument("--readme", action="store_true", help="the three pictures of the README alone")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    home = given.home or Path(tempfile.mkdtemp())
    pages = [path.stem for path in sorted((ROOT / "pages").glob("*.py"))]
    runs = two_runs(home) if given.readme else []
    with served(home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        if given.readme:
            readme(browser, address, runs, given.out)
            return
        for scheme in given.schemes:
            for width in given.widths:
                context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector(".st-key-stage_strip", timeout=240_000)
                settle(page)
                run = page.url.split("run=")[-1].split("&")[0]
                for stage in STAGES:
                    if not given.only or stage in given.only:
                        page.goto(f"{address}/?run={run}&stage={stage}")
                        page.wait_for_selector(".st-key-stage_strip", timeout=60_000)
                        shoot(page, given.out, f"{stage}-{width}-{scheme}")
                for name in pages:
                    if not given.only or name in given.only:
                        page.goto(f"{address}/{name.split('_', 1)[-1]}?run={run}")
                        shoot(page, given.out, f"{name}-{width}-{scheme}")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
