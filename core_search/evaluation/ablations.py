"""What each part of the pipeline is worth: the same judged queries with one part taken out at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core_search.engine import SearchEngine
from core_search.evaluation.bootstrap import difference_interval
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.outcomes import DEPTH
from core_search.evaluation.retrieval_report import Evaluation, evaluate
from core_search.evaluation.variants import ABLATIONS, Variant
from core_search.models import Value
from core_search.stores.base import Progress


class Ablation(Value):
    """One variant, and by measure its mean difference to the first one with a paired 95 % interval."""

    evaluation: Evaluation
    difference: dict[str, float]
    difference_interval: dict[str, tuple[float, float]]


def ablate(
    engine: SearchEngine,
    sets: Sequence[JudgedSet],
    changes: Mapping[str, Any] | None = None,
    *,
    variants: Sequence[Variant] = ABLATIONS,
    depth: int = DEPTH,
    progress: Progress | None = None,
) -> tuple[Ablation, ...]:
    """Run the variants in their order; the first is what the others are compared with."""
    evaluations = [
        evaluate(engine, sets, changes, variant=variant, depth=depth, by=(), baseline=place == 0, progress=progress)
        for place, variant in enumerate(variants)
    ]
    return tuple(compared(evaluation, evaluations[0]) for evaluation in evaluations)


def compared(evaluation: Evaluation, reference: Evaluation) -> Ablation:
    """Differences on the queries that ran in both."""
    both = [key for key in reference.per_query if key in evaluation.per_query]
    difference: dict[str, float] = {}
    interval: dict[str, tuple[float, float]] = {}
    for measure in reference.measures if both else ():
        mine = [evaluation.per_query[key][measure] for key in both]
        theirs = [reference.per_query[key][measure] for key in both]
        difference[measure] = (sum(mine) - sum(theirs)) / len(both)
        interval[measure] = difference_interval(mine, theirs)
    return Ablation(evaluation=evaluation, difference=difference, difference_interval=interval)
