"""Counts over a time range: "what topics did I discuss this month" (seed, `temporal_facets`). No episodes."""

from __future__ import annotations

from dataclasses import replace

from core_search.context import Context, Routed, Row
from core_search.handlers.answer import Handled
from core_search.handlers.paths import record_queries
from core_search.models import Facet, ItemKind
from core_search.stores import facet_counting
from core_search.trace import StageDraft


def handle(context: Context, routed: Routed, stage: StageDraft) -> Handled:
    wanted = set(routed.output.facets) or set(Facet)
    with stage.step("facets") as step:
        stores = context.stores
        found = stores.graph.facets(routed.scope)
        record_queries(step, found.queries)
        counts = facet_counting.count(stores.catalog, found, is_counted=lambda uuid: uuid in stores.names)
        step.detail["facets"] = sorted(wanted)
        counts = replace(
            counts,
            topics=counts.topics if Facet.TOPICS in wanted else (),
            entities=counts.entities if Facet.ENTITIES in wanted else (),
            aspects=counts.aspects if Facet.ASPECTS in wanted else (),
        )
        step.found(ItemKind.LABEL, [(id_, float(count)) for id_, count in counts.topics], "episodeCount")
        step.found(ItemKind.ENTITY, [(id_, float(count)) for id_, count in counts.entities], "mentionCount")
    rows = [Row(id_, ItemKind.LABEL, sources=("facets",), beside=True) for id_, _ in counts.topics]
    rows += [Row(id_, ItemKind.ENTITY, sources=("facets",), beside=True) for id_, _ in counts.entities]
    return Handled(rows=tuple(rows), facets=counts)
