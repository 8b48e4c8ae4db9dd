"""The command that measures the router on labelled queries."""

from __future__ import annotations

import argparse
from pathlib import Path

from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.engine import SAMPLE, SAMPLE_DATA, SearchEngine
from core_search.evaluation.labelled_queries import load_labelled_queries
from core_search.evaluation.workspace_routing import report_routing

LABELLED = SAMPLE_DATA / "labelled" / "router_queries.jsonl"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "queries", type=Path, nargs="?", default=LABELLED, help="labelled JSONL (default: the sample's)"
    )
    parser.add_argument("--workspace", default=SAMPLE, help="whose names and labels the router knows")
    parser.add_argument("--part", help="only the queries of this part, such as tune or report")
    parser.add_argument("--json", action="store_true")


def _report(given: argparse.Namespace) -> None:
    queries = load_labelled_queries(given.queries)
    if given.part:
        queries = tuple(query for query in queries if query.part == given.part)
    with SearchEngine() as engine, progress_bar("route-report") as progress:
        report = report_routing(engine, given.workspace, queries, progress)
    print_json(report.wire()) if given.json else print(report.as_text())


COMMANDS = (("route-report", "how well labelled queries are understood", _arguments, _report),)
