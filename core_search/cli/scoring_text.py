"""How measurements are told to people: tables in plain text, and what was left out said under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core_search.cli.tables import listed, table
from core_search.evaluation.ablations import Ablation
from core_search.evaluation.calibration import Calibration
from core_search.evaluation.floors import FloorRow
from core_search.evaluation.losses import Losses
from core_search.evaluation.measures import Scores, Summary
from core_search.evaluation.retrieval_report import Evaluation


def print_scores(scores: Scores) -> None:
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


def print_evaluation(evaluation: Evaluation) -> None:
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


def print_ablations(ablations: Sequence[Ablation]) -> None:
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


def print_losses(report: Losses) -> None:
    print(
        f"{report.queries} queries, {report.relevant} relevant items: {report.returned} returned, {report.lost} lost\n"
    )
    print(table(("stage", "reason", "items", "share"), [(r.stage, r.code, r.count, r.share) for r in report.table]))
    print("\n" + " > ".join(f"{name} {count}" for name, count in report.waterfall.items()))


def print_calibration(report: Calibration) -> None:
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
