"""The report of a small memory is complete; its figures are not judged here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core_search import Settings
from core_search.bench.measure import PARTS, percentile
from core_search.bench.questions import KINDS
from core_search.bench.report import run
from core_search.bench.stored import Build, workspace_name
from core_search.bench.targets import Target, targets_of
from core_search.cli import main
from core_search.cli.benchmark import _number, _print
from core_search.errors import UsageError

EPISODES = 200
FIGURES = {"p50Ms", "p95Ms", "floorP50Ms", "ratio"}


@pytest.fixture(scope="module")
def report(bench_settings: Settings, bench_home: Path, monkeypatch_module: pytest.MonkeyPatch) -> dict:
    # The memory is there; only how it was made is not on record.
    made = {"seconds": 1.0, "peak_memory_mb": 500.0, "synthetic_vectors": True}
    (bench_home / f"{workspace_name(EPISODES)}.build.json").write_text(json.dumps(made))
    return run(bench_settings, EPISODES, 1)


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_it_has_every_key(report: dict):
    assert report["overall"].keys() >= FIGURES
    assert report["routedByRules"].keys() >= FIGURES
    assert set(report["queryTypes"]) == set(KINDS)
    assert all(FIGURES | {"handlerP50Ms"} <= figures.keys() for figures in report["queryTypes"].values())
    assert set(report["stages"]) == set(PARTS)
    assert all(part.keys() == FIGURES for part in report["stages"].values())
    assert set(report["floorByEngine"]) == {"kuzu", "chroma", "bm25s", "embedding"}
    assert report["overall"]["searches"] == 2 * len(KINDS) - 1
    assert (report["episodes"], report["statements"], report["syntheticVectors"]) == (EPISODES, 3 * EPISODES, True)
    assert report["loading"] is None
    assert report["growth"] is None
    assert [target["name"] for target in report["targets"]] == [target.name for target in targets_of(report)]


def test_it_is_kept_as_json(report: dict, bench_home: Path):
    assert json.loads((bench_home / f"{workspace_name(EPISODES)}.report.json").read_text()) == report


def test_every_search_was_faster_than_nothing(report: dict):
    assert all(figures["p50Ms"] > 0 < figures["floorP50Ms"] for figures in report["queryTypes"].values())


def test_it_prints_a_table(report: dict, capsys: pytest.CaptureFixture[str]):
    _print(report)
    printed = capsys.readouterr().out
    assert all(name in printed for name in (*KINDS, "stage rerank", "search p50 ms", "not measured"))


def test_growth_and_loading_are_judged_when_they_were_measured(report: dict):
    known = {**report, "growth": {"episodes": 1_000, "factor": 3.5}, "loading": {"ratio": 1.1}}
    verdicts = {target.name: target.verdict for target in targets_of(known)}
    assert (verdicts["growth from 1,000"], verdicts["load / raw parts"]) == ("fail", "pass")


@pytest.mark.parametrize(("value", "verdict"), [(None, "not measured"), (2.0, "pass"), (2.1, "fail")])
def test_a_limit_may_be_reached(value: float | None, verdict: str):
    assert Target("x", value, 2.0).verdict == verdict


@pytest.mark.parametrize(("episodes", "each"), [(99, 1), (200, 0)])
def test_too_little_is_refused(bench_settings: Settings, episodes: int, each: int):
    with pytest.raises(UsageError, match="too few"):
        run(bench_settings, episodes, each)


@pytest.mark.parametrize("fewer", [99, 200])
def test_a_comparison_is_with_a_smaller_memory(bench_settings: Settings, fewer: int):
    with pytest.raises(UsageError, match="cannot be compared"):
        run(bench_settings, 200, 1, compare=fewer)


def test_the_command_says_what_is_wrong_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "--episodes", "99", "--home", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "core-search: 99 episodes and 20 queries are too few; take 100 and 1 or more\n"


def test_percentiles_lie_between_neighbours():
    assert percentile([1, 2, 3, 4], 50) == 2.5
    assert percentile([], 95) == 0


@pytest.mark.parametrize(("value", "shown"), [(None, "-"), (0.1234, "0.12"), (12.34, "12.3"), (1234.5, "1,234")])
def test_numbers_have_three_digits(value: float | None, shown: str):
    assert _number(value) == shown


def test_a_build_is_plain_data():
    assert Build(1.0, 2.0, True) == Build(seconds=1.0, peak_memory_mb=2.0, synthetic_vectors=True)
