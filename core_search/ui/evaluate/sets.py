"""The query sets that can be evaluated: the workspace's own, and those that people judged."""

from __future__ import annotations

from dataclasses import dataclass

from core_search.engine import SearchEngine
from core_search.errors import UsageError
from core_search.evaluation.history import OWN_SET, own_set_name
from core_search.evaluation.judged_set import EXCLUDED_TAGS, JudgedSet, stored_set
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import QuerySet
from core_search.models import ItemKind
from core_search.ui.frame import Page


@dataclass(frozen=True)
class SetChoice:
    """One set as it stands now. `remarks` say what of it is not evaluated."""

    id: str
    name: str
    judged: JudgedSet
    remarks: tuple[str, ...] = ()

    @property
    def queries(self) -> int:
        return sum(1 for _ in self.judged.judged())


def choices(page: Page, store: JudgmentStore) -> list[SetChoice]:
    """Every set about this workspace that has a judgment, the workspace's own first."""
    found = []
    if own := _own(page.engine, page.workspace):
        found.append(own)
    found += [_of_people(store, store.sets.load(one.id)) for one in store.sets.all(page.workspace)]
    return [choice for choice in found if choice.queries]


def _own(engine: SearchEngine, workspace: str) -> SetChoice | None:
    try:
        stored = stored_set(engine, workspace)
    except UsageError:
        return None  # loaded without judged queries
    judged = stored.without_tags(EXCLUDED_TAGS)
    left_out = len(stored.queries) - len(judged.queries)
    remarks = [f"{left_out} queries tagged {', '.join(EXCLUDED_TAGS)} have no answer in the memory"] if left_out else []
    return SetChoice(OWN_SET, own_set_name(workspace), judged, (*remarks, *_without_judgments(judged)))


def _of_people(store: JudgmentStore, query_set: QuerySet) -> SetChoice:
    qrels: dict[str, dict[str, int]] = {}
    others = 0
    for key, grade in store.counting(query_set.id).items():
        if key.kind is ItemKind.EPISODE:
            qrels.setdefault(key.query_id, {})[key.item_id] = grade
        else:
            others += 1
    judged = JudgedSet(query_set.workspace, query_set.queries, qrels)
    remarks = [f"{others} judged documents and statements: rankings of episodes are measured"] if others else []
    return SetChoice(query_set.id, query_set.name, judged, (*remarks, *_without_judgments(judged)))


def _without_judgments(judged: JudgedSet) -> list[str]:
    missing = sum(query.id not in judged.qrels for query in judged.queries)
    return [f"{missing} queries without judgments"] if missing else []
