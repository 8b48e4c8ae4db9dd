"""What the browser tests share: a real server over one home, and Debian's Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from tests.browser.server import CHROMIUM, FLAGS, served
from tests.small import bundle, episode

HOSTILE = (
    "<script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> **bold** "
    "![picture](https://example.com/pixel.png) :red[red] $x^2$ \u202emarked right to left\u202c שלום עולם 🙂"
)

# A sub-page that is opened cold looks for the server under its own address before it asks the root: Streamlit's way.
ASKED_IN_VAIN = re.compile(r"/[A-Z][a-z]+/_stcore/(health|host-config)$")

Serve = Callable[[Path], str]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser these tests cannot run; they say so."""
    if CHROMIUM.is_file():
        return
    skip = pytest.mark.skip(reason=f"no Chromium at {CHROMIUM}: apt-get install chromium, or set CHROMIUM")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def small_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small memory in the place of the sample, and one with texts that want to break the page."""
    home = tmp_path_factory.mktemp("browser_home")
    texts = (episode("h1", f"soup {HOSTILE}", 2), episode("h2", "soup " + "x" * 50_000, 3))
    hostile = bundle("hostile", episodes=texts, statements=(), documents=())
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample"))
        engine.load(hostile)
    return home


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """`serve(home)` starts the app once for each home."""
    running: dict[Path, tuple[str, object]] = {}

    def start(home: Path) -> str:
        if home not in running:
            context = served(home)
            running[home] = (context.__enter__(), context)
        return running[home][0]

    yield start
    for _, context in running.values():
        context.__exit__(None, None, None)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def app(serve: Serve, small_home: Path) -> str:
    return serve(small_home)


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


class Visitor:
    """One person's browser: opens the app, and remembers every error and every call to the outside."""

    def __init__(self, browser, address: str, **options):
        self.address = address
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message) -> None:
        if message.type == "error" and not ASKED_IN_VAIN.search(message.location["url"]):
            self.errors.append(f"{message.text} {message.location['url']}")

    def _request(self, request) -> None:
        if not request.url.startswith((self.address, "data:", "blob:", self.address.replace("http", "ws"))):
            self.outside.append(request.url)

    def open(self, path: str = "") -> Visitor:
        self.page.goto(f"{self.address}/{path}")
        return self.drawn()

    def reload(self) -> Visitor:
        self.page.reload()
        return self.drawn()

    def drawn(self) -> Visitor:
        # The last thing that every page draws.
        self.page.wait_for_selector(".cs-end", state="attached")
        return self.settled()

    def settled(self) -> Visitor:
        """Until nothing runs any more, and no widget waits for its code."""
        for _ in range(2):  # a click takes a moment to become a run
            self.page.wait_for_timeout(250)
            self.page.wait_for_selector('[data-testid="stApp"][data-test-script-state="notRunning"]')
            self.page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
        return self

    def stage(self, title: str) -> Visitor:
        """Click on its chip, and wait until the page shows it."""
        self.page.locator(".st-key-stage_strip button").filter(has_text=title).first.click()
        self.page.wait_for_function(
            """title => {
                const stage = new URLSearchParams(location.search).get('stage') || 'overview';
                const chosen = document.querySelector('.st-key-stage_strip button[aria-checked="true"]');
                return stage === title.toLowerCase() && chosen?.innerText.startsWith(title);
            }""",
            arg=title,
        )
        return self.settled()

    def ask(self, query: str) -> Visitor:
        """Ask, and wait for the run that answers."""
        before = self.parameter("run")
        self.enter(query)
        self.page.wait_for_function(
            "before => { const run = new URLSearchParams(location.search).get('run'); return run && run !== before }",
            arg=before,
        )
        return self.settled()

    def enter(self, query: str) -> None:
        box = self.page.locator(".st-key-query_text input")
        box.fill(query)
        box.press("Enter")

    @property
    def asked(self) -> str:
        """What the query bar says: a moment after it is there it gets its text."""
        box = self.page.locator(".st-key-query_text input")
        box.wait_for()
        self.page.wait_for_function("() => document.querySelector('.st-key-query_text input').value")
        return box.input_value()

    @property
    def text(self) -> str:
        return self.page.locator('[data-testid="stMain"]').inner_text()

    def parameter(self, name: str) -> str:
        return self.page.evaluate(f"new URLSearchParams(location.search).get({name!r}) || ''")

    def is_calm(self) -> None:
        """No error in the console, no exception on the page, nothing asked of the outside."""
        assert self.errors == []
        assert self.outside == []
        assert self.page.locator('[data-testid="stException"]').count() == 0


@pytest.fixture
def visit(browser, app) -> Iterator[Callable[..., Visitor]]:
    """`visit()` is a new person with a browser of their own."""
    visitors: list[Visitor] = []

    def arrive(address: str = "", **options) -> Visitor:
        visitors.append(Visitor(browser, address or app, **options))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()
