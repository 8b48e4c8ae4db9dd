"""The Memory page in a real browser: a bundle comes in, a broken one is refused, all lists open, all stays calm."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from core_search.ingest import read_bundle, write_bundle
from core_search.workspace import fingerprint
from tests.small import EPISODES, bundle, episode

playwright = pytest.importorskip("playwright.sync_api", reason="pip install 'core-search[test]'")
HOSTILE = (
    "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> **bold** "
    "![p](//x.y/p.png) \u202emarked right to left\u202c שלום עולם 🙂"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of its own: memories come and go in it."""
    home = tmp_path_factory.mktemp("home")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample"))
    return home


@pytest.fixture
def open_page(visit, serve, home: Path) -> Iterator[Callable[..., playwright.Page]]:
    """`open_page("Memory?tab=labels")` in a fresh browser, which must be calm in the end."""
    visitors = []

    def open_at(path: str, width: int = 1440) -> playwright.Page:
        visitors.append(visit(serve(home), viewport={"width": width, "height": 1000}).open(path))
        return visitors[-1].page

    yield open_at
    for visitor in visitors:
        visitor.is_calm()


def settled(page: playwright.Page) -> playwright.Page:
    """The page when it is drawn and nothing runs any more."""
    page.wait_for_selector(".cs-end", state="attached")
    page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
    assert not page.locator('[data-testid="stException"]').count()
    return page


def upload(page: playwright.Page, file: Path) -> None:
    page.locator(".st-key-load_files input[type=file]").set_input_files(file)
    page.get_by_text(file.name).first.wait_for()
    page.get_by_role("button", name="Load", exact=True).click()


def strip(page: playwright.Page) -> str:
    return page.locator(".st-key-memory_strip").inner_text().replace("\n", " ")


def test_a_broken_bundle_lists_its_problems_and_a_good_one_is_loaded(open_page, home, tmp_path):
    broken = tmp_path / "broken.zip"
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("workspace.json", '{"name": "broken"}')
        archive.writestr("episodes.jsonl", '{"uuid": "a", "content": "x", "validAt": "yesterday"}\n{"uuid": "a"}\n')
    good = write_bundle(bundle("visitor"), tmp_path / "good.zip")

    page = open_page("Memory?tab=memories")
    upload(page, broken)
    page.get_by_text("Nothing was loaded").first.wait_for()
    listed = page.locator(".st-key-load_problems").inner_text()
    assert "episodes.jsonl:1" in listed
    assert "episodes.jsonl:2" in listed
    assert not (home / "workspaces" / "broken").exists()

    page = open_page("Memory?tab=memories")
    upload(page, good)
    page.get_by_text("Loaded: visitor").wait_for()
    settled(page)
    assert "workspace=visitor" in page.url
    assert "Episodes 6" in strip(page)

    with page.expect_download() as download:
        page.get_by_role("button", name="Export as a bundle").click()
    exported = tmp_path / "exported.zip"
    download.value.save_as(exported)
    assert fingerprint(read_bundle(exported).memory) == fingerprint(read_bundle(good).memory)

    page.get_by_role("textbox", name="New name").fill("guest")
    page.get_by_role("button", name="Rename").click()
    page.get_by_text("visitor is now guest").wait_for()
    settled(page)
    assert "workspace=guest" in page.url

    page.get_by_text("Remove this memory").click()
    page.get_by_role("textbox", name="Type its name, guest").fill("guest")
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_text("guest is removed").wait_for()
    settled(page)
    assert "workspace=sample" in page.url
    assert not (home / "workspaces" / "guest").exists()


def test_a_click_opens_a_card_and_a_refresh_keeps_it(open_page):
    page = open_page("Memory?tab=entities")
    table = page.locator('.st-key-list_entities [data-testid="stDataFrame"]')
    table.click(position={"x": 60, "y": 52})  # the first row, under the heads
    page.wait_for_url("**item=entity*")
    settled(page)
    chosen = page.url
    assert "Bob Stone" in page.locator(".st-key-detail").inner_text()
    page.reload()
    assert "Bob Stone" in settled(page).locator(".st-key-detail").inner_text()
    assert "Bob Stone" in open_page(chosen.split("/", 3)[3]).locator(".st-key-detail").inner_text()


def test_every_list_opens_from_the_strip(open_page):
    page = open_page("Memory")
    for name in ("Labels", "Entities", "Statements", "Sessions", "Memories", "Health", "Episodes"):
        page.locator(".st-key-memory_strip button").filter(has_text=name).click()
        page.wait_for_url(f"**tab={name.lower()}*")
        settled(page)
        assert not page.locator('[data-testid="stAlertContentError"]').count()


def test_words_of_strangers_are_shown_and_not_run(open_page, home):
    strange = bundle("strange", episodes=(*EPISODES, episode("x", HOSTILE, 1), episode("y", "y" * 50_000, 0.5)))
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(strange, replace=True)
    for width in (1440, 800):
        page = open_page("Memory?workspace=strange&item=episode:x", width)
        # The marks that turn the direction stay in the text; nothing else may be missing.
        assert HOSTILE in page.locator(".st-key-detail .cs-text").inner_text()
        assert page.locator(".st-key-detail img, .st-key-detail script, .st-key-detail .cs-text strong").count() == 0
        assert "broken" not in page.title()
        page = open_page("Memory?workspace=strange&item=episode:y", width)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        text = page.locator(".st-key-detail .cs-text")
        assert text.evaluate("element => element.scrollWidth <= element.clientWidth")
