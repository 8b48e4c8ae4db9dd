"""Sentences about a run: what was understood, and why an item is where it is."""

from __future__ import annotations

from core_search.fate.ledger import place_of
from core_search.models import Facet, ItemKind, LookupMode, QueryType, RouterOutput
from core_search.timeline import in_words
from core_search.trace import DropCode, Entry, Fate, Stage, Status
from core_search.ui.theme import CODE_WORDS, STAGE_TITLES, source_words
from core_search.ui.view import View

QUERY_TYPE_WORDS = {
    QueryType.ASPECT_QUERY: "a topic or behaviour",
    QueryType.ENTITY_LOOKUP: "one thing or person",
    QueryType.TEMPORAL: "a stretch of time",
    QueryType.TEMPORAL_FACETS: "counts over a stretch of time",
    QueryType.EXPLORATORY: "a broad look back",
    QueryType.RELATIONSHIP: "how things are connected",
}


def time_words(view: View) -> str:
    """The range that was searched, in local time."""
    zone = view.zone
    return in_words(view.time, zone)  # type: ignore[arg-type]


def understood(view: View, router: RouterOutput) -> list[tuple[str, str]]:
    """The extraction as names and values."""
    rows = [
        ("query type", f"{router.query_type.value}: {QUERY_TYPE_WORDS[router.query_type]}"),
        ("confidence", f"{router.confidence:.2f}"),
        ("search", "yes" if router.should_search else "no: the memory has nothing to add"),
        ("aspects", ", ".join(router.aspects) or "any"),
        ("entity hints", ", ".join(router.entity_hints) or "none"),
        ("time", time_words(view)),
        ("selected labels", ", ".join(router.selected_labels) or "none"),
    ]
    if router.query_type is QueryType.ENTITY_LOOKUP:
        mode = "one attribute" if router.lookup_mode is LookupMode.ATTRIBUTE else "everything about it"
        rows.append(("looked up", mode + (f": {router.attribute_hint}" if router.attribute_hint else "")))
    if router.query_type is QueryType.TEMPORAL_FACETS:
        rows.append(("facets", ", ".join(router.facets or tuple(Facet))))
    return rows


def path_sentences(view: View, kind: ItemKind, item_id: str) -> list[str]:
    """One item's way through the stages, a sentence a stage that did something with it."""
    sentences: list[str] = []
    by_stage: dict[str, tuple[Stage, list[Entry]]] = {}
    for stage, entry in view.path(kind, item_id):
        by_stage.setdefault(stage.name, (stage, []))[1].append(entry)
    for stage, entries in by_stage.values():
        sentences += filter(None, (_sentence(view, stage, entry) for entry in entries))
    if sentences and (kind, item_id) in view.returned:
        rank = [key for key in view.returned if key[0] is kind or kind is not ItemKind.STATEMENT].index((kind, item_id))
        sentences.append(f"Returned at rank {rank + 1}.")
    return sentences


def stood(view: View, kind: ItemKind, item_id: str) -> str:
    """Where the run had an item: its rank with its score, or where it left."""
    if view.result is None:
        return "the search did not run"
    path, place = view.path(kind, item_id), place_of(view.result, (kind, item_id))
    if place:
        scores = path[-1][1].scores if path else {}
        return f"rank {place[1]}" + (f" · rerank {scores['rerank']:.3f}" if "rerank" in scores else "")
    if not path:
        return "not among the candidates" if view.result.gate.open else "nothing was searched"
    stage, entry = path[-1]
    return (
        f"left in {STAGE_TITLES[stage.name]}: {reason(entry)}" if entry.code else f"came to {STAGE_TITLES[stage.name]}"
    )


def _sentence(view: View, stage: Stage, entry: Entry) -> str:
    if entry.fate is Fate.DROPPED and entry.code is not DropCode.DUPLICATE:
        return f"{STAGE_TITLES[stage.name]}: left, {reason(entry)}."
    found_by = ", ".join(source_words(source) for source in entry.sources)
    if entry.code is DropCode.DUPLICATE:
        return f"Backstop: V1 search found it as well{_score(entry)}." if stage.name == "backstop" else ""
    match stage.name:
        case "route" | "gate":
            return f"{STAGE_TITLES[stage.name]}: matched{_score(entry)}." if stage.name == "route" else ""
        case "handle":
            beside = ", beside the ranking" if entry.detail.get("beside") else ""
            return f"Handle: found by {found_by}{_score(entry)}{beside}."
        case "merge":
            joined = len(entry.sources) > 1
            return f"Merge: joined from {found_by}." if joined and entry.fate is Fate.KEPT else ""
        case "backstop":
            return f"Backstop: added by V1 search{_score(entry)}." if entry.sources == ("backstop",) else ""
        case "rerank" if stage.status is not Status.SKIPPED:
            return f"Rerank: from {entry.rank_in} to {entry.rank_out}{_score(entry)}."
        case "compact" if entry.sources == ("compact",):
            return "Compact: takes the place of episodes of its session."
        case "budget" if "tokens" in entry.detail:
            return f"Budget: packed, {int(entry.detail['tokens']):,} tokens."
        case "fallback" if stage.status is not Status.SKIPPED:
            return f"Fallback: found by {found_by}{_score(entry)}."
    return ""


def reason(entry: Entry) -> str:
    """Why an entry left, with the numbers that decided."""
    if entry.code is None:
        return ""
    words = CODE_WORDS[entry.code]
    detail, scores = entry.detail, entry.scores
    if entry.code is DropCode.BELOW_THRESHOLD and "cosine" in scores and "threshold" in detail:
        return f"{words}: cosine {scores['cosine']:.3f} < {detail['threshold']:g}"
    if entry.code is DropCode.BELOW_RELEVANCE and "rerank" in scores and "floor" in detail:
        return f"{words}: rerank {scores['rerank']:.3f} < {detail['floor']:g}"
    if entry.code is DropCode.OVER_BUDGET and "tokens" in detail:
        return f"{words}: {int(detail['tokens']):,} tokens"
    return f"{words}: {detail['reason']}" if "reason" in detail else words


def _score(entry: Entry) -> str:
    name = next(iter(entry.scores), None)
    return f", {name} {entry.scores[name]:.3f}" if name else ""


def summary(view: View) -> str:
    """The run in one line."""
    parts = []
    if view.router is not None:
        parts.append(view.router.query_type.value)
    if view.result is not None:
        parts.append(found_words(view))
        if view.result.episodes:
            parts.append(f"{view.result.budget.used:,} of {view.result.budget.limit:,} tokens")
    elif view.failed_stage is not None:
        parts.append(f"failed in {view.failed_stage.name}")
    parts.append(f"{view.trace.duration_ms:,.0f} ms")
    return " · ".join(parts)


def found_words(view: View) -> str:
    """What came back, counted."""
    result = view.result
    if result is None:
        return "no result"
    if not result.gate.open:
        return "gate closed"
    if result.facets:
        return f"facets over {result.facets.stats.episodes:,} episodes"
    candidates = {(e.kind, e.id) for s in view.trace.stages[2:] for e in s.ledger if not e.detail.get("beside")}
    parts = []
    if result.entity:
        parts.append("1 entity")
    if result.statements:
        parts.append(f"{len(result.statements)} statement{'s' if len(result.statements) > 1 else ''}")
    if result.episodes:
        parts.append(f"{len(result.episodes)} of {len(candidates)} items")
    if result.voice_statements:
        parts.append(f"{len(result.voice_statements)} voice")
    return ", ".join(parts) or f"nothing of {len(candidates)} items"
