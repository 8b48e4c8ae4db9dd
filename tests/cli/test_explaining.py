from __future__ import annotations

import json

import pytest

from core_search import SearchEngine, Settings
from core_search.cli import main
from tests.small import bundle


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    with SearchEngine(Settings(home=folder)) as engine:
        engine.load(bundle())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORE_SEARCH_HOME", str(folder))
        yield folder


def why(capsys, *arguments: str):
    code = main(["why", *arguments, "--workspace", "small"])
    return code, capsys.readouterr()


def test_one_json_document(capsys):
    code, out = why(capsys, "what is my view on code review", "e1", "--json")
    fate = json.loads(out.out)
    assert code == 0
    assert fate["item"] == {"id": "e1", "kind": "episode"}
    assert fate["verdict"] == "returned"
    assert {"stage", "code", "rank", "margin", "path", "remedy", "text"} < set(fate)


def test_a_remedy_in_the_words_of_the_command_line(capsys):
    _, out = why(capsys, "small pull requests", "e3", "--set", "limit=1")
    assert "e3: dropped" in out.out
    assert "--set limit=" in out.out
    assert "conditions" not in out.out


def test_why_one_stands_above_the_other(capsys):
    found = why(capsys, "small pull requests", "e1", "--against", "e3", "--json")[1].out
    against = json.loads(found)["against"]
    assert (against["a"]["id"], against["b"]["id"]) == ("e1", "e3")
    assert against["difference"] == pytest.approx(sum(term["difference"] for term in against["terms"]), abs=1e-6)
    out = why(capsys, "small pull requests", "e1", "--against", "e3")[1].out
    assert "'e1' scores" in out
    assert "statement_cosine" in out
    code, out = why(capsys, "small pull requests", "e1", "--against", "nobody")
    assert (code, "nobody" in out.err) == (1, True)


def test_conditions_of_what_no_path_came_upon(capsys):
    code, out = why(capsys, "small pull requests", "cy", "--kind", "entity")
    assert code == 0
    assert "never candidate" in out.out
    assert "FAILS" in out.out


def test_absence_is_an_answer(capsys):
    code, out = why(capsys, "soup", "no-such-id")
    assert (code, out.err) == (0, "")
    assert "not stored" in out.out


def test_an_unknown_setting_is_one_line(capsys):
    code, out = why(capsys, "soup", "e1", "--set", "nonsense=1")
    assert code == 1
    assert out.err.startswith("core-search: unknown setting 'nonsense'")
