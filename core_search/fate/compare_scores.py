"""Why one item stands above another: the terms of both scores side by side."""

from __future__ import annotations

from core_search.errors import UnknownItem
from core_search.models import ItemKind, Value
from core_search.results import SearchResult
from core_search.trace import Entry, Stage

RANKING_STAGES = ("fallback", "rerank")  # the later one that scored both decides


class Term(Value):
    """One signal of both items. `a` and `b` are its values, `term_a` and `term_b` what they add to the scores.

    Without a weight the score is not a sum over signals, and the terms are None.
    """

    name: str
    weight: float | None
    a: float | None
    b: float | None
    term_a: float | None
    term_b: float | None
    difference: float | None  # term_a - term_b


class Contender(Value):
    kind: ItemKind
    id: str
    rank: int | None  # after the stage; None when the stage dropped it
    code: str | None
    score: float | None


class ScoreComparison(Value):
    """`difference` is the score of `a` minus that of `b`; the terms with the largest difference come first."""

    stage: str
    score_name: str | None
    a: Contender
    b: Contender
    difference: float | None
    terms: tuple[Term, ...]
    text: str


def compare_scores(result: SearchResult, a: str, b: str) -> ScoreComparison:
    """The scores of two items of one search. `UnknownItem` when no ranking stage saw both."""
    for name in RANKING_STAGES:
        stage = result.trace.stage(name)
        first, second = _entry(stage, a), _entry(stage, b)
        if first is not None and second is not None and (name == "rerank" or _weights(stage)):
            return _compared(result, stage, first, second)
    missing = [id_ for id_ in (a, b) if _entry(result.trace.stage("rerank"), id_) is None]
    raise UnknownItem(f"the ranking never saw {' and '.join(map(repr, missing))}; `why` tells how far an item came")


def _compared(result: SearchResult, stage: Stage, a: Entry, b: Entry) -> ScoreComparison:
    scored = "rerank" in a.scores and "rerank" in b.scores
    weights = _weights(stage) if scored else {}
    names = [name for name in weights or {**a.scores, **b.scores} if name != "rerank"]
    terms = [_term(name, weights.get(name), a.scores.get(name), b.scores.get(name)) for name in names]
    terms.sort(key=lambda term: -abs(term.difference or 0.0))
    difference = a.scores["rerank"] - b.scores["rerank"] if scored else None
    return ScoreComparison(
        stage=stage.name,
        score_name="rerank" if scored else None,
        a=_contender(a),
        b=_contender(b),
        difference=difference,
        terms=tuple(terms),
        text=_text(result, stage, a, b, difference, terms),
    )


def _term(name: str, weight: float | None, a: float | None, b: float | None) -> Term:
    if weight is None:
        return Term(name=name, weight=None, a=a, b=b, term_a=None, term_b=None, difference=None)
    term_a, term_b = weight * (a or 0.0), weight * (b or 0.0)
    return Term(name=name, weight=weight, a=a, b=b, term_a=term_a, term_b=term_b, difference=term_a - term_b)


def _text(result: SearchResult, stage: Stage, a: Entry, b: Entry, difference: float | None, terms: list[Term]) -> str:
    if a.kind is not b.kind and ItemKind.STATEMENT in (a.kind, b.kind):
        return "Statements and texts are ranked apart; their scores do not compete."
    if difference is None:
        return f"The order was not decided by a score: {stage.note or 'they were not reranked'}."
    higher, lower = (a, b) if difference >= 0 else (b, a)
    text = f"{higher.id!r} scores {abs(difference):.3f} more than {lower.id!r}"
    sign = 1 if difference >= 0 else -1
    best = next((term for term in terms if term.difference and term.difference * sign > 0), None)
    text += f", most of it by {best.name} ({abs(best.difference or 0):.3f})." if best else "."
    if result.options.sort == "recency":
        text += " The answer is sorted by time, not by score."
    return text


def _contender(entry: Entry) -> Contender:
    return Contender(
        kind=entry.kind, id=entry.id, rank=entry.rank_out, code=entry.code, score=entry.scores.get("rerank")
    )


def _entry(stage: Stage, id_: str) -> Entry | None:
    return next((entry for entry in stage.ledger if entry.id == id_), None)


def _weights(stage: Stage) -> dict[str, float]:
    """The weights that the reranker declared; none when its score is its own."""
    for name in ("rerank_episodes", "rerank_statements"):
        found = stage.step(name)
        if found is not None and found.detail.get("weights"):
            return dict(found.detail["weights"])
    return {}
