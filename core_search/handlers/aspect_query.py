"""Topic, behaviour or category: "my views on remote work" (seed, `aspect_query`)."""

from __future__ import annotations

from core_search.context import Context, Routed, Row
from core_search.handlers.answer import Handled
from core_search.handlers.paths import (
    NEXT_IN_LINE,
    Path,
    entity_hints,
    episode_vectors,
    hit_rows,
    record_queries,
    run,
    voice_statements,
)
from core_search.models import ItemKind
from core_search.trace import StageDraft, StepDraft


def handle(context: Context, routed: Routed, stage: StageDraft) -> Handled:
    limit = context.options.episode_limit

    def by_aspect(draft: StepDraft) -> list[Row]:
        found = context.stores.graph.episodes_by_aspect(routed.scope, routed.output.aspects, limit + NEXT_IN_LINE)
        record_queries(draft, found.queries)
        draft.detail["limit"] = limit
        return hit_rows(found, ItemKind.EPISODE, limit)

    graph = Path("graph", by_aspect)
    if not routed.label_ids and not routed.output.aspects:
        # Neither a label nor an aspect: the query would be "the newest episodes", which says nothing about a topic.
        graph = Path("graph", None, "neither labels nor aspects scope this search")
    paths = [graph, entity_hints(context, routed), episode_vectors(context, routed), voice_statements(context, routed)]
    return Handled(rows=tuple(run(stage, paths)))
