"""What kept a statement out: the conditions of the voice statements and of the connections between entities."""

from __future__ import annotations

from itertools import combinations

from core_search.fate.checks import Check, PathChecks
from core_search.fate.report import ConditionName
from core_search.fate.scene import Scene
from core_search.fate.vectors import cosine_of, place_by_cosine
from core_search.models import VOICE_ASPECTS, Namespace, QueryType, Statement


def statement_checks(scene: Scene, statement: Statement) -> list[Check]:
    """Statements are answers of `relationship`, and stand beside an `aspect_query` when they are in one's own voice."""
    if scene.routed.query_type is QueryType.ASPECT_QUERY:
        return _voice(scene, statement)
    if scene.routed.query_type is QueryType.RELATIONSHIP:
        return _connections(scene, statement)
    reason = f"{scene.routed.query_type} returns no statements"
    fix = {"query_type": _statement_type(statement).value}
    return [PathChecks(scene, "voice_statements").did_not_run(reason, fix)]


def _statement_type(statement: Statement) -> QueryType:
    return QueryType.ASPECT_QUERY if statement.aspect in VOICE_ASPECTS else QueryType.RELATIONSHIP


def _voice(scene: Scene, statement: Statement) -> list[Check]:
    path, catalog, routed = PathChecks(scene, "voice_statements"), scene.context.stores.catalog, scene.routed
    asked = set(routed.output.aspects)
    wanted = (asked & VOICE_ASPECTS) if asked else VOICE_ASPECTS
    if not wanted:
        return [path.did_not_run("none of the aspects asked for is a voice aspect")]
    admits, current = catalog.admits_statement(routed.scope), catalog.current_at(routed.at)
    cosine = cosine_of(scene, Namespace.ASPECT, statement.uuid)
    rank = place_by_cosine(
        scene,
        Namespace.ASPECT,
        statement.uuid,
        cosine,
        lambda id_: catalog.aspect(id_) in wanted and admits(id_) and current(id_),
    )
    users = [episode.end_user_id for episode in scene.graph.episodes(statement.episode_uuids).values()]
    return [
        path.aspect([statement.aspect], sorted(wanted), "it is a"),
        *path.time(statement.valid_at, what="it became valid"),
        *path.end_user(users),
        path.validity([statement]),
        path.similarity(cosine, "voice_threshold"),
        path.rank(rank, "voice_limit"),
    ]


def _connections(scene: Scene, statement: Statement) -> list[Check]:
    path, hints = PathChecks(scene, "connections"), scene.resolutions()
    groups = _groups(scene)
    if len(groups) < 2:
        return [path.did_not_run(f"a relationship needs two entities, the query gives {len(groups)}")]
    connects = any(
        (statement.subject in left and statement.object in right)
        or (statement.subject in right and statement.object in left)
        for left, right in combinations(groups, 2)
    )
    asked = " and ".join(repr(hint.hint) for hint in hints)
    text = f"it {'connects' if connects else 'does not connect'} entities that {asked} mean"
    dates = [instant for instant in (statement.valid_at, statement.event_date) if instant]
    users = [episode.end_user_id for episode in scene.graph.episodes(statement.episode_uuids).values()]
    return [
        path.check(ConditionName.ENTITY, connects, text),
        *path.time(*dates, what="it became valid"),
        *path.end_user(users),
        path.validity([statement]),
    ]


def _groups(scene: Scene) -> list[set[str]]:
    """The entities of each hint; one that an earlier hint means is not its own counterpart."""
    seen: set[str] = set()
    groups = []
    for hint in scene.resolutions():
        own = set(hint.entities) - seen
        seen |= own
        if own:
            groups.append(own)
    return groups
