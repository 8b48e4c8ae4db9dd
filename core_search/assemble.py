"""From the last state of a search to its result: ids become the things that they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core_search.context import Context, Row
from core_search.models import Document, Episode, ItemKind, RouterOutput
from core_search.providers.build import Providers
from core_search.results import (
    AspectCount,
    AttributeResult,
    BudgetResult,
    EntityCount,
    EntityName,
    EntityResult,
    EpisodeResult,
    FacetsResult,
    FacetStats,
    GateDecision,
    SearchRequest,
    SearchResult,
    StatementResult,
    TopicCount,
)
from core_search.state import State
from core_search.trace import Trace


def assemble(context: Context, request: SearchRequest, state: State, trace: Trace, fingerprint: str) -> SearchResult:
    rows = state.rows
    ranked = [row for row in rows if row.kind is ItemKind.STATEMENT]
    voice = [r for r in state.handled.rows if r.beside and r.kind is ItemKind.STATEMENT and not r.code]
    episode_ids = [row.id for row in rows if row.kind is ItemKind.EPISODE]
    providers, options = context.providers, context.options
    limit = options.token_budget
    return SearchResult(
        query=request.query,
        workspace=context.stores.name,
        now=context.now,
        router=state.routed.output if state.routed else RouterOutput(),
        gate=state.gate or GateDecision(open=False, reason="not reached", confidence=0.0, threshold=0.0),
        episodes=tuple(_episode(context, row, state.texts[row.key]) for row in rows if row.key in state.texts),
        entity=_entity(context, state),
        statements=_statements(context, ranked),
        chain=tuple(row.id for row in ranked if "chainPosition" in row.detail),
        voice_statements=_statements(context, voice),
        facets=_facets(context, state),
        invalidated_facts=_invalidated(context, episode_ids),
        budget=state.budget or BudgetResult(limit=limit, used=0, kept=0, dropped=0),
        degraded=state.degraded,
        options=options,
        fingerprint=fingerprint,
        providers=models_in_use(providers),
        parent=request.replay.run_id or request.replay.trace.id if request.replay else None,
        trace=trace,
    )


def models_in_use(providers: Providers) -> dict[str, str]:
    """The models that answer, by their part."""
    return {
        "extractor": f"{providers.extractor.name} {providers.extractor.model}".strip(),
        "embedder": providers.embedder.model,
        "reranker": f"{providers.reranker.name} {providers.reranker.model}".strip(),
        "tokens": providers.tokens.encoding,
    }


def _score(row: Row) -> tuple[float | None, str | None]:
    """The score that decided the order: the reranker's, else the first that the item was found with."""
    name = next(iter(row.scores), None)
    return (row.scores[name], name) if name else (None, None)


def _episode(context: Context, row: Row, item: Episode | Document) -> EpisodeResult:
    names = {label.id: label.name for label in context.stores.labels}
    score, score_name = _score(row)
    return EpisodeResult(
        uuid=row.id,
        kind="document" if isinstance(item, Document) else "episode",
        content=item.content,
        title=item.title if isinstance(item, Document) else "",
        source="" if isinstance(item, Document) else item.source,
        created_at=item.created_at,
        valid_at=item.updated_at if isinstance(item, Document) else item.valid_at,
        session_id=item.session_id,
        label_ids=item.label_ids,
        labels=tuple(names[id_] for id_ in item.label_ids if id_ in names),
        score=score,
        score_name=score_name,
        scores=dict(row.scores),
        sources=row.sources,
        tokens=int(row.detail["tokens"]),
    )


def _entity(context: Context, state: State) -> EntityResult | None:
    picked = state.handled.entity
    entity = context.stores.graph.entities([picked.entity]).get(picked.entity) if picked else None
    if picked is None or entity is None:
        return None
    attribute = AttributeResult(key=picked.key, value=picked.value) if picked.key and picked.value is not None else None
    return EntityResult(
        uuid=entity.uuid,
        name=entity.name,
        aliases=entity.aliases,
        type=entity.type,
        attributes=entity.attributes,
        attribute=attribute,
    )


def _statements(context: Context, rows: Sequence[Row]) -> tuple[StatementResult, ...]:
    scores = {row.id: _score(row) for row in rows}
    return statements_by_id(context, [row.id for row in rows], scores)


def statements_by_id(
    context: Context, ids: Sequence[str], scores: dict[str, tuple[float | None, str | None]] | None = None
) -> tuple[StatementResult, ...]:
    """Statements in the order of their ids, with the names of the entities that they connect."""
    found = context.stores.graph.statements(ids)
    names = _names(context, {end for s in found.values() for end in (s.subject, s.predicate, s.object) if end})
    results = []
    for id_ in ids:
        if (statement := found.get(id_)) is None:
            continue
        score, score_name = (scores or {}).get(id_, (None, None))
        results.append(
            StatementResult(
                uuid=statement.uuid,
                fact=statement.fact,
                aspect=statement.aspect,
                valid_at=statement.valid_at,
                invalid_at=statement.invalid_at,
                invalidated_by=statement.invalidated_by,
                event_date=statement.event_date,
                subject=names.get(statement.subject or ""),
                predicate=names.get(statement.predicate or ""),
                object=names.get(statement.object or ""),
                episode_uuids=statement.episode_uuids,
                score=score,
                score_name=score_name,
            )
        )
    return tuple(results)


def _names(context: Context, uuids: Iterable[str]) -> dict[str, EntityName]:
    """The names that the memory holds at hand; the graph has those of predicates."""
    known = context.stores.names
    names = {uuid: known[uuid] for uuid in uuids if uuid in known}
    for uuid, entity in context.stores.graph.entities(sorted(set(uuids) - names.keys())).items():
        names[uuid] = entity.name
    return {uuid: EntityName(uuid=uuid, name=name) for uuid, name in names.items()}


def _invalidated(context: Context, episodes: Iterable[str]) -> tuple[StatementResult, ...]:
    """What the returned episodes said that does not hold any more (SPEC 1)."""
    catalog = context.stores.catalog
    ids = dict.fromkeys(s for episode in episodes for s in catalog.invalidated_of(episode, context.now))
    return statements_by_id(context, list(ids))


def _facets(context: Context, state: State) -> FacetsResult | None:
    counts = state.handled.facets
    if counts is None or state.routed is None:
        return None
    names = context.stores.names
    labels = {label.id: label.name for label in context.stores.labels}
    facts = context.stores.graph.statements([uuid for _, _, samples in counts.aspects for uuid in samples])
    return FacetsResult(
        topics=tuple(TopicCount(label_id=i, label_name=labels.get(i, ""), episode_count=n) for i, n in counts.topics),
        entities=tuple(
            EntityCount(entity_uuid=uuid, entity_name=names[uuid], mention_count=count)
            for uuid, count in counts.entities
        ),
        aspects=tuple(
            AspectCount(aspect=a, statement_count=n, statements=tuple(facts[u].fact for u in samples if u in facts))
            for a, n, samples in counts.aspects
        ),
        stats=FacetStats(
            episodes=counts.episodes,
            statements=counts.statements,
            start=state.routed.time.start,
            end=state.routed.time.end,
        ),
    )
