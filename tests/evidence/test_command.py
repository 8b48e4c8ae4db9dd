from __future__ import annotations

import zipfile

import pytest

from core_search import SearchEngine, Settings
from core_search.cli import main
from tests.small import bundle


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CORE_SEARCH_HOME", str(tmp_path / "home"))
    with SearchEngine(Settings(home=tmp_path / "home")) as engine:
        engine.load(bundle())
    return tmp_path


def test_a_search_is_written_in_every_form(home, capsys):
    for ending, begins in ((".html", b"<!doctype html>"), (".zip", b"PK"), (".json", b"{")):
        path = home / f"out{ending}"
        assert main(["evidence", "code review", "--workspace", "small", "--out", str(path), "--without-texts"]) == 0
        assert path.read_bytes().startswith(begins)
        assert b"code review" not in path.read_bytes()
    assert "without texts" in capsys.readouterr().out


def test_a_comparison_has_its_tables(home):
    path = home / "out.zip"
    call = ["evidence", "code review", "--workspace", "small", "--against", "limit=1,rerank=off", "--out", str(path)]
    assert main(call) == 0
    assert set(zipfile.ZipFile(path).namelist()) == {"differences.csv", "items.csv", "parting.csv"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tea", "--out", "out.txt"], "end it with one of"),
        (["--out", "out.html"], "either a query or --run"),
        (["--run", "zzzzzzzz", "--out", "out.html"], "'zzzzzzzz'"),
        (["tea", "--workspace", "small", "--against", "limit=1", "--out", "out.json"], "spans are of one search"),
    ],
)
def test_what_cannot_be_written_says_why(home, capsys, arguments, message):
    assert main(["evidence", *arguments]) == 1
    assert message in capsys.readouterr().err
