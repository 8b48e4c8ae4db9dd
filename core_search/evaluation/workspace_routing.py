"""The router report over labelled queries with the names and labels of one workspace."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.engine import SearchEngine
from core_search.evaluation.labelled_queries import LabelledQuery
from core_search.evaluation.router_report import RouterReport, report_router
from core_search.models import MatchedLabel, Namespace
from core_search.stores.base import Progress


def report_routing(
    engine: SearchEngine, workspace: str, queries: Sequence[LabelledQuery], progress: Progress | None = None
) -> RouterReport:
    """Route every query as a search of this workspace would, and judge what came."""
    options = engine.default_options()
    with engine.memory(workspace) as memory:
        stores = memory.stores
        names = {label.id: label.name for label in stores.labels}

        def match_labels(text: str) -> list[MatchedLabel]:
            vector = engine.providers.embedder.embed([text])[0]
            hits = stores.vectors.search(Namespace.LABEL, vector, options.label_limit, minimum=options.label_threshold)
            return [MatchedLabel(label_id=hit.id, label_name=names[hit.id], score=hit.cosine) for hit in hits]

        return report_router(
            engine.providers.extractor,
            queries,
            zone=stores.zone,
            names=stores.names,
            match_labels=match_labels,
            confidence_gate=options.confidence_gate,
            progress=progress,
        )
