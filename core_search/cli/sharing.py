"""The command that hands a search on: one HTML file, CSV tables, or OpenTelemetry spans."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from core_search.cli.memory import instant
from core_search.cli.progress import progress_bar
from core_search.comparison.report import compare
from core_search.comparison.side import LETTERS, MOST_SIDES, Side, side_of_result, side_of_run
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import UsageError
from core_search.evidence import comparison_html, comparison_tables, otlp, run_html, run_tables, zipped
from core_search.options import parse_settings
from core_search.records import Records
from core_search.results import SearchRequest

ENDINGS = (".html", ".zip", ".json")


def _evidence_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="?", help="what to search for; not with --run")
    parser.add_argument("--run", action="append", default=[], metavar="ID", dest="runs", help="a kept run instead")
    parser.add_argument("--workspace", default=SAMPLE)
    parser.add_argument("--now", help="the instant to search as of, ISO 8601 with offset")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    parser.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="KEY=VALUE[,…]",
        help="compare with the same search under these settings; may be given several times",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="name.html: one page that opens offline; name.zip: CSV tables; name.json: OpenTelemetry spans (OTLP JSON)",
    )
    parser.add_argument("--without-texts", action="store_true", help="leave out queries, texts, names and hints")


def _evidence(given: argparse.Namespace) -> None:
    ending = given.out.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(f"--out {str(given.out)!r} says not what to write; end it with one of {', '.join(ENDINGS)}")
    if bool(given.query) == bool(given.runs):
        raise UsageError("give either a query or --run ID, once or several times")
    sides = _kept(given.runs) if given.runs else _searched(given)
    if len(sides) > 1 and ending == ".json":
        raise UsageError("spans are of one search; write a comparison as .html or .zip")
    texts = not given.without_texts
    if ending == ".json":
        given.out.write_text(json.dumps(otlp(sides[0], texts), indent=1), encoding="utf-8")
    elif ending == ".html":
        page = run_html(sides[0], texts) if len(sides) == 1 else comparison_html(sides, compare(sides), texts)
        given.out.write_text(page, encoding="utf-8")
    else:
        tables = run_tables(sides[0], texts) if len(sides) == 1 else comparison_tables(sides, compare(sides), texts)
        given.out.write_bytes(zipped(tables))
    print(f"{given.out}: {given.out.stat().st_size:,} bytes" + ("" if texts else ", without texts"))


def _kept(run_ids: list[str]) -> list[Side]:
    if len(run_ids) > MOST_SIDES:
        raise UsageError(f"{len(run_ids)} runs cannot be compared; give at most {MOST_SIDES}")
    with SearchEngine() as engine:
        records = Records(engine.settings)
        return [side_of_run(records.load(id_), letter) for id_, letter in zip(run_ids, LETTERS, strict=False)]


def _searched(given: argparse.Namespace) -> list[Side]:
    own = parse_settings(given.set)
    changes: list[dict[str, Any]] = [own]
    changes += [{**own, **parse_settings([part for part in text.split(",") if part])} for text in given.against]
    if len(changes) > MOST_SIDES:
        raise UsageError(f"{len(changes)} searches cannot be compared; give at most {MOST_SIDES - 1} --against")
    now = instant(given.now) if given.now else None
    with SearchEngine() as engine:
        with progress_bar(given.workspace) as progress, engine.memory(given.workspace, progress):
            pass
        return [
            side_of_result(
                engine.search(SearchRequest(query=given.query, workspace=given.workspace, now=now, set=one)), letter
            )
            for one, letter in zip(changes, LETTERS, strict=False)
        ]


COMMANDS = (("evidence", "write a search or a comparison to hand on", _evidence_arguments, _evidence),)
