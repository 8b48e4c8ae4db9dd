"""The paths that handlers share, and how a handler runs its paths side by side (seed, stage 2).

A path is one way to candidates: it records its step and returns rows, kept and dropped. Each fetches a few rows
more than it may keep, so that the ledger shows what the cut left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from core_search.context import Context, Routed, Row
from core_search.entities import Resolution
from core_search.models import VOICE_ASPECTS, Aspect, ItemKind, Namespace
from core_search.stores.base import Cypher, Found, VectorHit
from core_search.trace import DropCode, StageDraft, Status, StepDraft, StepItem, step_of

NEXT_IN_LINE = 10  # rows past each cut that the ledger shows


@dataclass(frozen=True)
class Path:
    """A named way to candidates. Without `call` it is skipped for the reason given."""

    name: str
    call: Callable[[StepDraft], list[Row]] | None
    skipped: str = ""


def run(stage: StageDraft, paths: Sequence[Path]) -> list[Row]:
    """Run the paths side by side; steps and rows stand in the order of the paths.

    When one fails, all steps are still recorded; then its error goes upwards.
    """

    def one(path: Path) -> tuple[StepDraft, list[Row], Exception | None]:
        draft = StepDraft(path.name)
        if path.call is None:
            draft.status, draft.note, draft.end_s = Status.SKIPPED, path.skipped, draft.start_s
            return draft, [], None
        try:
            with step_of(path.name) as draft:
                rows = path.call(draft)
        except Exception as error:
            return draft, [], error
        rows = [replace(row, sources=row.sources or (path.name,)) for row in rows]
        draft.items.extend(_items(rows))
        return draft, rows, None

    if sum(path.call is not None for path in paths) > 1:
        with ThreadPoolExecutor(max_workers=len(paths), thread_name_prefix="path") as pool:
            outcomes = list(pool.map(one, paths))
    else:
        outcomes = [one(path) for path in paths]
    stage.steps.extend(draft for draft, _, _ in outcomes)
    for _, _, error in outcomes:
        if error is not None:
            raise error
    return [row for _, rows, _ in outcomes for row in rows]


def _items(rows: Iterable[Row]) -> list[StepItem]:
    items = []
    for row in rows:
        name, score = next(iter(row.scores.items()), (None, None))
        items.append(StepItem(id=row.id, kind=row.kind, score=score, score_name=name))
    return items


def cut(rows: Sequence[Row], limit: int) -> list[Row]:
    """Keep the first `limit` rows that are not dropped yet; the others leave with `handler_limit`."""
    kept, out = 0, []
    for row in rows:
        if row.code is None:
            kept += 1
            row = row if kept <= limit else replace(row, code=DropCode.HANDLER_LIMIT)
        out.append(row)
    return out


def record_queries(draft: StepDraft, queries: Iterable[Cypher]) -> None:
    sent = [{"query": query.text, "parameters": dict(query.parameters)} for query in queries]
    draft.detail.setdefault("queries", []).extend(sent)


def hit_rows(found: Found, kind: ItemKind, limit: int) -> list[Row]:
    """Rows of a graph query, newest first as the store gave them, cut at `limit`."""
    return cut([Row(id=hit.id, kind=kind, detail={"validAt": hit.valid_at.isoformat()}) for hit in found.hits], limit)


def vector_rows(hits: Sequence[VectorHit], kind: ItemKind, threshold: float, limit: int) -> list[Row]:
    """Rows of a vector search, best first; those under the threshold are dropped, then the cut falls."""
    rows = [
        Row(
            id=hit.id,
            kind=kind,
            scores={"cosine": hit.cosine},
            code=None if hit.cosine >= threshold else DropCode.BELOW_THRESHOLD,
            detail={} if hit.cosine >= threshold else {"threshold": threshold},
        )
        for hit in hits
    ]
    return cut(rows, limit)


# ---------------------------------------------------------------- the shared paths


def episode_vectors(context: Context, routed: Routed, always: bool = False) -> Path:
    """(c) of the seed: episode vectors, only when there are no labels to scope by."""
    name = "episode_vectors"
    if routed.label_ids and not always:
        return Path(name, None, "labels scope this search")
    return Path(name, lambda draft: search_episode_vectors(context, routed, draft))


def search_episode_vectors(context: Context, routed: Routed, draft: StepDraft) -> list[Row]:
    options, stores = context.options, context.stores
    limit = options.episode_limit
    admits = stores.catalog.admits(routed.scope)
    hits = stores.vectors.search(Namespace.EPISODE, context.vector, limit + NEXT_IN_LINE, admits)
    draft.detail |= {
        "namespace": Namespace.EPISODE.value,
        "query": context.query_text,
        "model": context.providers.embedder.model,
        "threshold": options.episode_threshold,
        "limit": limit,
        **_scope_detail(routed),
    }
    rows = vector_rows(hits, ItemKind.EPISODE, options.episode_threshold, limit)
    if not (routed.time.is_open and not routed.end_user_ids):
        # What the time range or the end user kept out, as far as it was similar enough: a small unfiltered look.
        near = stores.vectors.search(Namespace.EPISODE, context.vector, NEXT_IN_LINE, None, options.episode_threshold)
        rows += [
            Row(hit.id, ItemKind.EPISODE, {"cosine": hit.cosine}, code=_outside(context, routed, hit.id))
            for hit in near
            if not admits(hit.id)
        ]
    return rows


def _outside(context: Context, routed: Routed, episode: str) -> DropCode:
    in_time = context.stores.catalog.valid_at(episode) in routed.time
    return DropCode.OUT_OF_SCOPE if in_time else DropCode.OUTSIDE_TIME


def _scope_detail(routed: Routed) -> dict[str, Any]:
    start, end = routed.time.start, routed.time.end
    return {
        "start": start.isoformat() if start else None,
        "end": end.isoformat() if end else None,
        "endUserIds": list(routed.end_user_ids),
    }


def entity_hints(context: Context, routed: Routed) -> Path:
    """(b) of the seed: each hint to entities, then their episodes."""
    name, options = "entity_hints", context.options
    hints = routed.output.entity_hints[: options.hint_limit]
    if not hints:
        return Path(name, None, "the query names no entity")

    def call(draft: StepDraft) -> list[Row]:
        resolutions = context.resolver.resolve(hints, options.hint_threshold, options.hint_entities)
        record_resolutions(draft, resolutions, options.hint_threshold)
        entities = distinct_entities(resolutions)
        if entities:
            return episodes_of_entities(context, routed, draft, entities, ())
        if not routed.label_ids:
            draft.note = "no hint is an entity of this memory; episode vectors search anyway"
            return []
        draft.note = "no hint is an entity of this memory; episode vectors searched instead"
        return search_episode_vectors(context, routed, draft)

    return Path(name, call)


def episodes_of_entities(
    context: Context, routed: Routed, draft: StepDraft, entities: Sequence[str], aspects: Sequence[Aspect]
) -> list[Row]:
    limit = context.options.episode_limit
    found = context.stores.graph.episodes_by_entity(entities, routed.scope, aspects, limit + NEXT_IN_LINE)
    record_queries(draft, found.queries)
    draft.detail["limit"] = limit
    return hit_rows(found, ItemKind.EPISODE, limit)


def record_resolutions(draft: StepDraft, resolutions: Sequence[Resolution], threshold: float) -> None:
    draft.detail["threshold"] = threshold
    draft.detail["resolutions"] = [
        {
            "hint": resolution.hint,
            "matches": [{"entity": m.entity, "how": m.how, "cosine": m.cosine} for m in resolution.matches],
            "nearMisses": [{"entity": m.entity, "how": m.how, "cosine": m.cosine} for m in resolution.near_misses],
        }
        for resolution in resolutions
    ]


def distinct_entities(resolutions: Iterable[Resolution]) -> list[str]:
    return list(dict.fromkeys(entity for resolution in resolutions for entity in resolution.entity_ids))


def voice_statements(context: Context, routed: Routed) -> Path:
    """Voice statements near the query, returned beside the episodes (SPEC 2, aspect_query)."""
    name, options = "voice_statements", context.options
    asked = set(routed.output.aspects)
    wanted = (asked & VOICE_ASPECTS) if asked else VOICE_ASPECTS
    if not wanted:
        return Path(name, None, "none of the aspects is a voice aspect")

    def call(draft: StepDraft) -> list[Row]:
        catalog, search, threshold = context.stores.catalog, context.stores.vectors.search, options.voice_threshold
        asked_for = catalog.of_aspects(wanted) & catalog.admits_statement(routed.scope)
        current = asked_for & catalog.current_at(routed.at)
        hits = search(Namespace.ASPECT, context.vector, options.voice_limit + NEXT_IN_LINE, current)
        # What does not hold any more takes nobody's place; the nearest of it are on record.
        ended = search(Namespace.ASPECT, context.vector, NEXT_IN_LINE, asked_for - current, threshold)
        draft.detail |= {
            "namespace": Namespace.ASPECT.value,
            "aspects": sorted(wanted),
            "threshold": options.voice_threshold,
            "limit": options.voice_limit,
            **_scope_detail(routed),
        }
        rows = vector_rows(hits, ItemKind.STATEMENT, threshold, options.voice_limit)
        rows += [Row(h.id, ItemKind.STATEMENT, {"cosine": h.cosine}, code=DropCode.INVALIDATED) for h in ended]
        return [replace(row, beside=True) for row in rows]

    return Path(name, call)
