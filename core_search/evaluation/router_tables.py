"""The router report as plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core_search.evaluation.route_judgment import CLOSED
from core_search.models import QueryType

if TYPE_CHECKING:
    from core_search.evaluation.router_report import Accuracy, PartReport, RouterReport, Share

_MEASURES = (
    ("gate", "gate"),
    ("type", "query type"),
    ("range", "time range"),
    ("attribute", "attribute"),
    ("hint_recall", "hint recall"),
    ("hint_precision", "hint precision"),
    ("aspects", "aspects"),
    ("facets", "facets"),
    ("route", "whole route"),
)


def report_as_text(report: RouterReport) -> str:
    """Accuracies by part, then for each part its confusion and reliability, then by tag, then what is wrong."""
    blocks = [f"extractor {report.extractor}, model {report.model}", _accuracies(report.parts)]
    for part in report.parts:
        blocks += [f"[{part.part}] confusion: rows are expected, columns what came", _confusion(part)]
        blocks += [
            f"[{part.part}] reliability; expected calibration error {part.calibration_error:.3f}",
            _reliability(part),
        ]
        if part.by_rule:
            blocks += [f"[{part.part}] right routes by rule", _rules(part)]
    if report.by_tag:
        blocks += ["by tag", _tags(report)]
    wrong = [
        f"{route.id}  {_one_line(route.query)}  {'; '.join(route.wrong)}" for route in report.routes if route.wrong
    ]
    if wrong:
        blocks += ["wrong", "\n".join(wrong)]
    return "\n\n".join(blocks) + "\n"


def _accuracies(parts: Sequence[PartReport]) -> str:
    rows = [["", *(part.part for part in parts)]]
    rows.append(["queries", *(str(part.accuracy.queries) for part in parts)])
    rows += [[title, *(_share(getattr(part.accuracy, name)) for part in parts)] for name, title in _MEASURES]
    return _table(rows)


def _confusion(part: PartReport) -> str:
    kinds = [*(kind.value for kind in QueryType), CLOSED]
    rows = [["", *kinds]]
    rows += [[kind, *(str(part.confusion.get(kind, {}).get(other, 0)) for other in kinds)] for kind in kinds]
    return _table(rows)


def _reliability(part: PartReport) -> str:
    rows = [["confidence", "queries", "mean", "right"]]
    for bin in part.reliability:
        rows.append([f"{bin.low:.1f} to {bin.high:.1f}", str(bin.queries), f"{bin.confidence:.3f}", f"{bin.right:.3f}"])
    return _table(rows)


def _rules(part: PartReport) -> str:
    return _table([["rule", "right"], *([rule, _share(share)] for rule, share in part.by_rule.items())])


def _tags(report: RouterReport) -> str:
    names = [name for name, _ in _MEASURES[:5]]
    rows = [["tag", "queries", *(title for _, title in _MEASURES[:5])]]
    for tag, accuracy in report.by_tag.items():
        rows.append([tag, str(accuracy.queries), *(_value(accuracy, name) for name in names)])
    return _table(rows)


def _value(accuracy: Accuracy, name: str) -> str:
    share: Share = getattr(accuracy, name)
    return "-" if share.value is None else f"{share.value:.3f}"


def _share(share: Share) -> str:
    return "-" if share.value is None else f"{share.value:.3f} ({share.right}/{share.of})"


def _one_line(text: str, longest: int = 70) -> str:
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
