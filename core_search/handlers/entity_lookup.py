"""One entity: its attribute, or the episodes that mention it (seed, `entity_lookup`)."""

from __future__ import annotations

import re
from dataclasses import replace

from core_search.context import Context, Routed, Row
from core_search.handlers.answer import Handled, PickedAttribute
from core_search.handlers.paths import (
    Path,
    distinct_entities,
    episodes_of_entities,
    record_resolutions,
    run,
    search_episode_vectors,
)
from core_search.models import Entity, ItemKind, LookupMode
from core_search.trace import DropCode, StageDraft, StepDraft

_WORDS = re.compile(r"[^\W_]+", re.UNICODE)


def handle(context: Context, routed: Routed, stage: StageDraft) -> Handled:
    options, output = context.options, routed.output
    with stage.step("resolve_hints") as step:
        resolutions = context.resolver.resolve(
            output.entity_hints[: options.hint_limit], options.lookup_threshold, options.lookup_entities
        )
        record_resolutions(step, resolutions, options.lookup_threshold)
        found = context.stores.graph.entities(distinct_entities(resolutions))
        step.found(ItemKind.ENTITY, [(uuid, None) for uuid in found], None)

    with stage.step("answer") as step:
        picked, step.note = _answer(routed, list(found.values()))
        step.detail["attributeHint"] = output.attribute_hint
        if picked:
            step.detail |= {"entity": picked.entity, "key": picked.key}
    entity_rows = _entity_rows(list(found), picked.entity if picked else None)
    if picked and picked.key:
        return Handled(rows=tuple(entity_rows), entity=picked)

    def broad(draft: StepDraft) -> list[Row]:
        if found:
            return episodes_of_entities(context, routed, draft, list(found), output.aspects)
        draft.note = "no hint is an entity of this memory; episode vectors searched instead"
        return search_episode_vectors(context, routed, draft)

    return Handled(rows=(*entity_rows, *run(stage, [Path("entity_episodes", broad)])), entity=picked)


def _answer(routed: Routed, found: list[Entity]) -> tuple[PickedAttribute | None, str]:
    """The entity that stands beside the episodes, its attribute when one is asked for and there, and a note."""
    output = routed.output
    if not found:
        return None, "no hint is an entity of this memory"
    first = PickedAttribute(found[0].uuid)
    if output.lookup_mode is LookupMode.BROAD:
        return first, "the look-up is broad"
    if not output.attribute_hint:
        return first, "the route names no attribute; episodes are looked up instead"
    picked = _pick(found, output.attribute_hint)
    if picked is None:
        return first, f"no entity has an attribute {output.attribute_hint!r}; episodes are looked up instead"
    return picked, ""


def _pick(entities: list[Entity], hint: str) -> PickedAttribute | None:
    """The first entity that has the attribute: exact key first, then a key that contains it as a whole word."""
    wanted = _words(hint)
    keys = [(entity.uuid, key, value) for entity in entities for key, value in entity.attributes.items()]
    exact = (PickedAttribute(*at) for at in keys if wanted and _words(at[1]) == wanted)
    partial = (PickedAttribute(*at) for at in keys if wanted and _contains(_words(at[1]), wanted))
    return next(exact, None) or next(partial, None)


def _words(key: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key)
    return [word.casefold() for word in _WORDS.findall(spaced)]


def _contains(words: list[str], wanted: list[str]) -> bool:
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))


def _entity_rows(found: list[str], chosen: str | None) -> list[Row]:
    """The chosen entity is an answer beside the episodes; the others that the hints may mean leave here."""
    rows = []
    for uuid in found:
        row = Row(uuid, ItemKind.ENTITY, sources=("resolve_hints",), beside=True)
        if uuid != chosen:
            row = replace(row, code=DropCode.OUT_OF_SCOPE, detail={"reason": "another entity answers the hint"})
        rows.append(row)
    return rows
