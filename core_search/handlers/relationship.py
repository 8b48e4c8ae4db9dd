"""What connects two or more entities: "how do Alice and Bob know each other" (seed, `relationship`)."""

from __future__ import annotations

import re
from itertools import combinations

from core_search.context import Context, Routed, Row
from core_search.entities import Resolution
from core_search.handlers.answer import Handled
from core_search.handlers.paths import Path, cut, record_queries, record_resolutions, run, search_episode_vectors
from core_search.models import ItemKind
from core_search.stores.base import Link
from core_search.trace import StageDraft, StepDraft

_OWNER_WORD = re.compile(r"(?i)\b(i|me|my|myself|we|us|our)\b")
FANOUT = 500  # newest links that one step of a chain follows; the owner of a memory is linked to almost everything


def handle(context: Context, routed: Routed, stage: StageDraft) -> Handled:
    options = context.options
    hints = list(routed.output.entity_hints[: options.hint_limit])
    with stage.step("resolve_hints") as step:
        if len(hints) == 1 and context.stores.owner and _OWNER_WORD.search(context.query):
            hints.append("I")
            step.note = "the query speaks of its owner: counted as the second entity"
        resolutions = context.resolver.resolve(hints, options.hint_threshold, options.hint_entities)
        record_resolutions(step, resolutions, options.hint_threshold)
        groups = _groups(resolutions)

    if len(groups) < 2:
        reason = f"a relationship needs two entities, the query gives {len(groups)}"
        stage.skip_step("connections", reason)
        stage.skip_step("chain", reason)

        def instead(draft: StepDraft) -> list[Row]:
            draft.note = f"{reason}; episode vectors searched instead"
            return search_episode_vectors(context, routed, draft)

        return Handled(rows=tuple(run(stage, [Path("episode_vectors", instead)])))

    def connections(draft: StepDraft) -> list[Row]:
        links: list[Link] = []
        for left, right in combinations(groups, 2):
            found, queries = context.stores.graph.links_between(left, right, routed.scope)
            record_queries(draft, queries)
            links += found
        draft.detail["limit"] = options.statement_limit
        return cut(_rows(links), options.statement_limit)

    rows = run(stage, [Path("connections", connections)])
    if rows:
        stage.skip_step("chain", "the entities are connected directly")
        return Handled(rows=tuple(rows))

    def chain(draft: StepDraft) -> list[Row]:
        for left, right in combinations(groups, 2):
            if links := _chain(context, routed, draft, left, right):
                draft.note = f"connected through {len(links) - 1} other{'s' if len(links) > 2 else ''}"
                return _rows(links, chained=True)
        draft.note = "no chain through at most 2 entities"
        return []

    return Handled(rows=tuple(run(stage, [Path("chain", chain)])))


def _groups(resolutions: list[Resolution]) -> list[list[str]]:
    """The entities of each hint. One that an earlier hint already means is not its own counterpart."""
    seen: set[str] = set()
    groups = []
    for resolution in resolutions:
        own = [entity for entity in resolution.entity_ids if entity not in seen]
        seen.update(own)
        if own:
            groups.append(own)
    return groups


def _rows(links: list[Link], chained: bool = False) -> list[Row]:
    rows: dict[str, Row] = {}
    for position, link in enumerate(links):
        detail = {"subject": link.subject, "object": link.object}
        if chained:
            detail["chainPosition"] = str(position)
        rows.setdefault(link.statement, Row(link.statement, ItemKind.STATEMENT, detail=detail))
    return list(rows.values())


def _chain(context: Context, routed: Routed, draft: StepDraft, left: list[str], right: list[str]) -> list[Link]:
    """The shortest chain of current statements through one entity, else through two."""
    graph, scope = context.stores.graph, routed.scope
    ends = {*left, *right}
    from_left, queries = graph.links_of(left, scope, FANOUT)
    record_queries(draft, queries)
    from_right, queries = graph.links_of(right, scope, FANOUT)
    record_queries(draft, queries)
    near_left, near_right = _by_far_end(from_left, left, ends), _by_far_end(from_right, right, ends)
    for middle, link in near_left.items():
        if middle in near_right:
            return [link, near_right[middle]]
    between, queries = graph.links_between(list(near_left), list(near_right), scope)
    record_queries(draft, queries)
    for link in between:
        for one, other in ((link.subject, link.object), (link.object, link.subject)):
            if one in near_left and other in near_right:
                return [near_left[one], link, near_right[other]]
    return []


def _by_far_end(links: list[Link], near: list[str], ends: set[str]) -> dict[str, Link]:
    """The newest link to each entity beyond the near ones, without the ends themselves."""
    found: dict[str, Link] = {}
    for link in links:
        far = link.object if link.subject in near else link.subject
        if far not in ends:
            found.setdefault(far, link)
    return found
