"""Commands that ask a memory: search, route, run."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from tqdm import tqdm

from core_search.cli.memory import instant
from core_search.cli.output import one_line, print_json
from core_search.cli.progress import progress_bar
from core_search.cli.result_text import print_result
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import BundleError, SearchFailed, UsageError
from core_search.evaluation.runs import run_text
from core_search.evaluation.variants import RANKED, episodes_of
from core_search.forks import fork, request_of
from core_search.ingest.values import Query
from core_search.options import parse_settings
from core_search.records import Records
from core_search.results import SearchRequest
from core_search.trace import STAGES


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="?", help="left out with --from")
    _common(parser)
    parser.add_argument("--now", type=str, help="the instant to search as of, ISO 8601 with offset")
    parser.add_argument("--router-output", type=Path, help="a JSON file that stands in for the extraction")
    parser.add_argument(
        "--from", dest="from_run", metavar="RUN", help="fork a kept run: what is before --stage is taken over"
    )
    parser.add_argument("--stage", choices=STAGES, help="where the fork starts; default: where the changes act first")
    parser.add_argument("--keep", action="store_true", help="keep the run, so that the app and --from find it")
    parser.add_argument("--json", action="store_true", help="print the whole result with its trace")


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default=SAMPLE)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")


def _search(given: argparse.Namespace) -> int:
    with SearchEngine() as engine:
        request = _request(engine, given)
        with progress_bar(request.workspace) as progress, engine.memory(request.workspace, progress):
            pass
        try:
            result = engine.search(request)
        except SearchFailed as failed:
            if not given.json:
                raise
            print_json({"error": str(failed), "trace": failed.trace.wire()})
            print(f"core-search: {failed}", file=sys.stderr)
            return 1
        run_id = Records(engine.settings).save(result) if given.keep else None
    print_json(result.wire()) if given.json else print_result(result)
    if run_id:
        print(f"kept as run {run_id}", file=sys.stderr)
    return 0


def _request(engine: SearchEngine, given: argparse.Namespace) -> SearchRequest:
    changes = parse_settings(given.set)
    router_output = _router_output(given.router_output) if given.router_output else None
    if given.from_run:
        kept = Records(engine.settings).load(given.from_run)
        if kept.result is None:
            raise UsageError(f"run {given.from_run!r} failed and has no result to fork; search again instead")
        request = request_of(engine, kept.result)
        return fork(
            kept.result, request, changes, stage=given.stage, router_output=router_output, run_id=given.from_run
        )
    if given.query is None or given.stage:
        given.parser.error("give a query, or --from RUN; --stage goes with --from")
    return SearchRequest(
        query=given.query,
        workspace=given.workspace,
        now=instant(given.now) if given.now else None,
        set=changes,
        router_output=router_output,
    )


def _router_output(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"the router output {str(path)!r} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(f"the router output {str(path)!r} must be one JSON object, as the README shows")
    return data


def _route_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("queries", type=Path, help="JSONL with id, query and optionally now")
    _common(parser)
    parser.add_argument("--json", action="store_true", help="a line of JSON a query")


def _route(given: argparse.Namespace) -> None:
    queries = read_queries(given.queries)
    with SearchEngine() as engine:
        for query in queries:
            request = SearchRequest(
                query=query.query, workspace=given.workspace, now=query.now, set=parse_settings(given.set)
            )
            output = engine.route(request)
            if given.json:
                print(json.dumps({"id": query.id, "query": query.query, **output.wire()}))
            else:
                hints = ", ".join(output.entity_hints)
                print(f"{query.id}\t{output.query_type}\t{output.confidence:.2f}\t{hints}\t{one_line(query.query, 80)}")


def _run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("queries", type=Path, help="JSONL with id, query and optionally now")
    _common(parser)
    parser.add_argument("--out", type=Path, required=True, help="the TREC run file to write")
    parser.add_argument("--depth", type=int, default=100, help="ranks per query")


def _run(given: argparse.Namespace) -> None:
    queries = read_queries(given.queries)
    if given.depth < 1:
        raise UsageError(f"--depth {given.depth} keeps nothing; give 1 or more")
    changes = {**RANKED, **parse_settings(given.set)}
    failed = []
    with SearchEngine() as engine, given.out.with_suffix(given.out.suffix + ".part").open("w", encoding="utf-8") as out:
        for query in tqdm(queries, desc="searching", file=sys.stderr, unit="query"):
            request = SearchRequest(query=query.query, workspace=given.workspace, now=query.now, set=changes)
            try:
                result = engine.search(request)
            except SearchFailed as error:
                failed.append(f"{query.id}: {error}")
                continue
            out.write(run_text({query.id: episodes_of(result, given.depth)}))
    Path(out.name).replace(given.out)
    for line in failed:
        print(f"did not run: {line}", file=sys.stderr)
    print(f"{len(queries) - len(failed)} of {len(queries)} queries: {given.out}")
    if failed:
        raise UsageError(f"{len(failed)} queries did not run")


def read_queries(path: Path) -> list[Query]:
    """The queries of a JSONL file; every problem at once."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the queries {str(path)!r} cannot be read: {error}") from None
    queries: list[Query] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            known = {key: data[key] for key in ("id", "query", "now") if key in data}
            queries.append(Query.model_validate(known))
        except (ValueError, TypeError, ValidationError) as error:
            problems.append(f"{path.name}:{number}: {one_line(str(error), 200)}")
    if problems:
        raise BundleError(problems)
    if not queries:
        raise UsageError(f'{str(path)!r} has no query; a line is {{"id": "q1", "query": "…"}}')
    return queries


COMMANDS = (
    ("search", "search a memory and show the result with its trace", _search_arguments, _search),
    ("route", "only stage 1: what the query was understood as", _route_arguments, _route),
    ("run", "search a query set and write a TREC run", _run_arguments, _run),
)
