"""Measures, configurations and losses in words."""

from __future__ import annotations

from datetime import datetime

from core_search.evaluation import losses
from core_search.evaluation.history import EvaluationRecord, Setup
from core_search.trace import DropCode
from core_search.ui.theme import CODE_WORDS, SHORT_CODE_WORDS

LEVEL_TITLES = {
    "relevant": "Judged relevant",
    "in_memory": "In the memory",
    "reachable": "Reachable by the route",
    "candidates": "Candidates",
    "merged": "After merge and backstop",
    "ranked": "After rerank",
    "returned": "In the budget",
}
_MORE_CODES = {
    losses.NOT_STORED: ("not in the memory", "not in memory"),
    losses.NEVER_CANDIDATE: ("no path came upon it", "never found"),
    losses.DID_NOT_RUN: ("the search failed", "search failed"),
}
MEASURE_WORDS = {
    "nDCG": "how near the order is to the ideal one of all judged items",
    "R": "the share of the relevant items that is found",
    "P": "the share of the places that is relevant",
    "RR": "1 over the rank of the first relevant item",
    "Judged": "the share of the places that is judged",
}


def code_words(code: str) -> str:
    return _code(code, 0)


def short_code_words(code: str) -> str:
    return _code(code, 1)


def _code(code: str, place: int) -> str:
    if code in _MORE_CODES:
        return _MORE_CODES[code][place]
    try:
        return (CODE_WORDS, SHORT_CODE_WORDS)[place][DropCode(code)]
    except ValueError:
        return code.replace("_", " ")


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}".replace("%", " %")


def configuration(setup: Setup) -> str:
    """The changed settings, or that there are none."""
    return ", ".join(f"{key} = {value}" for key, value in setup.changes.items()) or "default settings"


def when(moment: datetime) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def title(record: EvaluationRecord) -> str:
    """An evaluation on one line."""
    done = "" if record.finished else f"{record.done} of "
    return f"{when(record.created_at)} · {configuration(record.setup)} · {done}{record.setup.queries} queries"
