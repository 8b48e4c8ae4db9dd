from __future__ import annotations

from pathlib import Path

import pytest

from core_search.errors import BundleError, UsageError
from core_search.evaluation.runs import read_run, run_text


def write(folder: Path, text: str) -> Path:
    path = folder / "run.txt"
    path.write_text(text, "utf-8")
    return path


def test_scores_decide_and_equal_ones_stand_by_id_descending(tmp_path: Path) -> None:
    # The rank column contradicts the scores on purpose: it is not read.
    lines = ("q1 Q0 a 1 0.5 t", "q1 Q0 b 2 0.9 t", "q1 Q0 c 3 0.5 t", "q2 Q0 z 1 -1e3 t")
    assert read_run(write(tmp_path, "\n".join(lines))) == {"q1": ("b", "c", "a"), "q2": ("z",)}


def test_an_empty_file_is_a_run_without_results(tmp_path: Path) -> None:
    assert read_run(write(tmp_path, "")) == {}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("q1 Q0 a 1 0.5", "5 words; write 6"),
        ("q1 Q0 a 1 nan t", "'nan' is no finite number"),
        ("q1 Q0 a 1 high t", "'high' is no finite number"),
        ("q1 Q0 first 9 0.1 t", "'first' is ranked for 'q1' on line 1"),
    ],
)
def test_faults_are_told_by_line(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(BundleError) as caught:
        read_run(write(tmp_path, f"q1 Q0 first 1 1 t\n{line}\n"))
    assert caught.value.problems[0].startswith("run.txt:2: ")
    assert says in caught.value.problems[0]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    run = {"q1": ("b", "a"), "q2": ("c",)}
    path = tmp_path / "run.txt"
    path.write_text(run_text(run), "utf-8")
    assert path.read_text("utf-8").splitlines()[0] == "q1 Q0 b 1 2 core-search"
    assert read_run(path) == run
    with pytest.raises(UsageError, match="white space"):
        run_text({"q1": ("a b",)})
