"""What kept an episode out of each path: the conditions of every handler, checked on it one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from core_search import legacy
from core_search.fate.checks import RANKS_LOOKED_AT, Check, PathChecks, place_by_time, rounded_down
from core_search.fate.report import ConditionName
from core_search.fate.scene import Scene
from core_search.fate.vectors import cosine_of, place_by_cosine
from core_search.models import Aspect, Episode, ItemKind, Namespace, QueryType, Statement, is_current
from core_search.trace import StageDraft, Status


@dataclass(frozen=True)
class Candidate:
    """An episode with the statements that came from it."""

    episode: Episode
    statements: tuple[Statement, ...]

    @property
    def aspects(self) -> list[Aspect]:
        return [statement.aspect for statement in self.statements]


def episode_checks(scene: Scene, episode: Episode) -> list[Check]:
    """Every path that looks for episodes: those of the handler that ran, then the backstop or the fallback."""
    checks = handler_checks(scene, episode)
    if scene.routed.query_type is not QueryType.TEMPORAL_FACETS:
        checks += _v1(scene, episode, "backstop")
    if scene.result.trace.stage("fallback").status is Status.OK:
        checks += _v1(scene, episode, "fallback")
    return checks


def handler_checks(scene: Scene, episode: Episode) -> list[Check]:
    """The paths of the handler that ran."""
    ids = scene.graph.statements_of_episodes([episode.uuid]).get(episode.uuid, [])
    candidate = Candidate(episode, tuple(scene.graph.statements(ids).values()))
    return EPISODE_PATHS[scene.routed.query_type](scene, candidate)


# ---------------------------------------------------------------- the paths


def _aspect_graph(scene: Scene, candidate: Candidate) -> list[Check]:
    path, episode, routed = PathChecks(scene, "graph"), candidate.episode, scene.routed
    aspects, limit = routed.output.aspects, "episode_limit"
    if not routed.label_ids and not aspects:
        return [path.did_not_run("neither labels nor aspects scope this search")]
    checks = [*path.label(episode.label_ids), *path.time(episode.valid_at), *path.end_user([episode.end_user_id])]
    if aspects or not routed.label_ids:
        bearing = [s for s in candidate.statements if not aspects or s.aspect in aspects]
        checks += [path.aspect(candidate.aspects, aspects), path.validity(bearing)]
    found = scene.graph.episodes_by_aspect(routed.scope, aspects, RANKS_LOOKED_AT)
    return [*checks, path.rank(place_by_time(found.hits, episode.uuid, episode.valid_at), limit)]


def _time_graph(scene: Scene, candidate: Candidate) -> list[Check]:
    path, episode, routed = PathChecks(scene, "graph"), candidate.episode, scene.routed
    aspects = routed.output.aspects
    current = [s for s in candidate.statements if is_current(s.invalid_at, routed.at)]
    dated = [instant for s in current for instant in (s.valid_at, s.event_date) if instant]
    checks = [
        *path.label(episode.label_ids),
        *path.time(episode.valid_at, *dated),
        *path.end_user([episode.end_user_id]),
    ]
    if aspects:
        bearing = [s for s in candidate.statements if s.aspect in aspects]
        checks += [path.aspect(candidate.aspects, aspects), path.validity(bearing)]
    found = scene.graph.episodes_in_time(routed.scope, aspects, RANKS_LOOKED_AT)
    return [*checks, path.rank(place_by_time(found.hits, episode.uuid, episode.valid_at), "episode_limit")]


def _episode_vectors(scene: Scene, candidate: Candidate, name: str = "episode_vectors") -> list[Check]:
    path, episode, stores = PathChecks(scene, name), candidate.episode, scene.context.stores
    cosine = cosine_of(scene, Namespace.EPISODE, episode.uuid)
    admits = stores.catalog.admits(scene.routed.scope)
    return [
        *path.time(episode.valid_at),
        *path.end_user([episode.end_user_id]),
        path.similarity(cosine, "episode_threshold"),
        path.rank(place_by_cosine(scene, Namespace.EPISODE, episode.uuid, cosine, admits), "episode_limit"),
    ]


def _unscoped_vectors(scene: Scene, candidate: Candidate) -> list[Check]:
    if not scene.routed.label_ids:
        return _episode_vectors(scene, candidate)
    # With a threshold of 1 no label matches, and nothing scopes the search.
    fixes = () if scene.options.label_ids else ({"label_threshold": 1.0},)
    path, names = PathChecks(scene, "episode_vectors"), scene.label_names(scene.routed.label_ids)
    outside = [replace(check, fixes=()) for check in path.label(candidate.episode.label_ids) if not check.holds]
    return [path.did_not_run(f"the labels {names} scope this search", *fixes), *outside]


def _entity_hints(scene: Scene, candidate: Candidate) -> list[Check]:
    if not scene.routed.output.entity_hints[: scene.options.hint_limit]:
        return [PathChecks(scene, "entity_hints").did_not_run("the query names no entity")]
    if not any(hint.entities for hint in scene.resolutions()) and scene.routed.label_ids:
        return _episode_vectors(scene, candidate, "entity_hints")
    return _mentions(scene, candidate, "entity_hints", (), "hint_threshold")


def _entity_episodes(scene: Scene, candidate: Candidate) -> list[Check]:
    if scene.step_detail("answer").get("key"):
        return [PathChecks(scene, "entity_episodes").did_not_run("an attribute answers the query")]
    if not any(hint.entities for hint in scene.resolutions()):
        return _episode_vectors(scene, candidate, "entity_episodes")
    return _mentions(scene, candidate, "entity_episodes", scene.routed.output.aspects, "lookup_threshold")


def _mentions(scene: Scene, candidate: Candidate, name: str, aspects: tuple[Aspect, ...], setting: str) -> list[Check]:
    """Episodes of current statements about an entity that a hint means."""
    path, episode, hints = PathChecks(scene, name), candidate.episode, scene.resolutions()
    meant = {entity for hint in hints for entity in hint.entities}
    bearing = [s for s in candidate.statements if meant & {s.subject, s.object}]
    checks = [
        *path.time(episode.valid_at),
        *path.end_user([episode.end_user_id]),
        _entity(path, candidate, bool(bearing), setting),
    ]
    if aspects:
        checks.append(path.aspect([s.aspect for s in bearing], aspects, "its statements about them are"))
        bearing = [s for s in bearing if s.aspect in aspects]
    found = scene.graph.episodes_by_entity(sorted(meant), scene.routed.scope, aspects, RANKS_LOOKED_AT)
    rank = path.rank(place_by_time(found.hits, episode.uuid, episode.valid_at), "episode_limit")
    return [*checks, path.validity(bearing), rank]


def _entity(path: PathChecks, candidate: Candidate, holds: bool, setting: str) -> Check:
    """The episode tells of an entity that a hint means, or of one that came near."""
    scene, hints = path.scene, path.scene.resolutions()
    asked = ", ".join(repr(hint.hint) for hint in hints)
    if holds:
        return path.check(ConditionName.ENTITY, True, f"it tells of an entity that {asked} means")
    mentioned = {end for s in candidate.statements for end in (s.subject, s.object) if end}
    near = {e: cosine for hint in hints for e, cosine in hint.near_misses.items() if e in mentioned and cosine}
    text = f"none of its statements is about an entity that {asked} means"
    if not near:
        return path.check(ConditionName.ENTITY, False, text)
    best = max(near, key=lambda entity: near[entity])
    cosine = near[best]
    entity = scene.graph.entities([best]).get(best)
    return path.check(
        ConditionName.ENTITY,
        False,
        f"{text}; the nearest is {entity.name if entity else best!r}, {cosine:.3f}",
        value=cosine,
        threshold=float(getattr(scene.options, setting)),
        names=("entity cosine", setting),
        fixes=({setting: rounded_down(cosine)},),
    )


def _v1(scene: Scene, episode: Episode, stage: str) -> list[Check]:
    """The V1 search, which looks past labels and aspects."""
    path = PathChecks(scene, stage, stage)
    if stage == "backstop" and not (scene.options.backstop and scene.options.backstop_limit):
        on = {"backstop": True} if scene.options.backstop_limit else {"backstop_limit": 1}
        return [path.did_not_run("the backstop is switched off", on)]
    found = legacy.candidates(scene.context, scene.routed, StageDraft(stage), RANKS_LOOKED_AT)
    known = _found_before(scene) if stage == "backstop" else set()  # these do not count against the limit
    new = [row.id for row in found if row.id == episode.uuid or row.id not in known]
    rank = next((place for place, id_ in enumerate(new, 1) if id_ == episode.uuid), None)
    checks = [*path.time(episode.valid_at), *path.end_user([episode.end_user_id])]
    if rank is None:
        text = f"none of the V1 lists has it among its first {legacy.DEPTH}"
        return [*checks, path.check(ConditionName.SIMILARITY, False, text)]
    return [*checks, path.rank(rank, "backstop_limit")]


def _found_before(scene: Scene) -> set[str]:
    merged = scene.result.trace.stage("merge").ledger
    return {entry.id for entry in merged if entry.kind is ItemKind.EPISODE and entry.code is None}


# ---------------------------------------------------------------- by query type


def _aspect_query(scene: Scene, candidate: Candidate) -> list[Check]:
    return [
        *_aspect_graph(scene, candidate),
        *_entity_hints(scene, candidate),
        *_unscoped_vectors(scene, candidate),
    ]


def _temporal(scene: Scene, candidate: Candidate) -> list[Check]:
    return [*_time_graph(scene, candidate), *_entity_hints(scene, candidate), *_unscoped_vectors(scene, candidate)]


def _exploratory(scene: Scene, candidate: Candidate) -> list[Check]:
    return [*_entity_hints(scene, candidate), *_unscoped_vectors(scene, candidate)]


def _relationship(scene: Scene, candidate: Candidate) -> list[Check]:
    if scene.result.trace.stage("handle").step("episode_vectors"):
        return _episode_vectors(scene, candidate)
    return [PathChecks(scene, "connections").did_not_run("a relationship is answered by statements, not by episodes")]


def _facets(scene: Scene, candidate: Candidate) -> list[Check]:
    return [PathChecks(scene, "facets").did_not_run("facets are counts and have no episodes")]


EPISODE_PATHS: Mapping[QueryType, Callable[[Scene, Candidate], list[Check]]] = MappingProxyType(
    {
        QueryType.ASPECT_QUERY: _aspect_query,
        QueryType.ENTITY_LOOKUP: _entity_episodes,
        QueryType.TEMPORAL: _temporal,
        QueryType.TEMPORAL_FACETS: _facets,
        QueryType.EXPLORATORY: _exploratory,
        QueryType.RELATIONSHIP: _relationship,
    }
)
