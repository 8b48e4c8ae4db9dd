"""Why an item is, or is not, in the result of a search (SPEC 4, "Fate")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from core_search.answers import ItemKey
from core_search.engine import OpenMemory, SearchEngine
from core_search.errors import StoreError, WorkspaceError
from core_search.fate.checks import CODES, Change, Check
from core_search.fate.cuts import Cut, cut_of
from core_search.fate.episode_paths import episode_checks
from core_search.fate.ledger import last_of, path_of, place_of, way_of
from core_search.fate.lost_at import LostAt, lost_at, scope_miss
from core_search.fate.other_paths import document_checks, entity_checks, label_checks
from core_search.fate.remedy import RemedySearch, changes_for, gate_changes, nearest_fixes, nearest_miss
from core_search.fate.report import ConditionName, Item, ItemFate, Margin, PathStage, Verdict
from core_search.fate.scene import Scene, Stored, scene_of, stored_items
from core_search.fate.statement_paths import statement_checks
from core_search.forks import DECISIONS
from core_search.models import Document, Entity, Episode, ItemKind, Statement
from core_search.results import SearchRequest, SearchResult
from core_search.trace import Entry


def explain(
    engine: SearchEngine,
    result: SearchResult,
    request: SearchRequest,
    item_id: str,
    kind: ItemKind | None = None,
    *,
    remedies: bool = True,
) -> ItemFate:
    """The one verdict on an item of the workspace, for the search that `result` answers `request` with.

    Without `kind` every kind is looked for; of several items with one id the one that the search met is explained.
    `remedies` runs searches (some 10 to 100 ms each, at most `remedy.MOST_TRIES`). Nothing stored is changed.
    """
    try:
        with engine.memory(result.workspace) as memory:
            found = stored_items(memory, item_id, kind)
            if not found:
                text = f"The workspace {result.workspace!r} stores no {kind or 'item'} {item_id!r}."
                return ItemFate(item=Item(id=item_id, kind=kind), verdict=Verdict.NOT_STORED, text=text)
            chosen = _met(result, item_id, found)
            return _explain(engine, memory, result, request, (chosen, item_id), found[chosen], remedies)
    except (StoreError, WorkspaceError) as error:
        # Not an absence: nobody knows whether it is stored.
        text = f"The memory could not be asked for {item_id!r}: {error}"
        return ItemFate(item=Item(id=item_id, kind=kind), verdict=Verdict.LOOKUP_FAILED, text=text)


def _met(result: SearchResult, item_id: str, found: dict[ItemKind, Stored]) -> ItemKind:
    returned = [kind for kind in found if place_of(result, (kind, item_id))]
    seen = [kind for kind in found if way_of(result.trace, (kind, item_id))]
    return (*returned, *seen, *found)[0]


def _explain(
    engine: SearchEngine,
    memory: OpenMemory,
    result: SearchResult,
    request: SearchRequest,
    key: ItemKey,
    stored: Stored,
    remedies: bool,
) -> ItemFate:
    item, way = Item(id=key[1], kind=key[0]), way_of(result.trace, key)
    path = path_of(way)
    changes: Iterable[Change] = ()
    if not result.gate.open:
        where = lost_at(result, way, list)
        fate = ItemFate(
            item=item,
            verdict=Verdict.GATE_CLOSED,
            stage=where.stage,
            code=where.code,
            margin=_gate_margin(result),
            path=path,
            text=f"Nothing was searched: {result.gate.reason}.",
        )
        changes = gate_changes(result)
    elif place := place_of(result, key):
        text = f"Returned as number {place[1]} of {place[0]}."
        return ItemFate(item=item, verdict=Verdict.RETURNED, rank=place[1], path=path, text=text)
    else:
        scene = scene_of(engine, memory, request, result)
        stage, entry = last_of(way)
        cut = cut_of(scene.context, result, result.trace.stage(stage), entry) if entry else None
        checks = checks_of(scene, stored) if cut is None else []
        where = lost_at(result, way, lambda: checks)
        if where.entry is not None:
            fate = _dropped(item, path, where, where.entry, cut, checks)
        else:
            fate = _never(item, path, where, checks)
        changes = chain(cut.fixes if cut else (), changes_for(result, key[0], checks))
        if memory.meta.fingerprint != result.fingerprint:
            text = f"{fate.text} The memory has changed since this search."
            fate = fate.model_copy(update={"text": text})
    if not remedies:
        return fate

    def further(after: SearchResult, change: Change) -> Iterable[Change]:
        """What lets the item pass where it is stopped now; other handlers are asked for their conditions."""
        if not after.gate.open:
            return ()
        stage, entry = last_of(way_of(after.trace, key))
        then = scene_of(engine, memory, request, after)
        cut = cut_of(then.context, after, after.trace.stage(stage), entry) if entry else None
        if cut is not None:
            return cut.fixes
        return nearest_fixes(checks_of(then, stored)) if DECISIONS.keys() & change.keys() else ()

    remedy = RemedySearch(engine, result, request, key, further).find(changes)
    return fate.model_copy(update={"remedy": remedy})


def checks_of(scene: Scene, stored: Stored) -> list[Check]:
    """Every condition of every path of the search that looks for items of this kind."""
    if isinstance(stored, Episode):
        return episode_checks(scene, stored)
    if isinstance(stored, Document):
        return document_checks(scene, stored)
    if isinstance(stored, Statement):
        return statement_checks(scene, stored)
    return entity_checks(scene, stored) if isinstance(stored, Entity) else label_checks(scene, stored)


def _dropped(
    item: Item, path: tuple[PathStage, ...], where: LostAt, entry: Entry, cut: Cut | None, checks: Sequence[Check]
) -> ItemFate:
    if cut is not None:
        text, margin = cut.text, cut.margin
    else:
        failed = [check for check in checks if not check.holds and check.path in entry.sources]
        check = next((one for one in failed if CODES[one.name] is where.code), None)
        reason = entry.detail.get("reason") or str(where.code).replace("_", " ")
        text, margin = (check.text, check.margin) if check else (str(reason), None)
    return ItemFate(
        item=item,
        verdict=Verdict.DROPPED,
        stage=where.stage,
        code=where.code,
        margin=margin,
        path=path,
        conditions=tuple(check.condition for check in checks),
        text=f"Found, but left out at {where.stage}: {text}.",
    )


def _never(item: Item, path: tuple[PathStage, ...], where: LostAt, checks: Sequence[Check]) -> ItemFate:
    """Stage and code say where it was lost, the margin what it came nearest to: that may be a later path."""
    nearest, shut_out = nearest_miss(checks), scope_miss(checks)
    if nearest is None:
        text = "No path came upon it, although it meets every condition: the vector search is approximate."
    elif nearest.name is ConditionName.KIND:
        text = f"No path looked for it: {nearest.text}."
    else:
        text = f"No path came upon it; nearest was {nearest.path}: {nearest.text}."
    if nearest and shut_out and shut_out.text != nearest.text:
        text = f"Outside the scope of the route: {shut_out.text}. {text}"
    return ItemFate(
        item=item,
        verdict=Verdict.NEVER_CANDIDATE,
        stage=where.stage,
        code=where.code,
        margin=nearest.margin if nearest else None,
        path=path,
        conditions=tuple(check.condition for check in checks),
        text=text,
    )


def _gate_margin(result: SearchResult) -> Margin | None:
    if not result.router.should_search:
        return None
    return Margin(name="confidence vs confidence_gate", value=result.gate.confidence, threshold=result.gate.threshold)
