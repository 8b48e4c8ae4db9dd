"""The sign-in without a browser: what keeps everybody out, and that a signed-in person speaks as nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit import config
from streamlit.testing.v1 import AppTest

from core_search.ingest.values import Query
from core_search.judgments.pooling import Configuration, PoolSpec
from core_search.judgments.store import JudgmentStore

ROOT = Path(__file__).resolve().parent.parent.parent
AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "0123456789abcdef",
    "client_id": "a",
    "client_secret": "not for the page",
    "server_metadata_url": "https://example.com/.well-known/openid-configuration",
}
ANN = {"is_logged_in": True, "name": "Ben", "email": "ann@example.com", "sub": "1"}
ADDRESS = {"run": "r1", "runs": "r1,r2", "set": "s1", "evaluation": "e1", "workspace": "sample", "item": "episode:e1"}


@pytest.fixture
def empty_home(environment, tmp_path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    environment.setenv("CORE_SEARCH_HOME", str(home))
    environment.setattr("core_search.ui.sign_in.find_spec", lambda name: name)  # whether Authlib is here or not
    return home


def at(path: str = "app.py", auth: object = None, **user: object) -> AppTest:
    page = AppTest.from_file(str(ROOT / path), default_timeout=60)
    page.secrets["auth"] = AUTH if auth is None else auth
    page.user = user
    for name, value in ADDRESS.items():
        page.query_params[name] = value
    return page.run()


def keeps_out(page: AppTest) -> str:
    """Nothing but one clear line; that line."""
    assert not page.exception
    assert not page.button
    assert not page.sidebar
    (only,) = page.error
    assert "\n" not in only.value
    assert "not for the page" not in only.value
    return only.value


@pytest.mark.parametrize("path", ["app.py", *(f"pages/{page.name}" for page in sorted((ROOT / "pages").glob("*.py")))])
def test_before_the_sign_in_no_page_opens_anything(empty_home, path):
    page = at(path)
    assert not page.exception
    assert not page.error
    assert [button.label for button in page.button] == ["Sign in"]
    assert not page.sidebar
    assert list(empty_home.iterdir()) == []


def test_without_authlib_the_remedy_is_told(empty_home, environment):
    environment.setattr("core_search.ui.sign_in.find_spec", lambda name: None)
    assert 'pip install -e ".[auth]"' in keeps_out(at())


@pytest.mark.parametrize("user", [{}, ANN], ids=["stranger", "with a cookie from before"])
@pytest.mark.parametrize(
    ("auth", "told"),
    [
        ({}, "lacks `redirect_uri`, `cookie_secret`, `client_id`, `client_secret`, `server_metadata_url`"),
        ("yes", "lacks `redirect_uri`, `cookie_secret`, `client_id`, `client_secret`, `server_metadata_url`"),
        ({name: value for name, value in AUTH.items() if name != "cookie_secret"}, "lacks `cookie_secret`:"),
        ({**AUTH, "client_secret": " "}, "lacks `client_secret`:"),
        ({**AUTH, "redirect_uri": "http://localhost:8501"}, "with `/oauth2callback` behind it"),
        ({**AUTH, "cookie_secret": "xxx"}, "needs 16 random characters or more"),
    ],
)
def test_what_is_set_up_by_half_lets_nobody_in(empty_home, auth, told, user):
    assert told in keeps_out(at(auth=auth, **user))


def test_secrets_that_cannot_be_read_let_nobody_in(empty_home, tmp_path):
    file = tmp_path / "secrets.toml"
    file.write_text("[auth\nclient_secret = 'not for the page'", "utf-8")
    before = config.get_option("secrets.files")
    config.set_option("secrets.files", [str(file)])
    try:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    finally:
        config.set_option("secrets.files", before)
    assert "cannot be read, so nobody is let in" in keeps_out(page)


# ---------------------------------------------------------------- who is signed in


def _inspected(run_id: str) -> None:
    from core_search.models import ItemKind
    from core_search.ui import session
    from core_search.ui.review.in_place import grades_in_place

    grades_in_place(session.open_run(run_id).run, ItemKind.EPISODE, "e1")


def test_judging_in_place_asks_no_name(environment, kept_run, records):
    page = AppTest.from_function(_inspected, args=(kept_run("who plays chess"),), default_timeout=60)
    page.user = ANN
    page.run()
    assert not page.text_input
    page.button(key="judge_grade_2").click().run()
    assert not page.exception
    store = JudgmentStore.of(records.database)
    made = store.sets.named("sample, asked in passing")
    assert [(grade.reviewer, grade.grade) for grade in store.grades.all(made.id)] == [("ann@example.com", 2)]
    store.sets.delete(made.id)


def test_one_settles_as_oneself_and_sees_what_oneself_may_see(environment, shared, records):
    store = JudgmentStore.of(records.database)
    made = store.sets.create("signed in", "sample", [Query(id="q1", query="my view on code review")])
    spec = PoolSpec(configurations=(Configuration(name="the defaults"),), depth=2)
    key = store.pools.build(shared, made, spec).items[0].key
    for name, grade in (("Ben", 0), ("Cy", 3)):
        store.grades.give(made.id, key, name, grade)
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    page.user = ANN
    page.run()
    page.switch_page("pages/2_Review.py")
    for name, value in {"set": made.id, "view": "reviewers", "reviewer": "Ben"}.items():
        page.query_params[name] = value
    page.run()
    assert "reviewer" not in page.query_params
    assert not [button for button in page.button if button.key == "settle_3"]  # Ann has not judged that card
    page.toggle(key="only_settles").set_value(True).run()
    page.button(key="settle_3").click().run()
    assert not page.exception
    assert [one.settler for one in store.settled.all(made.id).values()] == ["ann@example.com"]
    store.sets.delete(made.id)
