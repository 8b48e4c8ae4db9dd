"""What kept a session document, an entity or a label out: the conditions of the paths that look for such items."""

from __future__ import annotations

from core_search.fate.checks import RANKS_LOOKED_AT, Check, PathChecks, place_by_time, rounded_down
from core_search.fate.report import ConditionName
from core_search.fate.scene import Resolved, Scene
from core_search.fate.vectors import cosine_of
from core_search.models import Document, Entity, EntityType, Facet, Label, Namespace, QueryType


def document_checks(scene: Scene, document: Document) -> list[Check]:
    """Session documents are looked for by `exploratory`, and take the place of episodes when `compact` is on."""
    if scene.routed.query_type is not QueryType.EXPLORATORY:
        reason = f"{scene.routed.query_type} looks for no session documents"
        fixes = ({"query_type": QueryType.EXPLORATORY.value}, {"compact": True})
        return [PathChecks(scene, "session_documents").did_not_run(reason, *fixes)]
    path, routed = PathChecks(scene, "session_documents"), scene.routed
    checks = path.label(document.label_ids)
    if not routed.time.is_open or routed.end_user_ids:
        episodes = scene.graph.episodes(scene.graph.session_episodes(document.session_id)).values()
        newest_first = sorted((episode.valid_at for episode in episodes), reverse=True)
        checks += path.time(*newest_first, what="its session ended")
        in_time = [episode.end_user_id for episode in episodes if episode.valid_at in routed.time]
        checks += path.end_user(in_time)
    found = scene.graph.documents_by_label(routed.scope, RANKS_LOOKED_AT)
    return [*checks, path.rank(place_by_time(found.hits, document.id, document.updated_at), "session_limit")]


def entity_checks(scene: Scene, entity: Entity) -> list[Check]:
    """Entities are answers of `entity_lookup` and are counted by `temporal_facets`."""
    if scene.routed.query_type is QueryType.ENTITY_LOOKUP:
        return _looked_up(scene, entity)
    if scene.routed.query_type is QueryType.TEMPORAL_FACETS:
        return _counted(scene, entity)
    fixes = ({"query_type": QueryType.ENTITY_LOOKUP.value}, {"query_type": QueryType.TEMPORAL_FACETS.value})
    reason = f"{scene.routed.query_type} returns no entities"
    return [PathChecks(scene, "resolve_hints").did_not_run(reason, *fixes)]


def _looked_up(scene: Scene, entity: Entity) -> list[Check]:
    path, hints = PathChecks(scene, "resolve_hints"), scene.resolutions()
    if entity.type is EntityType.PREDICATE:
        return [path.check(ConditionName.KIND, False, "a predicate labels edges and is never looked up")]
    if not hints:
        return [path.did_not_run("the query names no entity")]
    return [_meant(path, entity, hint) for hint in hints]


def _meant(path: PathChecks, entity: Entity, hint: Resolved) -> Check:
    """Whether a hint means the entity: by its exact name, else by its vector."""
    scene = path.scene
    if scene.context.stores.names.knows(hint.hint):
        return path.check(ConditionName.ENTITY, False, f"{hint.hint!r} is a name that others bear")
    vector = scene.context.stores.vectors.vectors(Namespace.ENTITY, [entity.uuid]).get(entity.uuid)
    if vector is None:
        return path.check(ConditionName.ENTITY, False, f"{hint.hint!r} is not its name, and it has no vector")
    cosine = float(scene.context.providers.embedder.embed([hint.hint])[0] @ vector)
    threshold, most = scene.options.lookup_threshold, scene.options.lookup_entities
    if cosine >= threshold:
        text = f"{hint.hint!r} is near it ({cosine:.3f}), but nearer to {most} others"
        return path.check(ConditionName.RANK, False, text, fixes=({"lookup_entities": most + 1},))
    return path.check(
        ConditionName.ENTITY,
        False,
        f"{hint.hint!r} is not its name; their similarity {cosine:.3f} is under lookup_threshold {threshold:g}",
        value=cosine,
        threshold=threshold,
        names=("entity cosine", "lookup_threshold"),
        fixes=({"lookup_threshold": rounded_down(cosine)},),
    )


def _counted(scene: Scene, entity: Entity) -> list[Check]:
    path, wanted = PathChecks(scene, "facets"), scene.routed.output.facets
    if entity.type is EntityType.PREDICATE:
        return [path.check(ConditionName.KIND, False, "a predicate labels edges and is never counted")]
    if wanted and Facet.ENTITIES not in wanted:
        return [path.did_not_run("entities are not among the facets asked for")]
    facts = scene.graph.statements(scene.graph.statements_of_entity(entity.uuid, RANKS_LOOKED_AT)).values()
    if not facts:
        return [path.check(ConditionName.ENTITY, False, "no statement is about it")]
    episodes = scene.graph.episodes([uuid for fact in facts for uuid in fact.episode_uuids]).values()
    labels = tuple(dict.fromkeys(label for episode in episodes for label in episode.label_ids))
    return [
        *path.label(labels),
        *path.time(*sorted((fact.valid_at for fact in facts), reverse=True), what="it was last spoken of"),
        *path.end_user(episode.end_user_id for episode in episodes),
        path.validity([fact for fact in facts if fact.valid_at in scene.routed.time]),
    ]


def label_checks(scene: Scene, label: Label) -> list[Check]:
    """Labels are compared with the query by the route; one that its ledger lacks has no vector."""
    cosine = cosine_of(scene, Namespace.LABEL, label.id)
    return [PathChecks(scene, "labels", "route").similarity(cosine, "label_threshold")]
