"""Queries of a set from a CSV or JSON Lines file."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from core_search.errors import UsageError
from core_search.ingest.problems import Problems
from core_search.ingest.values import Query
from core_search.judgments.exchange import add_problems, csv_rows, json_rows

TAG_SEPARATOR = ";"


def read_queries(data: bytes, name: str) -> list[Query]:
    """The queries of an uploaded file: `query`, and where they are there `id, need, tags, now, type`.

    In CSV tags are separated by semicolons. A query without an id gets the number of its place, as q7. Everything
    that is wrong is told at once, as `BundleError`.
    """
    problems = Problems()
    lower = name.lower()
    if lower.endswith(".csv"):
        rows = csv_rows(data, name)
    elif lower.endswith(".jsonl"):
        rows = json_rows(data, name, problems)
    else:
        raise UsageError(f"{name!r} is no file of queries; its name must end in .csv or .jsonl")
    queries: list[Query] = []
    lines: dict[str, int] = {}
    for place, (line, row) in enumerate(rows, 1):
        try:
            query = Query.model_validate(_whole(row, place))
        except ValidationError as error:
            add_problems(problems, name, line, error)
            continue
        first = lines.setdefault(query.id, line)
        if first != line:
            problems.add(name, line, "id", f"{query.id!r} stands on line {first}; give each query its own id")
        queries.append(query)
    if not problems.count and not queries:
        problems.add(name, None, "file", "has no queries; a CSV file needs a column 'query'")
    problems.raise_if_any()
    return queries


def _whole(row: dict[str, Any], place: int) -> dict[str, Any]:
    row = {"id": f"q{place}", **row}
    if isinstance(row.get("tags"), str):
        row["tags"] = [tag.strip() for tag in row["tags"].split(TAG_SEPARATOR) if tag.strip()]
    return row
