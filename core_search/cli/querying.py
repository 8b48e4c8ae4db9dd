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
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import BundleError, SearchFailed, UsageError
from core_search.evaluation.variants import RANKED
from core_search.ingest.values import Query
from core_search.options import parse_settings
from core_search.results import SearchRequest, SearchResult


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query")
    _common(parser)
    parser.add_argument("--now", type=str, help="the instant to search as of, ISO 8601 with offset")
    parser.add_argument("--router-output", type=Path, help="a JSON file that stands in for the extraction")
    parser.add_argument("--json", action="store_true", help="print the whole result with its trace")


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default=SAMPLE)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")


def _search(given: argparse.Namespace) -> int:
    request = SearchRequest(
        query=given.query,
        workspace=given.workspace,
        now=instant(given.now) if given.now else None,
        set=parse_settings(given.set),
        router_output=_router_output(given.router_output) if given.router_output else None,
    )
    with SearchEngine() as engine:
        with progress_bar(given.workspace) as progress, engine.memory(given.workspace, progress):
            pass
        try:
            result = engine.search(request)
        except SearchFailed as failed:
            if not given.json:
                raise
            print_json({"error": str(failed), "trace": failed.trace.wire()})
            print(f"core-search: {failed}", file=sys.stderr)
            return 1
    print_json(result.wire()) if given.json else _print_result(result)
    return 0


def _router_output(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"the router output {str(path)!r} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise UsageError(f"the router output {str(path)!r} must be one JSON object, as the README shows")
    return data


def _print_result(result: SearchResult) -> None:
    router = result.router
    print(f"{result.query!r} in {result.workspace}, as of {result.now.isoformat()}")
    print(f"route: {router.query_type}, confidence {router.confidence:.2f}; {_route_words(result)}")
    print(f"gate: {'open' if result.gate.open else 'closed'}, {result.gate.reason}")
    for reason in result.degraded:
        print(f"degraded: {reason}")
    if result.entity:
        attribute = result.entity.attribute
        print(f"\n{result.entity.name} ({result.entity.type})")
        if attribute:
            print(f"  {attribute.key} = {attribute.value}")
    if result.statements:
        print("\nstatements" + (" (a chain)" if result.chain else ""))
        for statement in result.statements:
            print(f"  {one_line(statement.fact, 150)}")
    if result.facets:
        _print_facets(result)
    if result.episodes:
        print("\nepisodes")
    for rank, episode in enumerate(result.episodes, 1):
        score = f"{episode.score_name} {episode.score:.3f}" if episode.score is not None else "no score"
        print(f"{rank:3} {episode.valid_at:%Y-%m-%d} {score} {episode.uuid}")
        print(f"    {one_line(episode.content, 150)}")
    if result.voice_statements:
        print("\nvoice statements")
        for statement in result.voice_statements:
            print(f"  {statement.aspect}: {one_line(statement.fact, 130)}")
    if result.is_empty:
        print("\nnothing found")
    _print_trace(result)


def _route_words(result: SearchResult) -> str:
    router = result.router
    labels = ", ".join(f"{label.label_name} {label.score:.2f}" for label in router.matched_labels)
    parts = [
        f"aspects {', '.join(router.aspects)}" if router.aspects else "",
        f"hints {', '.join(router.entity_hints)}" if router.entity_hints else "",
        f"attribute {router.attribute_hint}" if router.attribute_hint else "",
        f"labels {labels}" if labels else "",
        f"time {router.temporal.type}" if router.temporal.type != "all" else "",
    ]
    return "; ".join(part for part in parts if part)


def _print_facets(result: SearchResult) -> None:
    facets = result.facets
    assert facets is not None
    print(f"\n{facets.stats.episodes} episodes, {facets.stats.statements} statements")
    for title, rows in (
        ("topics", [(t.label_name, t.episode_count) for t in facets.topics]),
        ("entities", [(e.entity_name, e.mention_count) for e in facets.entities]),
        ("aspects", [(str(a.aspect), a.statement_count) for a in facets.aspects]),
    ):
        if rows:
            print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in rows[:20]))


def _print_trace(result: SearchResult) -> None:
    print(f"\n{'stage':9} {'status':8} {'in':>5} {'out':>5} {'dropped':>8} {'ms':>8}")
    for stage in result.trace.stages:
        line = f"{stage.name:9} {stage.status:8} {stage.in_:5} {stage.out:5} {stage.dropped:8} {stage.duration_ms:8.1f}"
        print(f"{line}  {stage.note}".rstrip())
    budget = result.budget
    print(f"{budget.used:,} of {budget.limit:,} tokens, {result.trace.duration_ms:.0f} ms")
    for entry in result.trace.stage("budget").ledger:
        if entry.code:
            print(f"  {entry.code}: {entry.kind} {entry.id}, {entry.detail['tokens']:,} tokens")


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
            out.writelines(trec_lines(query.id, result, given.depth))
    Path(out.name).replace(given.out)
    for line in failed:
        print(f"did not run: {line}", file=sys.stderr)
    print(f"{len(queries) - len(failed)} of {len(queries)} queries: {given.out}")
    if failed:
        raise UsageError(f"{len(failed)} queries did not run")


def trec_lines(query_id: str, result: SearchResult, depth: int) -> list[str]:
    """Lines of a TREC run: episodes only, rank from 1, scores falling with the rank."""
    episodes = [episode for episode in result.episodes if episode.kind == "episode"][:depth]
    return [
        f"{query_id} Q0 {episode.uuid} {rank} {len(episodes) - rank + 1} core-search\n"
        for rank, episode in enumerate(episodes, 1)
    ]


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
