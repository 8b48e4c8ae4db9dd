"""Judgments: from TREC qrels files and from a memory's own query set, as grades by query and item."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from core_search.evaluation.trec import read_words
from core_search.ingest.problems import Problems
from core_search.ingest.values import Qrel

Qrels = Mapping[str, Mapping[str, int]]  # grade by query id and item id; 0 and less mean not relevant
RELEVANT = 1  # the lowest grade that counts as relevant, as in trec_eval


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """The judgments of a TREC file: `query-id iteration item-id grade` a line, queries in the order of the file.

    All faults are told at once in one `BundleError`: a wrong number of words, a grade that is no whole number,
    a pair that is judged twice.
    """
    qrels: dict[str, dict[str, int]] = {}
    lines: dict[tuple[str, str], int] = {}
    problems = Problems()
    for line, (query_id, _, item, grade) in read_words(path, ("query id", "0", "item id", "grade"), problems):
        first = lines.setdefault((query_id, item), line)
        if first != line:
            problems.add(path.name, line, "item id", f"{item!r} is judged for {query_id!r} on line {first}; keep one")
        elif not re.fullmatch(r"[+-]?[0-9]{1,9}", grade):
            problems.add(path.name, line, "grade", f"{grade!r} is no whole number; write 0, 1, 2 or 3")
        else:
            qrels.setdefault(query_id, {})[item] = int(grade)
    if not problems.count and not qrels:
        problems.add(path.name, None, "file", "has no judgment; a line is 'q1 0 episode-uuid 2'")
    problems.raise_if_any()
    return qrels


def qrels_of(judgments: Iterable[Qrel]) -> dict[str, dict[str, int]]:
    """The judgments of a memory's query set."""
    qrels: dict[str, dict[str, int]] = {}
    for judgment in judgments:
        qrels.setdefault(judgment.query_id, {})[judgment.doc_id] = judgment.grade
    return qrels


def relevant(grades: Mapping[str, int], minimum: int = RELEVANT) -> set[str]:
    """The items of one query that are graded `minimum` or better."""
    return {item for item, grade in grades.items() if grade >= minimum}
