"""A search result as text for a terminal."""

from __future__ import annotations

from core_search.cli.output import one_line
from core_search.results import SearchResult


def print_result(result: SearchResult) -> None:
    router = result.router
    print(f"{result.query!r} in {result.workspace}, as of {result.now.isoformat()}")
    print(f"route: {router.query_type}, confidence {router.confidence:.2f}; {_route_words(result)}")
    print(f"gate: {'open' if result.gate.open else 'closed'}, {result.gate.reason}")
    for reason in result.degraded:
        print(f"degraded: {reason}")
    if result.entity:
        attribute = result.entity.attribute
        print(f"\n{result.entity.name} ({result.entity.type})")
        if attribute:
            print(f"  {attribute.key} = {attribute.value}")
    if result.statements:
        print("\nstatements" + (" (a chain)" if result.chain else ""))
        for statement in result.statements:
            print(f"  {one_line(statement.fact, 150)}")
    if result.facets:
        _print_facets(result)
    if result.episodes:
        print("\nepisodes")
    for rank, episode in enumerate(result.episodes, 1):
        score = f"{episode.score_name} {episode.score:.3f}" if episode.score is not None else "no score"
        print(f"{rank:3} {episode.valid_at:%Y-%m-%d} {score} {episode.uuid}")
        print(f"    {one_line(episode.content, 150)}")
    if result.voice_statements:
        print("\nvoice statements")
        for statement in result.voice_statements:
            print(f"  {statement.aspect}: {one_line(statement.fact, 130)}")
    if result.is_empty:
        print("\nnothing found")
    _print_trace(result)


def _route_words(result: SearchResult) -> str:
    router = result.router
    labels = ", ".join(f"{label.label_name} {label.score:.2f}" for label in router.matched_labels)
    parts = [
        f"aspects {', '.join(router.aspects)}" if router.aspects else "",
        f"hints {', '.join(router.entity_hints)}" if router.entity_hints else "",
        f"attribute {router.attribute_hint}" if router.attribute_hint else "",
        f"labels {labels}" if labels else "",
        f"time {router.temporal.type}" if router.temporal.type != "all" else "",
    ]
    return "; ".join(part for part in parts if part)


def _print_facets(result: SearchResult) -> None:
    facets = result.facets
    assert facets is not None
    print(f"\n{facets.stats.episodes} episodes, {facets.stats.statements} statements")
    for title, rows in (
        ("topics", [(t.label_name, t.episode_count) for t in facets.topics]),
        ("entities", [(e.entity_name, e.mention_count) for e in facets.entities]),
        ("aspects", [(str(a.aspect), a.statement_count) for a in facets.aspects]),
    ):
        if rows:
            print(f"{title}: " + ", ".join(f"{name} {count}" for name, count in rows[:20]))


def _print_trace(result: SearchResult) -> None:
    print(f"\n{'stage':9} {'status':8} {'in':>5} {'out':>5} {'dropped':>8} {'ms':>8}")
    for stage in result.trace.stages:
        line = f"{stage.name:9} {stage.status:8} {stage.in_:5} {stage.out:5} {stage.dropped:8} {stage.duration_ms:8.1f}"
        print(f"{line}  {stage.note}".rstrip())
    budget = result.budget
    print(f"{budget.used:,} of {budget.limit:,} tokens, {result.trace.duration_ms:.0f} ms")
    for entry in result.trace.stage("budget").ledger:
        if entry.code:
            print(f"  {entry.code}: {entry.kind} {entry.id}, {entry.detail['tokens']:,} tokens")
