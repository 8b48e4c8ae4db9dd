"""The sign-in in a real browser, against a provider on this machine: who is let in, as whom, and what stays hidden."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("authlib", reason='no Authlib, which signing in needs: pip install -e ".[auth]"')

from core_search import SearchEngine, Settings
from core_search.database import Database
from core_search.ingest.values import Query
from core_search.judgments.exchange import records_of, to_csv, to_jsonl
from core_search.judgments.pooling import Configuration, PoolSpec
from core_search.judgments.store import JudgmentStore
from core_search.records import Records
from tests.browser.conftest import Visitor
from tests.browser.oidc_provider import Provider, provider
from tests.browser.server import served
from tests.small import bundle

ANN, BEN = ("Ann Lee", "ann@example.com"), ("Ben Fox", "ben@example.com")
# Words of the memory, of its name, and of what can be done with it.
INSIDE = ("review", "Max", "Chess", "soup", "sample", "Workspace", "judged by hand")


class Place(NamedTuple):
    """The app with its provider, the home behind it, and the address of a card to judge."""

    address: str
    provider: Provider
    home: Path
    cookie_secret: str
    card: str

    @property
    def secrets(self) -> list[str]:
        return [self.cookie_secret, *self.provider.given]


class Person(Visitor):
    """A visitor who may have to sign in first; `received` is everything that the app sent to their browser."""

    def __init__(self, browser, place: Place):
        super().__init__(browser, place.address)
        self.place = place
        self.received: list[bytes] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._keep))

    def _keep(self, frame: bytes | str) -> None:
        self.received.append(frame if isinstance(frame, bytes) else frame.encode())

    def is_asked(self, path: str | None = None) -> Person:
        """On the sign-in page, after going to that path if one is given; there is nothing else on it."""
        if path is not None:
            self.page.goto(f"{self.address}/{path}")
        self.page.get_by_role("button", name="Sign in", exact=True).wait_for()
        self.settled()
        assert self.text.split() == ["core_search", "Sign", "in"]
        assert self.page.locator('[data-testid="stSidebar"]').count() == 0
        assert [one["name"] for one in self.context.cookies() if one["name"].startswith("_streamlit_user")] == []
        return self

    def sign_in(self, name: str, mail: str) -> Person:
        self.page.get_by_role("button", name="Sign in", exact=True).click()
        self.page.get_by_placeholder("Name").fill(name)
        self.page.get_by_placeholder("Address").fill(mail)
        self.page.get_by_role("button", name="Come in").click()
        self.drawn()
        return self

    @property
    def sidebar(self) -> str:
        return self.page.locator('[data-testid="stSidebar"]').inner_text()

    def is_calm(self) -> None:
        """No errors, nothing asked of anybody but the provider, and no secret sent to the page."""
        self.outside = [url for url in self.outside if not url.startswith(self.place.provider.address)]
        super().is_calm()
        received = b"".join(self.received)
        assert received
        assert [secret for secret in self.place.secrets if secret.encode() in received] == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    home, cookie_secret = tmp_path_factory.mktemp("signed_home"), secrets.token_hex(24)
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample"))
        store = JudgmentStore.of(Database(engine.settings))
        queries = [Query(id="q1", query="what is my view on code review", need="what holds now")]
        query_set = store.sets.create("judged by hand", "sample", queries)
        spec = PoolSpec(configurations=(Configuration(name="the defaults"),), depth=4)
        pool = store.pools.build(engine, query_set, spec)
        store.database.close()
    with provider() as here:
        file = tmp_path_factory.mktemp("secrets") / "secrets.toml"
        file.write_text(
            f"""[auth]
redirect_uri = "http://localhost:{{port}}/oauth2callback"
cookie_secret = "{cookie_secret}"
client_id = "{here.client_id}"
client_secret = "{here.client_secret}"
server_metadata_url = "{here.address}/.well-known/openid-configuration"
""",
            "utf-8",
        )
        with served(home, STREAMLIT_SECRETS_FILES=str(file)) as address:
            yield Place(address, here, home, cookie_secret, f"Review?set={query_set.id}&pool={pool.id}")


@pytest.fixture
def store(place) -> Iterator[JudgmentStore]:
    database = Database(Settings(home=place.home))
    yield JudgmentStore.of(database)
    database.close()


@pytest.fixture
def stranger(browser, place) -> Iterator[Person]:
    """Somebody new, with a browser of their own."""
    person = Person(browser, place)
    yield person
    person.context.close()


@pytest.fixture(scope="module")
def ann(browser, place) -> Iterator[Person]:
    """Ann, who came by a link to a card and signed in."""
    person = Person(browser, place)
    person.is_asked(place.card).sign_in(*ANN)
    yield person
    person.context.close()


def test_a_stranger_sees_nothing_and_becomes_nobody_else(stranger, place):
    for path in ("", place.card):
        stranger.is_asked(path)
    sent = b"".join(stranger.received)
    assert b"Sign in" in sent
    assert [word for word in INSIDE if word.encode() in sent] == []
    assert Records(Settings(home=place.home)).recent() == []  # a guest's first visit asks the sample something
    stranger.sign_in(*BEN).open(f"{place.card}&reviewer={ANN[1]}")
    assert stranger.page.locator(".st-key-go_on_as button").inner_text() == f"Go on as {BEN[1]}"
    stranger.is_calm()


def test_signed_in_one_sees_the_first_result_and_a_refresh_keeps_it(ann):
    for page in (ann, ann.reload()):
        assert page.asked == "what is my view on code review"
        assert "aspect_query" in page.text
        assert ANN[1] in page.sidebar
    ann.is_calm()


def test_one_judges_as_oneself_and_no_secret_is_kept(ann, place, store):
    ann.open(f"{place.card}&reviewer={BEN[1]}")
    box = ann.page.locator(".st-key-reviewer_name input")
    assert (box.input_value(), box.is_disabled()) == (ANN[1], True)
    ann.page.locator(".st-key-go_on_as button").click()
    ann.page.wait_for_selector(".rv-turn", state="attached")
    assert ann.parameter("reviewer") == ""
    ann.page.keyboard.press("2")
    ann.page.get_by_text(f"{ANN[1]} · 1 of").wait_for()
    ann.is_calm()
    grades = store.grades.all(store.sets.named("judged by hand").id)
    assert [(grade.reviewer, grade.grade) for grade in grades] == [(ANN[1], 2)]

    kept = Records(Settings(home=place.home))
    runs = [kept.export(head.id) for head in kept.recent()]
    assert runs
    assert [run for run in runs if ANN[1] in run] == []
    judged = records_of(grades, [])
    files = [path.read_bytes() for path in place.home.rglob("*") if path.is_file()]
    everything = b"\n".join([*files, *(text.encode() for text in (*runs, to_csv(judged), to_jsonl(judged)))])
    assert len(place.secrets) >= 5  # two of the installation; of each sign-in a code and two tokens
    assert [secret for secret in place.secrets if secret.encode() in everything] == []


def test_signed_out_one_sees_nothing_again(ann, place):
    ann.page.get_by_role("button", name="Sign out").click()
    ann.page.wait_for_url(f"{place.address}/")
    ann.is_asked().is_asked(place.card)
    assert place.provider.signed_out == 1
    ann.is_calm()
