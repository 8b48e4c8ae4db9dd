"""Commands that measure: score, evaluate, losses, calibrate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.cli.querying import read_queries
from core_search.cli.scoring_text import (
    print_ablations,
    print_calibration,
    print_evaluation,
    print_losses,
    print_scores,
)
from core_search.database import Database
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import UsageError
from core_search.evaluation.ablations import ablate
from core_search.evaluation.calibration import PARTS, calibrate
from core_search.evaluation.history import History, own_set_name
from core_search.evaluation.judged_set import EXCLUDED_TAGS, JudgedSet, stored_set
from core_search.evaluation.losses import losses
from core_search.evaluation.measures import DEFAULT_MEASURES, score
from core_search.evaluation.outcomes import DEPTH, Outcome, run_sets
from core_search.evaluation.qrels import read_qrels
from core_search.evaluation.recorded import record
from core_search.evaluation.retrieval_report import GROUPINGS, report
from core_search.evaluation.runs import read_run
from core_search.ingest.values import Query
from core_search.options import parse_settings
from core_search.stores.base import Progress

# ---------------------------------------------------------------- score


def _score_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("qrels", type=Path, help="TREC qrels: query id, 0, item id, grade")
    parser.add_argument("run_file", type=Path, metavar="run", help="TREC run: query id, Q0, item id, rank, score, tag")
    parser.add_argument(
        "--measures",
        nargs="+",
        default=list(DEFAULT_MEASURES),
        metavar="MEASURE",
        help=f"measures of ir_measures (default: {' '.join(DEFAULT_MEASURES)})",
    )
    parser.add_argument("--json", action="store_true")


def _score(given: argparse.Namespace) -> None:
    # "nDCG@10 R@10", "nDCG@10,R@10" and separate words all name two measures; a comma in parentheses parts parameters.
    measures = [name for text in given.measures for name in _split(text)]
    scores = score(read_qrels(given.qrels), read_run(given.run_file), measures)
    print_json(scores.wire()) if given.json else print_scores(scores)


def _split(text: str) -> list[str]:
    depth, name, names = 0, "", []
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth == 0 and (char == "," or char.isspace()):
            names.append(name)
            name = ""
        else:
            name += char
    return [name for name in (*names, name) if name]


# ---------------------------------------------------------------- evaluate


def _set_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--workspace",
        action="append",
        help=f"may be given several times, every query counts the same (default: {SAMPLE})",
    )
    parser.add_argument("--queries", type=Path, help="JSONL; default: the queries that the workspace was loaded with")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    parser.add_argument(
        "--exclude-tag",
        action="append",
        metavar="TAG",
        help=f"leave out queries of that tag (default: {', '.join(EXCLUDED_TAGS)}, LoCoMo's questions without an "
        "answer); an empty one leaves out nothing",
    )
    parser.add_argument("--json", action="store_true")


def _evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    _set_arguments(parser)
    parser.add_argument("--qrels", type=Path, help="TREC qrels; default: those that the workspace was loaded with")
    parser.add_argument("--depth", type=int, default=DEPTH, help=f"episodes per query (default: {DEPTH})")
    parser.add_argument("--by", default=",".join(GROUPINGS), help=f"groupings, of {', '.join(GROUPINGS)}")
    parser.add_argument("--ablations", action="store_true", help="also with one part taken out at a time")


def _evaluate(given: argparse.Namespace) -> None:
    by = [name for name in given.by.split(",") if name]
    for name in by:
        if name not in GROUPINGS:
            raise UsageError(f"unknown grouping {name!r}; known are {', '.join(GROUPINGS)}")
    if given.depth < 1:
        raise UsageError(f"--depth {given.depth} keeps nothing; give {DEPTH} for every measure of the report")
    changes = parse_settings(given.set)
    with SearchEngine() as engine, progress_bar("evaluate") as progress:
        sets = _sets(engine, given, given.qrels)
        if given.ablations:
            ablations = ablate(engine, sets, changes, depth=given.depth, progress=progress)
        else:
            outcomes = _outcomes(engine, given, sets, changes, progress)
            evaluation = report(engine, sets, outcomes, changes, depth=given.depth, by=by)
    if given.ablations:
        print_json([ablation.wire() for ablation in ablations]) if given.json else print_ablations(ablations)
    else:
        print_json(evaluation.wire()) if given.json else print_evaluation(evaluation)


def _outcomes(
    engine: SearchEngine,
    given: argparse.Namespace,
    sets: Sequence[JudgedSet],
    changes: Mapping[str, Any],
    progress: Progress,
) -> list[Outcome]:
    """Run the queries. Whole evaluations of what a workspace was loaded with go into the history of the app."""
    as_loaded = not given.queries and not given.qrels and given.exclude_tag is None and given.depth == DEPTH
    if not as_loaded or engine.settings.read_only:
        return run_sets(engine, sets, changes=changes, depth=given.depth, progress=progress)
    history = History(Database(engine.settings))
    outcomes: list[Outcome] = []
    for judged in sets:
        name = own_set_name(judged.workspace)
        kept = record(engine, history, judged, changes, progress, set_name=name)
        outcomes += (query.outcome for query in history.queries(kept))
        print(f"{judged.workspace}: kept in the history as {kept}", file=sys.stderr)
    return outcomes


def _sets(engine: SearchEngine, given: argparse.Namespace, qrels: Path | None) -> list[JudgedSet]:
    """The judged queries of every workspace: its own, or those of files."""
    names = given.workspace or [SAMPLE]
    queries: Sequence[Query] | None = read_queries(given.queries) if given.queries else None
    grades = read_qrels(qrels) if qrels else None
    if queries is not None and len(names) > 1:
        raise UsageError("--queries is about one workspace; give one --workspace with it")
    tags = EXCLUDED_TAGS if given.exclude_tag is None else [tag for tag in given.exclude_tag if tag]
    sets = []
    for name in names:
        if queries is not None and grades is not None:
            judged = JudgedSet(name, tuple(queries), grades)
        else:
            stored = stored_set(engine, name)
            judged = JudgedSet(
                name,
                stored.queries if queries is None else tuple(queries),
                stored.qrels if grades is None else grades,
            )
        judged = judged.without_tags(tags)
        if not any(True for _ in judged.judged()):
            raise UsageError(f"none of the queries of {name!r} has a judgment; check that both name the same query ids")
        sets.append(judged)
    return sets


# ---------------------------------------------------------------- losses


def _losses_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("qrels", type=Path, nargs="?", help="TREC qrels; default: those of the workspace")
    _set_arguments(parser)
    parser.add_argument("--grade", type=int, default=1, help="the lowest grade that counts as relevant (default: 1)")


def _losses(given: argparse.Namespace) -> None:
    with SearchEngine() as engine, progress_bar("losses") as progress:
        sets = _sets(engine, given, given.qrels)
        found = losses(engine, sets, parse_settings(given.set), given.grade, progress)
    print_json(found.wire()) if given.json else print_losses(found)


# ---------------------------------------------------------------- calibrate


def _calibrate_arguments(parser: argparse.ArgumentParser) -> None:
    _set_arguments(parser)
    parser.add_argument("--qrels", type=Path, help="TREC qrels; default: those that the workspace was loaded with")
    parser.add_argument(
        "--held-out", action="append", default=[], metavar="WORKSPACE", help="measure the weights there"
    )
    parser.add_argument("--only", choices=PARTS, action="append", help="one of the tables (default: all)")


def _calibrate(given: argparse.Namespace) -> None:
    with SearchEngine() as engine, progress_bar("calibrate") as progress:
        sets = _sets(engine, given, given.qrels)
        held_out = [stored_set(engine, name).without_tags(EXCLUDED_TAGS) for name in given.held_out]
        found = calibrate(engine, sets, held_out, given.only or PARTS, progress)
    print_json(found.wire()) if given.json else print_calibration(found)


COMMANDS = (
    ("score", "measure a run against judgments", _score_arguments, _score),
    ("evaluate", "search judged queries and report how good the rankings are", _evaluate_arguments, _evaluate),
    ("losses", "at which stage relevant items get lost, and why", _losses_arguments, _losses),
    ("calibrate", "the tables behind thresholds, weights and floors", _calibrate_arguments, _calibrate),
)
