"""Runs: ranked item ids by query, from TREC run files and to them.

The order is the one of trec_eval: by score, highest first; equal scores by item id, descending as text. The rank
column is not read. A run is kept as order alone, so that no measure can break a tie in another way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from core_search.errors import UsageError
from core_search.evaluation.trec import read_words
from core_search.ingest.problems import Problems

Run = Mapping[str, tuple[str, ...]]  # item ids by query id, best first


def read_run(path: Path) -> dict[str, tuple[str, ...]]:
    """The rankings of a TREC run file: `query-id Q0 item-id rank score tag` a line.

    All faults are told at once in one `BundleError`: a wrong number of words, a score that is no finite number, an
    item that is ranked twice for one query. An empty file is a run without results.
    """
    scored: dict[str, dict[str, float]] = {}
    lines: dict[tuple[str, str], int] = {}
    problems = Problems()
    columns = ("query id", "Q0", "item id", "rank", "score", "tag")
    for line, (query_id, _, item, _, score, _) in read_words(path, columns, problems):
        first = lines.setdefault((query_id, item), line)
        if first != line:
            problems.add(path.name, line, "item id", f"{item!r} is ranked for {query_id!r} on line {first}; keep one")
        elif (value := _number(score)) is None:
            problems.add(path.name, line, "score", f"{score!r} is no finite number; write one such as 0.75")
        else:
            scored.setdefault(query_id, {})[item] = value
    problems.raise_if_any()
    return {query_id: ranking(scores) for query_id, scores in scored.items()}


def run_text(run: Run, tag: str = "core-search") -> str:
    """A TREC run file: ranks from 1, scores that fall with the rank. An id that it cannot hold is an error."""
    lines = []
    for query_id, items in run.items():
        for rank, item in enumerate(items, 1):
            if item.split() != [item]:
                raise UsageError(f"{item!r} has white space, which a TREC file cannot hold")
            lines.append(f"{query_id} Q0 {item} {rank} {len(items) - rank + 1} {tag}\n")
    return "".join(lines)


def ranking(scores: Mapping[str, float]) -> tuple[str, ...]:
    """Item ids, best score first, equal scores by id descending: trec_eval's order."""
    by_id = sorted(scores, reverse=True)
    return tuple(sorted(by_id, key=lambda item: -scores[item]))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
