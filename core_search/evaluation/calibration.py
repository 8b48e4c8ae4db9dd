"""Everything behind the numbers of the local models, in one report: thresholds, weights, floors."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.engine import SearchEngine
from core_search.evaluation.floors import FloorRow, floor_table
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.reranked import reranked
from core_search.evaluation.thresholds import ThresholdRow, threshold_table
from core_search.evaluation.weights import WeightsReport, weights_report
from core_search.models import Value
from core_search.providers.local_reranker import WEIGHTS
from core_search.stores.base import Progress

PARTS = ("thresholds", "weights", "floors")


class Calibration(Value):
    """The tables that were asked for; the others are empty. `not_reranked` queries have no signals to weigh."""

    embedder: str
    workspaces: tuple[str, ...]
    held_out: tuple[str, ...]
    thresholds: tuple[ThresholdRow, ...] = ()
    weights: tuple[WeightsReport, ...] = ()
    floors: tuple[FloorRow, ...] = ()
    exploratory_floors: tuple[FloorRow, ...] = ()
    queries: int = 0
    not_reranked: int = 0


def calibrate(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    held_out: Sequence[JudgedSet] = (),
    parts: Sequence[str] = PARTS,
    progress: Progress | None = None,
) -> Calibration:
    """Thresholds from all `sets`; weights tuned on `sets` and measured on `held_out`; floors under the weights in use.

    The same memories and the same models give the same tables.
    """
    report = Calibration(
        embedder=engine.providers.embedder.model,
        workspaces=tuple(judged.workspace for judged in sets),
        held_out=tuple(judged.workspace for judged in held_out),
    )
    if "thresholds" in parts:
        report = report.model_copy(update={"thresholds": threshold_table(engine, sets)})
    if not {"weights", "floors"} & set(parts):
        return report
    cases, others = reranked(engine, sets, progress=progress)
    report = report.model_copy(update={"queries": len(cases), "not_reranked": others})
    if "weights" in parts and cases:
        unseen = reranked(engine, held_out, progress=progress)[0] if held_out else []
        report = report.model_copy(update={"weights": weights_report(cases, unseen, WEIGHTS)})
    if "floors" in parts:
        broad = [case for case in cases if case.exploratory]
        narrow = [case for case in cases if not case.exploratory]
        report = report.model_copy(update={"floors": floor_table(narrow), "exploratory_floors": floor_table(broad)})
    return report
