"""The cut that dropped an item: its two numbers, and the changes that would let it pass that cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from core_search.answers import ItemKey
from core_search.context import Context
from core_search.fate.checks import Change, rounded_down
from core_search.fate.report import Margin
from core_search.models import ItemKind, QueryType
from core_search.results import SearchResult
from core_search.trace import DropCode, Entry, Stage


@dataclass(frozen=True, slots=True)
class Cut:
    """`text` goes on from "it was left out: "."""

    text: str
    margin: Margin | None = None
    fixes: tuple[Change, ...] = ()


def cut_of(context: Context, result: SearchResult, stage: Stage, entry: Entry) -> Cut | None:
    """The cut behind a dropped entry; None for those of handlers, whose conditions say more."""
    if stage.name == "route":
        return _label_cut(result, entry)
    if entry.code is DropCode.BELOW_RELEVANCE:
        return _floor(result, entry)
    if entry.code is DropCode.RERANK_CUT:
        return _limit(result, stage, entry)
    if entry.code is DropCode.COMPACTED:
        document = entry.detail.get("document")
        return Cut(f"the session document {document!r} stands for it", fixes=({"compact": False},))
    if entry.code is DropCode.OVER_BUDGET:
        return _budget(context, result, stage, entry)
    return None


def _label_cut(result: SearchResult, entry: Entry) -> Cut:
    options, cosine = result.options, entry.scores["cosine"]
    if entry.code is DropCode.BELOW_THRESHOLD:
        return Cut(
            f"its similarity {cosine:.3f} is under label_threshold {options.label_threshold:g}",
            Margin(name="cosine vs label_threshold", value=cosine, threshold=options.label_threshold),
            ({"label_threshold": rounded_down(cosine)},),
        )
    return Cut(
        f"it is number {entry.rank_in} of the labels, label_limit keeps {options.label_limit}",
        Margin(name="rank vs label_limit", value=entry.rank_in, threshold=options.label_limit),
        ({"label_limit": entry.rank_in},),
    )


def _floor(result: SearchResult, entry: Entry) -> Cut:
    exploratory = result.router.query_type is QueryType.EXPLORATORY
    setting = "exploratory_floor" if exploratory else "rerank_floor"
    score, floor = entry.scores["rerank"], float(getattr(result.options, setting))
    return Cut(
        f"its relevance {score:.3f} is under {setting} {floor:g}",
        Margin(name=f"rerank vs {setting}", value=score, threshold=floor),
        ({setting: rounded_down(score)}, {"rerank": False}),
    )


def _limit(result: SearchResult, stage: Stage, entry: Entry) -> Cut:
    setting = "statement_limit" if entry.kind is ItemKind.STATEMENT else "limit"
    limit = int(getattr(result.options, setting))
    of_group = [
        one
        for one in stage.ledger
        if (one.kind is ItemKind.STATEMENT) == (entry.kind is ItemKind.STATEMENT)
        and one.code in (None, DropCode.RERANK_CUT)
    ]
    # The cut falls in the order of the reranker, whatever the answer is sorted by afterwards.
    if all("rerank" in one.scores for one in of_group) and result.options.rerank:
        of_group.sort(key=lambda one: -one.scores["rerank"])
    rank = of_group.index(entry) + 1
    return Cut(
        f"it is number {rank} after reranking, {setting} keeps {limit}",
        Margin(name=f"rank vs {setting}", value=rank, threshold=limit),
        ({setting: rank}, {setting: len(of_group)}, {"rerank": not result.options.rerank}),
    )


def _budget(context: Context, result: SearchResult, stage: Stage, entry: Entry) -> Cut:
    kept_in_order = [one for one in stage.ledger if one.code in (None, DropCode.OVER_BUDGET)]
    costs = _tokens(context, kept_in_order)
    place, limit = kept_in_order.index(entry), result.options.token_budget
    needed = needed_budget(costs, place, limit)
    why = f"it alone has {costs[place]:,} tokens" if costs[place] > limit else "the items before it come first"
    return Cut(
        f"it needs a budget of {needed:,} tokens, {needed - limit:,} more than token_budget {limit:,} ({why})",
        Margin(name="tokens needed vs token_budget", value=needed, threshold=limit),
        ({"token_budget": needed},),
    )


def needed_budget(tokens: Sequence[int], place: int, limit: int) -> int:
    """The smallest budget above `limit` with which the item at `place` stays, as `ranking.budget.fit` decides.

    An item larger than a whole budget does not count against it, so that a larger budget may let one in before.

    >>> needed_budget([5, 900, 4], 2, 8)
    9
    >>> needed_budget([5, 12, 4], 2, 8)
    9
    """
    least = max(tokens[place], limit + 1)
    sizes = sorted({least, *(count for count in tokens[: place + 1] if count > least)})
    for size, next_size in pairwise([*sizes, inf]):
        needed = max(size, sum(count for count in tokens[: place + 1] if count <= size))
        if needed < next_size:
            return int(needed)
    raise AssertionError("a budget that holds everything holds each")


def _tokens(context: Context, entries: Sequence[Entry]) -> list[int]:
    """The cost of each entry; statements are not charged."""
    graph, count = context.stores.graph, context.providers.tokens.count
    missing = [entry for entry in entries if "tokens" not in entry.detail]
    contents: dict[ItemKey, str] = {}
    for kind, read in ((ItemKind.EPISODE, graph.episodes), (ItemKind.DOCUMENT, graph.documents)):
        found = read([entry.id for entry in missing if entry.kind is kind])
        contents |= {(kind, id_): item.content for id_, item in found.items()}
    return [
        int(entry.detail["tokens"]) if "tokens" in entry.detail else count(contents.get((entry.kind, entry.id), ""))
        for entry in entries
    ]
