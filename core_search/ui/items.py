"""What the ids of a trace stand for: texts from the result itself, and from the memory when it is here.

A run that was made elsewhere, or whose memory has changed since, shows ids for what its result does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from core_search.engine import SearchEngine
from core_search.errors import CoreSearchError
from core_search.models import Document, Entity, Episode, ItemKind, Label, Statement
from core_search.records import RunRecord
from core_search.results import EpisodeResult, StatementResult
from core_search.stores.base import GraphStore


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to show. `facts` are names and values; without `text` only the id is known."""

    kind: ItemKind
    id: str
    text: str | None = None
    title: str = ""
    when: datetime | None = None
    labels: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    current: bool = True

    @property
    def name(self) -> str:
        """What stands in a list."""
        return self.title or self.text or self.id


Key = tuple[ItemKind, str]


@dataclass
class Items:
    """The items of one run. Shared between threads: the cache is only ever added to."""

    run: RunRecord
    engine: SearchEngine
    _known: dict[Key, Item] = field(default_factory=dict)
    _names: dict[Key, str] = field(default_factory=dict)  # of things that a result names without showing them
    _statements: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for stage in self.run.trace.stages:
            for entry in stage.ledger:
                if entry.kind is ItemKind.LABEL and entry.detail.get("name"):
                    self._names[ItemKind.LABEL, entry.id] = str(entry.detail["name"])
        result = self.run.result
        if result is None:
            return
        self._name_all(ItemKind.LABEL, ((m.label_id, m.label_name) for m in result.router.matched_labels))
        for episode in result.episodes:
            self._name_all(ItemKind.LABEL, zip(episode.label_ids, episode.labels, strict=False))
            self._put(_of_result(episode))
        for statement in (*result.statements, *result.voice_statements, *result.invalidated_facts):
            ends = (statement.subject, statement.predicate, statement.object)
            self._name_all(ItemKind.ENTITY, ((end.uuid, end.name) for end in ends if end))
            self._put(_of_statement_result(statement))
        if result.facets:
            self._name_all(ItemKind.LABEL, ((t.label_id, t.label_name) for t in result.facets.topics))
            self._name_all(ItemKind.ENTITY, ((e.entity_uuid, e.entity_name) for e in result.facets.entities))
        if result.entity:
            self._put(_of_entity(Entity.model_validate(result.entity.model_dump(exclude={"attribute"}))))

    @property
    def missing_because(self) -> str:
        """Why the memory cannot be asked; empty when it can."""
        try:
            meta = self.engine.folder(self.run.head.workspace).meta()
        except CoreSearchError:
            return f"the memory {self.run.head.workspace!r} is not on this installation"
        if meta.fingerprint != self.run.fingerprint:
            return f"the memory {self.run.head.workspace!r} has changed since this run"
        return ""

    def get(self, kind: ItemKind, item_id: str) -> Item:
        """What is known of it; at least its id."""
        return self.many([(kind, item_id)])[kind, item_id]

    def many(self, keys: Iterable[Key]) -> dict[Key, Item]:
        """The same for many, with one question per kind to the memory."""
        wanted = list(dict.fromkeys(keys))
        missing = [key for key in wanted if key not in self._known]
        if missing and not self.missing_because:
            try:
                with self.engine.memory(self.run.head.workspace) as memory:
                    self._fetch(memory.stores.graph, missing)
            except CoreSearchError:
                pass  # drawn with ids; the page says elsewhere what is wrong with the memory
        return {key: self._known.get(key) or self._bare(key) for key in wanted}

    def name(self, kind: ItemKind, item_id: str) -> str:
        """What it is called, without asking the memory where the result says it."""
        return self._names.get((kind, item_id)) or self.get(kind, item_id).name

    def statements_of(self, episode: str) -> list[Item]:
        """The statements that came from an episode, current ones first; empty without the memory."""
        if episode not in self._statements and not self.missing_because:
            try:
                with self.engine.memory(self.run.head.workspace) as memory:
                    self._statements |= {episode: [], **memory.stores.graph.statements_of_episodes([episode])}
            except CoreSearchError:
                return []
        keys = [(ItemKind.STATEMENT, uuid) for uuid in self._statements.get(episode, ())]
        return sorted(self.many(keys).values(), key=lambda item: (not item.current, item.name))

    # ------------------------------------------------------------ the inside

    def _put(self, item: Item) -> None:
        self._known[item.kind, item.id] = item

    def _name_all(self, kind: ItemKind, names: Iterable[tuple[str, str]]) -> None:
        self._names.update({(kind, item_id): name for item_id, name in names})

    def _bare(self, key: Key) -> Item:
        return Item(*key, title=self._names.get(key, ""))

    def _fetch(self, graph: GraphStore, keys: list[Key]) -> None:
        ids: dict[ItemKind, list[str]] = {}
        for kind, item_id in keys:
            ids.setdefault(kind, []).append(item_id)
        if ItemKind.LABEL in ids or ItemKind.EPISODE in ids or ItemKind.DOCUMENT in ids:
            for label in graph.labels():
                self._names[ItemKind.LABEL, label.id] = label.name
                self._put(_of_label(label))
        for episode in graph.episodes(ids.get(ItemKind.EPISODE, ())).values():
            self._put(self._of_episode(episode))
        for document in graph.documents(ids.get(ItemKind.DOCUMENT, ())).values():
            self._put(self._of_document(document))
        for entity in graph.entities(ids.get(ItemKind.ENTITY, ())).values():
            self._put(_of_entity(entity))
        statements = graph.statements(ids.get(ItemKind.STATEMENT, ())).values()
        ends = {end for s in statements for end in (s.subject, s.predicate, s.object) if end}
        names = {uuid: entity.name for uuid, entity in graph.entities(sorted(ends)).items()}
        for statement in statements:
            self._put(_of_statement(statement, names, self.run.now or self.run.trace.started_at))

    def _label_names(self, label_ids: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._names.get((ItemKind.LABEL, label_id), label_id) for label_id in label_ids)

    def _of_episode(self, episode: Episode) -> Item:
        facts = _facts(source=episode.source, channel=episode.channel, session=episode.session_id)
        return Item(
            ItemKind.EPISODE,
            episode.uuid,
            episode.content,
            when=episode.valid_at,
            labels=self._label_names(episode.label_ids),
            facts=facts,
        )

    def _of_document(self, document: Document) -> Item:
        return Item(
            ItemKind.DOCUMENT,
            document.id,
            document.content,
            title=document.title,
            when=document.updated_at,
            labels=self._label_names(document.label_ids),
            facts=_facts(session=document.session_id),
        )


def _facts(**values: str) -> tuple[tuple[str, str], ...]:
    return tuple((name.replace("_", " "), value) for name, value in values.items() if value)


def _day(moment: datetime | None) -> str:
    return moment.strftime("%Y-%m-%d %H:%M") if moment else ""


def _of_result(episode: EpisodeResult) -> Item:
    return Item(
        ItemKind(episode.kind),
        episode.uuid,
        episode.content,
        title=episode.title,
        when=episode.valid_at,
        labels=episode.labels,
        facts=_facts(source=episode.source, session=episode.session_id, tokens=f"{episode.tokens:,}"),
    )


def _of_statement_result(statement: StatementResult) -> Item:
    ends = (statement.subject, statement.predicate, statement.object)
    return Item(
        ItemKind.STATEMENT,
        statement.uuid,
        statement.fact,
        when=statement.valid_at,
        facts=_facts(
            aspect=statement.aspect.value,
            subject_predicate_object=" · ".join(end.name for end in ends if end),
            no_longer_true_since=_day(statement.invalid_at),
            replaced_by=statement.invalidated_by or "",
            event=_day(statement.event_date),
            from_episodes=", ".join(statement.episode_uuids),
        ),
        current=statement.invalid_at is None,
    )


def _of_statement(statement: Statement, names: dict[str, str], now: datetime) -> Item:
    ends = (statement.subject, statement.predicate, statement.object)
    return Item(
        ItemKind.STATEMENT,
        statement.uuid,
        statement.fact,
        when=statement.valid_at,
        facts=_facts(
            aspect=statement.aspect.value,
            subject_predicate_object=" · ".join(names.get(end, end) for end in ends if end),
            no_longer_true_since=_day(statement.invalid_at),
            replaced_by=statement.invalidated_by or "",
            event=_day(statement.event_date),
            from_episodes=", ".join(statement.episode_uuids),
        ),
        current=statement.invalid_at is None or statement.invalid_at > now,
    )


def _of_entity(entity: Entity) -> Item:
    attributes = "\n".join(f"{key}: {value}" for key, value in entity.attributes.items())
    return Item(
        ItemKind.ENTITY,
        entity.uuid,
        attributes or "no attributes",
        title=entity.name,
        facts=_facts(type=entity.type.value, also_called=", ".join(entity.aliases)),
    )


def _of_label(label: Label) -> Item:
    return Item(ItemKind.LABEL, label.id, label.description or "no description", title=label.name)
