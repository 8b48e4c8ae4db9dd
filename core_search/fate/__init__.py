"""Fate: one verdict for every stored item, with its margin and the smallest change that brings it back (SPEC 4)."""

from core_search.fate.compare_scores import ScoreComparison, compare_scores
from core_search.fate.explain import explain
from core_search.fate.report import Condition, ConditionName, ItemFate, Margin, Remedy, Verdict

__all__ = [
    "Condition",
    "ConditionName",
    "ItemFate",
    "Margin",
    "Remedy",
    "ScoreComparison",
    "Verdict",
    "compare_scores",
    "explain",
]
