"""An explicit time scope: "what did I do last week" (seed, `temporal`)."""

from __future__ import annotations

from core_search.context import Context, Routed, Row
from core_search.handlers.answer import Handled
from core_search.handlers.paths import NEXT_IN_LINE, Path, entity_hints, episode_vectors, hit_rows, record_queries, run
from core_search.models import ItemKind
from core_search.trace import StageDraft, StepDraft


def handle(context: Context, routed: Routed, stage: StageDraft) -> Handled:
    limit = context.options.episode_limit

    def in_time(draft: StepDraft) -> list[Row]:
        found = context.stores.graph.episodes_in_time(routed.scope, routed.output.aspects, limit + NEXT_IN_LINE)
        record_queries(draft, found.queries)
        draft.detail["limit"] = limit
        return hit_rows(found, ItemKind.EPISODE, limit)

    paths = [Path("graph", in_time), entity_hints(context, routed), episode_vectors(context, routed)]
    return Handled(rows=tuple(run(stage, paths)))
