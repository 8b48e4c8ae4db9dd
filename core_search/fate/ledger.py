"""What the trace says of one item: its way through the stages, and the entry that decided."""

from __future__ import annotations

from core_search.answers import ItemKey, answers_of
from core_search.fate.report import PathStage
from core_search.models import ItemKind
from core_search.results import SearchResult
from core_search.trace import DropCode, Entry, Fate, Stage, Trace

Way = tuple[tuple[str, Entry], ...]  # stage names and entries

# Which of several paths that dropped an item says most about it: the one that it failed last.
_TELLING = (DropCode.HANDLER_LIMIT, DropCode.BELOW_THRESHOLD, DropCode.INVALIDATED, DropCode.OUTSIDE_TIME)


def place_of(result: SearchResult, key: ItemKey) -> tuple[str, int] | None:
    """The list of the result that has the item, and its rank there; answers first, then what stands beside them."""
    lists = answers_of(result) | {
        "invalidatedFacts": [(ItemKind.STATEMENT, fact.uuid) for fact in result.invalidated_facts],
        "matchedLabels": [(ItemKind.LABEL, label.label_id) for label in result.router.matched_labels],
        # A caller's own labels scope the search whether they matched or not.
        "labelIds": [(entry.kind, entry.id) for entry in result.trace.stage("gate").kept()],
    }
    return next(((name, keys.index(key) + 1) for name, keys in lists.items() if key in keys), None)


def entry_in(stage: Stage, key: ItemKey) -> Entry | None:
    """The item's entry in a stage: the kept one when there is one, else the most telling of those that dropped it."""
    entries = [entry for entry in stage.ledger if (entry.kind, entry.id) == key]
    kept = [entry for entry in entries if entry.fate is Fate.KEPT]
    if kept or not entries:
        return kept[0] if kept else None
    return min(entries, key=lambda entry: _TELLING.index(entry.code) if entry.code in _TELLING else len(_TELLING))


def way_of(trace: Trace, key: ItemKey) -> Way:
    """Each stage that saw the item, with its entry there."""
    entries = ((stage.name, entry_in(stage, key)) for stage in trace.stages)
    return tuple((name, entry) for name, entry in entries if entry is not None)


def last_of(way: Way) -> tuple[str, Entry | None]:
    """The last stage that saw the item, with its entry there; an item that no stage saw has neither."""
    return way[-1] if way else ("", None)


def path_of(way: Way) -> tuple[PathStage, ...]:
    return tuple(
        PathStage(
            stage=name,
            fate=entry.fate,
            rank=entry.rank_out if entry.rank_out is not None else entry.rank_in,
            scores=entry.scores,
        )
        for name, entry in way
    )
