"""Pictures of every stage and page, for people to look at: `python tests/browser/screenshots.py OUT [--home HOME]`.

Starts the app on the sample memory, 1440 and 800 px wide, light and dark. `--home` takes a folder that has the
memory loaded already.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from server import CHROMIUM, FLAGS, ROOT, served

STAGES = (
    "overview", "route", "gate", "handle", "merge", "backstop", "rerank", "compact", "budget", "fallback", "result",
)  # fmt: skip


def settle(page: Page) -> None:
    """Until the page has a strip and nothing runs any more."""
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]', timeout=180_000)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", nargs="*", help="stages, or names of other pages")
    parser.add_argument("--widths", nargs="*", type=int, default=[1440, 800])
    parser.add_argument("--schemes", nargs="*", default=["light", "dark"])
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    home = given.home or Path(tempfile.mkdtemp())
    pages = [path.stem for path in sorted((ROOT / "pages").glob("*.py"))]
    with served(home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
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
