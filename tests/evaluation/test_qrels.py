from __future__ import annotations

from pathlib import Path

import pytest

from core_search.errors import BundleError, UsageError
from core_search.evaluation.qrels import qrels_of, read_qrels, relevant
from core_search.ingest.values import Qrel

GRADES = {"a": -1, "b": 0, "c": 1, "d": 3}


def write(folder: Path, text: str) -> Path:
    path = folder / "qrels.txt"
    path.write_text(text, "utf-8")
    return path


def test_a_line_is_a_grade_by_query_and_item(tmp_path: Path) -> None:
    path = write(tmp_path, "q1 0 a 2\nq1 0 conv-26/D1:3 -1\n\nq2\t0\tü 0\n")
    assert read_qrels(path) == {"q1": {"a": 2, "conv-26/D1:3": -1}, "q2": {"ü": 0}}


def test_every_fault_is_told_by_line(tmp_path: Path) -> None:
    path = write(tmp_path, "q1 0 a 2\nq1 a 2\nq1 0 b x\nq1 0 a 1\n")
    with pytest.raises(BundleError) as caught:
        read_qrels(path)
    assert [problem.split(":")[:2] for problem in caught.value.problems] == [["qrels.txt", n] for n in "234"]


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="has no judgment"):
        read_qrels(write(tmp_path, "\n"))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file '.*missing'"):
        read_qrels(tmp_path / "missing")


def test_relevant_are_the_grades_from_one_on() -> None:
    grades = qrels_of(Qrel(query_id="q", doc_id=item, grade=grade) for item, grade in GRADES.items())["q"]
    assert relevant(grades) == {"c", "d"}
    assert relevant(grades, 2) == {"d"}
