"""The neighbourhood of a search in the graph: its texts, the entities of their statements, the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core_search.errors import CoreSearchError
from core_search.models import ItemKind
from core_search.trace import Fate
from core_search.ui.charts.network import Edge, Node

if TYPE_CHECKING:
    from core_search.ui.view import View

MOST_TEXTS, MOST_ENTITIES = 40, 40


def neighbourhood(view: View) -> tuple[list[Node], list[Edge], int]:
    """Nodes, edges, and how many texts and entities were left out of the picture. Empty without the memory."""
    returned = set(view.returned)
    texts = list(dict.fromkeys([*view.returned, *_candidates(view)]))
    shown = [key for key in texts if key[0] is not ItemKind.STATEMENT][:MOST_TEXTS]
    statements = _statements(view, [uuid for kind, uuid in shown if kind is ItemKind.EPISODE])
    items = view.items.many(shown)
    nodes = [Node(kind.value, uuid, items[kind, uuid].name, (kind, uuid) in returned) for kind, uuid in shown]
    edges: list[Edge] = []
    mentions: dict[str, int] = {}
    strong: set[str] = {view.result.entity.uuid} if view.result and view.result.entity else set()
    for text, entity in statements:
        mentions[entity] = mentions.get(entity, 0) + 1
        if (ItemKind.EPISODE, text) in returned:
            strong.add(entity)
    for statement in view.result.statements if view.result else ():
        ends = [end.uuid for end in (statement.subject, statement.object) if end]
        strong.update(ends)
        for end in ends:
            mentions[end] = mentions.get(end, 0) + 1
        if len(ends) == 2:
            edges.append(Edge(("entity", ends[0]), ("entity", ends[1])))
    entities = sorted({*mentions, *strong}, key=lambda uuid: (uuid not in strong, -mentions.get(uuid, 0), uuid))
    drawn = entities[:MOST_ENTITIES]
    names = view.items.many((ItemKind.ENTITY, uuid) for uuid in drawn)
    nodes += [Node("entity", uuid, names[ItemKind.ENTITY, uuid].name, uuid in strong) for uuid in drawn]
    for text, entity in dict.fromkeys(statements):
        edges.append(Edge(("episode", text), ("entity", entity), (ItemKind.EPISODE, text) in returned))
    nodes += _labels(view)
    left_out = len([key for key in texts if key[0] is not ItemKind.STATEMENT]) - len(shown) + len(entities) - len(drawn)
    edges = _with_labels(view, nodes, edges)
    # What nothing is joined to would float about and say nothing; the list of candidates has it.
    joined = {end for edge in edges for end in (edge.source, edge.target)}
    return [node for node in nodes if (node.kind, node.id) in joined or node.strong], edges, left_out


def _candidates(view: View) -> list[tuple[ItemKind, str]]:
    """Texts that were still in the race after merging, in their order."""
    stage = view.stage("backstop") if view.stage("backstop").ledger else view.stage("merge")
    kept = [e for e in stage.ledger if e.fate is Fate.KEPT and e.kind in (ItemKind.EPISODE, ItemKind.DOCUMENT)]
    return [(entry.kind, entry.id) for entry in sorted(kept, key=lambda entry: entry.rank_out or 0)]


def _statements(view: View, episodes: list[str]) -> list[tuple[str, str]]:
    """`(episode, entity)` for every statement of the episodes."""
    if not episodes or view.items.missing_because:
        return []
    try:
        with view.items.engine.memory(view.run.head.workspace) as memory:
            graph = memory.stores.graph
            by_episode = graph.statements_of_episodes(episodes)
            facts = graph.statements({uuid for uuids in by_episode.values() for uuid in uuids})
    except CoreSearchError:
        return []
    found = []
    for episode, uuids in by_episode.items():
        for uuid in uuids:
            fact = facts.get(uuid)
            found += [(episode, end) for end in (fact.subject, fact.object) if end] if fact else []
    return found


def _labels(view: View) -> list[Node]:
    entries = [entry for entry in view.stage("gate").ledger if entry.kind is ItemKind.LABEL]
    return [Node("label", entry.id, view.items.name(ItemKind.LABEL, entry.id)) for entry in entries]


def _with_labels(view: View, nodes: list[Node], edges: list[Edge]) -> list[Edge]:
    """Texts joined to the labels that scoped this search."""
    labels = {node.name: node.id for node in nodes if node.kind == "label"}
    texts = [node for node in nodes if node.kind in ("episode", "document")]
    items = view.items.many((ItemKind(node.kind), node.id) for node in texts)
    joined = [
        Edge((node.kind, node.id), ("label", labels[name]), node.strong)
        for node in texts
        for name in items[ItemKind(node.kind), node.id].labels
        if name in labels
    ]
    return [*edges, *joined]
