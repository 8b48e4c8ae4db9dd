from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core_search import SearchEngine
from core_search.cli.scoring import COMMANDS
from core_search.database import Database
from core_search.errors import UsageError
from core_search.evaluation.history import OWN_SET, History
from core_search.evaluation.judged_set import EXCLUDED_TAGS, JudgedSet
from core_search.evaluation.recorded import resume, setup_of


@pytest.fixture
def call(
    small: SearchEngine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs one of the commands and gives what it printed on stdout."""
    monkeypatch.setenv("CORE_SEARCH_HOME", str(small.settings.home))

    def run(name: str, *arguments: object) -> str:
        add_arguments, command = next((add, run) for known, _, add, run in COMMANDS if known == name)
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        command(parser.parse_args([str(argument) for argument in arguments]))
        return capsys.readouterr().out

    return run


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("q1 0 a 2\nq1 0 b 0\nq2 0 c 1\nq3 0 d 0\n", "utf-8")
    run.write_text("q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\nq9 Q0 a 1 1.0 t\n", "utf-8")
    return qrels, run


def test_score_prints_measures_per_query_and_overall_as_json(
    call: Callable[..., str], files: tuple[Path, Path]
) -> None:
    answer: dict[str, Any] = json.loads(call("score", *files, "--measures", "RR R@10,P@5", "--json"))
    assert answer["measures"] == ["RR", "R@10", "P@5"]
    assert answer["perQuery"] == {"q1": {"RR": 1 / 2, "R@10": 1, "P@5": 1 / 5}, "q2": {"RR": 0, "R@10": 0, "P@5": 0}}
    assert answer["overall"] == {"RR": 1 / 4, "R@10": 1 / 2, "P@5": 1 / 10}
    assert (answer["noResult"], answer["withoutRelevant"], answer["notJudged"]) == (["q2"], ["q3"], ["q9"])


def test_score_says_what_was_left_out(call: Callable[..., str], files: tuple[Path, Path]) -> None:
    text = call("score", *files)
    assert "mean of 2 queries" in text
    assert "no result, counted 0 (1): q2" in text
    assert "left out, nothing relevant is judged (1): q3" in text
    assert "left out, not judged (1): q9" in text


def test_measures_with_parameters_are_not_cut_at_their_comma(
    call: Callable[..., str], files: tuple[Path, Path]
) -> None:
    answer = json.loads(call("score", *files, "--measures", "P(rel=2,judged_only=True)@1,RR", "--json"))
    assert len(answer["measures"]) == 2


def test_evaluate_prints_a_table_and_stands_in_the_history_of_the_app(
    call: Callable[..., str], small: SearchEngine
) -> None:
    text = call("evaluate", "--workspace", "small")
    assert "4 judged queries of small" in text
    assert "all, BM25 alone" in text
    assert "tag food" in text
    assert "did not run, counted nowhere: 0" in text
    history = History(Database(small.settings))
    kept = history.recent("small", OWN_SET)[0]
    assert (kept.finished, kept.done, kept.setup.set_name) == (True, 4, "small, as loaded")
    assert f"{kept.summaries[10].means['nDCG@10']:.3f}" in text
    answer = json.loads(call("evaluate", "--workspace", "small", "--set", "limit=3", "--json"))
    newest = history.recent("small", OWN_SET)[0]
    assert newest.setup.changes == {"limit": 3}
    assert answer["search"]["overall"]["means"]["R@10"] == pytest.approx(newest.summaries[10].means["R@10"])


def test_an_evaluation_that_was_broken_off_is_gone_on_with(
    call: Callable[..., str], small: SearchEngine, judged: JudgedSet
) -> None:
    history = History(Database(small.settings))
    without = judged.without_tags(EXCLUDED_TAGS)
    begun = history.start(setup_of(small, without, {"limit": 4}))
    next(resume(small, history, begun, without))
    call("evaluate", "--workspace", "small", "--set", "limit=4")
    assert history.load(begun).finished


def test_evaluate_takes_files_and_leaves_out_what_is_asked(call: Callable[..., str], tmp_path: Path) -> None:
    queries, qrels = tmp_path / "queries.jsonl", tmp_path / "qrels.txt"
    queries.write_text('{"id": "mine", "query": "rye flour"}\n', "utf-8")
    qrels.write_text("mine 0 bread 3\n", "utf-8")
    answer = json.loads(
        call("evaluate", "--workspace", "small", "--queries", queries, "--qrels", qrels, "--by", "", "--json")
    )
    assert [outcome["id"] for outcome in answer["outcomes"]] == ["mine"]
    assert answer["search"]["groups"] == {}
    every = json.loads(call("evaluate", "--workspace", "small", "--exclude-tag", "", "--json"))
    assert "q5" in [outcome["id"] for outcome in every["outcomes"]]


def test_ablations_are_one_table(call: Callable[..., str]) -> None:
    text = call("evaluate", "--workspace", "small", "--ablations")
    for name in ("full", "BM25 alone", "no rerank", "no backstop", "no labels", "no statements", "router by hand"):
        assert f"\n{name}" in f"\n{text}"


def test_losses_take_a_qrels_file(call: Callable[..., str], tmp_path: Path) -> None:
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q1 0 bread 1\n", "utf-8")
    answer = json.loads(call("losses", qrels, "--workspace", "small", "--set", "token_budget=0", "--json"))
    assert [(row["stage"], row["code"], row["count"]) for row in answer["table"]] == [("budget", "over_budget", 1)]
    assert answer["perQuery"][0]["lost"][0]["item"] == "bread"
    assert "over_budget" in call("losses", qrels, "--workspace", "small", "--set", "token_budget=0")


def test_calibrate_prints_its_tables(call: Callable[..., str]) -> None:
    text = call("calibrate", "--workspace", "small", "--held-out", "small")
    for word in ("label_threshold", "in use", "best found, held out", "relevant lost"):
        assert word in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--by", "colour"), "unknown grouping 'colour'"),
        (("--depth", "0"), "--depth 0"),
        (("--exclude-tag", "food", "--exclude-tag", "sea", "--exclude-tag", "music", "--exclude-tag", "nothing",
          "--exclude-tag", "category-5"), "none of the queries of 'small' has a judgment"),
    ],
)  # fmt: skip
def test_wrong_use_is_told(call: Callable[..., str], arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        call("evaluate", "--workspace", "small", *arguments)
