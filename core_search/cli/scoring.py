"""Commands that measure: score, evaluate, losses, calibrate."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.cli.querying import read_queries
from core_search.cli.tables import listed, table
from core_search.engine import SAMPLE, SearchEngine
from core_search.errors import UsageError
from core_search.evaluation.ablations import Ablation, ablate
from core_search.evaluation.calibration import PARTS, Calibration, calibrate
from core_search.evaluation.floors import FloorRow
from core_search.evaluation.judged_set import EXCLUDED_TAGS, JudgedSet, stored_set
from core_search.evaluation.losses import Losses, losses
from core_search.evaluation.measures import DEFAULT_MEASURES, Scores, Summary, score
from core_search.evaluation.outcomes import DEPTH
from core_search.evaluation.qrels import read_qrels
from core_search.evaluation.retrieval_report import GROUPINGS, Evaluation, evaluate
from core_search.evaluation.runs import read_run
from core_search.ingest.values import Query
from core_search.options import parse_settings

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
    print_json(scores.wire()) if given.json else _print_scores(scores)


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


def _print_scores(scores: Scores) -> None:
    print(table(("query", *scores.measures), [(id_, *row.values()) for id_, row in scores.per_query.items()]))
    print(f"\nmean of {scores.queries} queries")
    rows = []
    for name in scores.overall:
        low, high = scores.intervals[name]
        worst, best = scores.ranges.get(name, (None, None))
        rows.append((name, scores.overall[name], f"{low:.3f}..{high:.3f}", scores.judged.get(name), worst, best))
    print(table(("measure", "mean", "95 % interval", "judged", "pessimistic", "optimistic"), rows))
    for line in (
        listed("no result, counted 0", scores.no_result),
        listed("left out, nothing relevant is judged", scores.without_relevant),
        listed("left out, not judged", scores.not_judged),
    ):
        if line:
            print(line)


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
            evaluation = evaluate(engine, sets, changes, depth=given.depth, by=by, progress=progress)
    if given.ablations:
        print_json([ablation.wire() for ablation in ablations]) if given.json else _print_ablations(ablations)
    else:
        print_json(evaluation.wire()) if given.json else _print_evaluation(evaluation)


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


def _print_evaluation(evaluation: Evaluation) -> None:
    workspaces = ", ".join(f"{name} ({print_})" for name, print_ in evaluation.workspaces.items())
    print(f"{evaluation.queries} judged queries of {workspaces}, {evaluation.depth} episodes deep")
    print("; ".join(f"{part}: {what}" for part, what in evaluation.providers.items()))
    if evaluation.changes:
        print("set: " + ", ".join(f"{key}={value}" for key, value in evaluation.changes.items()))
    measures = evaluation.measures
    rows = [_row("all", evaluation.search.overall, measures)]
    if evaluation.bm25:
        rows.append(_row("all, BM25 alone", evaluation.bm25.overall, measures))
    for grouping, groups in evaluation.search.groups.items():
        for group, summary in groups.items():
            rows.append(_row(f"{grouping} {group}", summary, measures))
            if evaluation.bm25:
                rows.append(_row("  BM25 alone", evaluation.bm25.groups[grouping][group], measures))
    print("\n" + table(("", "queries", *measures), rows))
    low_high = (f"{name} {low:.3f}..{high:.3f}" for name, (low, high) in evaluation.search.overall.intervals.items())
    print("95 % intervals: " + ", ".join(low_high))
    print("R@pool: the relevant items that reached the reranker; Judged@10: the share of the top 10 that is judged")
    print(f"time of a search: median {evaluation.median_ms:.0f} ms, p95 {evaluation.p95_ms:.0f} ms")
    print(f"gate closed: {evaluation.gate_closed}; degraded: {evaluation.degraded}")
    for line in (
        f"did not run, counted nowhere: {len(evaluation.did_not_run)}",
        *(f"  {row.workspace} {row.id}: {row.problem}" for row in evaluation.did_not_run),
        listed("left out, nothing relevant is judged", evaluation.without_relevant),
    ):
        if line:
            print(line)


def _row(name: str, summary: Summary, measures: Sequence[str]) -> tuple[Any, ...]:
    return (name, summary.queries, *(summary.means.get(measure) for measure in measures))


def _print_ablations(ablations: Sequence[Ablation]) -> None:
    measures = ablations[0].evaluation.measures
    rows = []
    for ablation in ablations:
        evaluation = ablation.evaluation
        low, high = ablation.difference_interval.get("R@10", (0.0, 0.0))
        rows.append(
            (
                *_row(evaluation.name, evaluation.search.overall, measures),
                len(evaluation.did_not_run),
                f"{ablation.difference.get('R@10', 0.0):+.3f} ({low:+.3f}..{high:+.3f})",
            )
        )
        if evaluation.bm25:
            rows.append((*_row("BM25 alone", evaluation.bm25.overall, measures), 0, "-"))
    print(table(("", "queries", *measures, "did not run", "R@10 against full (95 %)"), rows))
    for ablation in ablations:
        print(f"{ablation.evaluation.name}: {ablation.evaluation.says}")


# ---------------------------------------------------------------- losses


def _losses_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("qrels", type=Path, nargs="?", help="TREC qrels; default: those of the workspace")
    _set_arguments(parser)
    parser.add_argument("--grade", type=int, default=1, help="the lowest grade that counts as relevant (default: 1)")


def _losses(given: argparse.Namespace) -> None:
    with SearchEngine() as engine, progress_bar("losses") as progress:
        sets = _sets(engine, given, given.qrels)
        report = losses(engine, sets, parse_settings(given.set), given.grade, progress)
    print_json(report.wire()) if given.json else _print_losses(report)


def _print_losses(report: Losses) -> None:
    print(
        f"{report.queries} queries, {report.relevant} relevant items: {report.returned} returned, {report.lost} lost\n"
    )
    print(table(("stage", "reason", "items", "share"), [(r.stage, r.code, r.count, r.share) for r in report.table]))
    print("\n" + " > ".join(f"{name} {count}" for name, count in report.waterfall.items()))


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
        report = calibrate(engine, sets, held_out, given.only or PARTS, progress)
    print_json(report.wire()) if given.json else _print_calibration(report)


def _print_calibration(report: Calibration) -> None:
    print(f"{report.embedder} on {', '.join(report.workspaces)}")
    if report.thresholds:
        _print_thresholds(report)
    if report.weights:
        _print_weights(report)
    for name, rows in (("floor", report.floors), ("floor, exploratory", report.exploratory_floors)):
        if rows:
            print("\n" + _floors(name, rows))


def _print_thresholds(report: Calibration) -> None:
    rows: list[tuple[Any, ...]] = []
    for row in report.thresholds:
        rows.append((row.setting, row.in_use, row.by_rule, row.right, row.wrong, row.keeps_right, row.passes_wrong))
    print("\n" + table(("threshold", "in use", "by rule", "right", "wrong", "keeps right", "passes wrong"), rows))
    for row in report.thresholds:
        print(f"{row.setting}, rule: {row.rule}")
    percentiles = list(next((row.right_percentiles for row in report.thresholds if row.right_percentiles), {}))
    rows = []
    for row in {row.pairs: row for row in report.thresholds}.values():
        for side, values in (("right", row.right_percentiles), ("wrong", row.wrong_percentiles)):
            rows.append((f"{row.pairs}, {side}", *(values.get(p) for p in percentiles)))
    print("\n" + table(("cosine, percentiles", *percentiles), rows))


def _print_weights(report: Calibration) -> None:
    print(f"\nweights on {report.queries} queries ({report.not_reranked} were not reranked by signals)")
    signals, measures = list(report.weights[0].weights), list(report.weights[0].tuned_on.means)
    print(table(("", *signals), [(row.name, *row.weights.values()) for row in report.weights]))
    rows = []
    for row in report.weights:
        for where, summary in (("these", row.tuned_on), ("held out", row.held_out)):
            if summary:
                rows.append(_row(f"{row.name}, {where}", summary, measures))
    print("\n" + table(("", "queries", *measures), rows))


def _floors(name: str, rows: Sequence[FloorRow]) -> str:
    header = (name, "relevant lost", "others removed", "kept a query", "queries left empty")
    return table(header, [(f"{row.floor:.2f}", row.lost, row.removed, row.kept, row.empty) for row in rows])


COMMANDS = (
    ("score", "measure a run against judgments", _score_arguments, _score),
    ("evaluate", "search judged queries and report how good the rankings are", _evaluate_arguments, _evaluate),
    ("losses", "at which stage relevant items get lost, and why", _losses_arguments, _losses),
    ("calibrate", "the tables behind thresholds, weights and floors", _calibrate_arguments, _calibrate),
)
