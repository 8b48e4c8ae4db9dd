"""The columns that every search needs of every item, in memory: who came from where, when, and until when.

Made from the memory when it is loaded and saved as Arrow files beside the graph, because the same questions cost
the graph a look-up per item (some 0.3 ms each, hundreds a search). It holds no text. Filters are computed for the
whole memory at once, 1 ms for 300,000 rows, so that stores need not ask item by item.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import feather

from core_search.errors import WorkspaceDamaged
from core_search.models import Aspect, ItemKind, Memory, TimeRange
from core_search.stores.base import Scope
from core_search.stores.edges import BEFORE, Edges, Rows
from core_search.stores.id_filter import IdFilter, Mask
from core_search.stores.kuzu_rows import instant, micros

_EPISODES, _STATEMENTS, _DOCUMENTS = "episodes.arrow", "statements.arrow", "documents.arrow"
_INSTANT = pa.timestamp("us", tz="UTC")
_NEVER = np.iinfo(np.int64).max  # microseconds; the end of a statement that has none


class Catalog:
    """Read-only columns of one memory. Thread-safe."""

    def __init__(self, episodes: pa.Table, statements: pa.Table, documents: pa.Table):
        self._tables = {_EPISODES: episodes, _STATEMENTS: statements, _DOCUMENTS: documents}
        self.episode_ids: list[str] = episodes["id"].to_pylist()
        self.statement_ids: list[str] = statements["id"].to_pylist()
        self._episode_row = _rows_by_id(self.episode_ids)
        self._statement_row = _rows_by_id(self.statement_ids)
        self._valid_at = _micros(episodes["valid_at"])
        self._user = episodes["end_user_id"].combine_chunks()
        sessions = episodes["session_id"].combine_chunks().dictionary_encode()
        self._session_names: list[str] = sessions.dictionary.to_pylist()
        self._session: list[int] = sessions.indices.to_pylist()
        self._labels = episodes["labels"].combine_chunks()
        self._fact_valid_at = _micros(statements["valid_at"])
        self._invalid_at = _micros(statements["invalid_at"])
        aspects = statements["aspect"].combine_chunks().dictionary_encode()
        self._aspects: list[Aspect] = [Aspect(name) for name in aspects.dictionary.to_pylist()]
        self._aspect = aspects.indices.to_numpy(False)  # of each statement, a place in `_aspects`
        entities = statements["entities"].combine_chunks().flatten().unique().to_pylist()
        self._entity_ids: list[str] = entities
        self._entity_row = _rows_by_id(entities)
        self._entities = Edges.of(statements["entities"], self._entity_row)
        self._about = self._entities.reversed(len(entities))
        self._sources = Edges.of(statements["episodes"], self._episode_row)
        self._facts = self._sources.reversed(len(self.episode_ids))
        self._updated_at = dict(
            zip(documents["id"].to_pylist(), _micros(documents["updated_at"]).tolist(), strict=True)
        )
        # The columns of a memory that an earlier version indexed do not say it; `core-search rebuild` adds it.
        of_sessions = documents["session_id"].to_pylist() if "session_id" in documents.column_names else []
        self._document_of = dict(zip(of_sessions, documents["id"].to_pylist(), strict=False))
        self._document_labels = dict(zip(documents["id"].to_pylist(), documents["labels"].to_pylist(), strict=True))

    @classmethod
    def of(cls, memory: Memory) -> Catalog:
        """The columns of a memory, episodes in the order of their sessions."""
        # createdAt orders the turns of a session that share one validAt, as imported conversations do.
        ordered = sorted(memory.episodes, key=lambda e: (e.session_id, e.valid_at, e.created_at, e.uuid))
        facts = memory.statements
        episodes = {
            "id": pa.array([e.uuid for e in ordered], pa.string()),
            "valid_at": pa.array([e.valid_at for e in ordered], _INSTANT),
            "end_user_id": pa.array([e.end_user_id for e in ordered], pa.string()),
            "session_id": pa.array([e.session_id for e in ordered], pa.string()),
            "labels": pa.array([list(e.label_ids) for e in ordered], pa.list_(pa.string())),
        }
        statements = {
            "id": pa.array([s.uuid for s in facts], pa.string()),
            "valid_at": pa.array([s.valid_at for s in facts], _INSTANT),
            "invalid_at": pa.array([s.invalid_at for s in facts], _INSTANT),
            "aspect": pa.array([s.aspect.value for s in facts], pa.string()),
            "entities": pa.array([[e for e in (s.subject, s.object) if e] for s in facts], pa.list_(pa.string())),
            "episodes": pa.array([list(s.episode_uuids) for s in facts], pa.list_(pa.string())),
        }
        documents = {
            "id": pa.array([d.id for d in memory.documents], pa.string()),
            "session_id": pa.array([d.session_id for d in memory.documents], pa.string()),
            "updated_at": pa.array([d.updated_at for d in memory.documents], _INSTANT),
            "labels": pa.array([list(d.label_ids) for d in memory.documents], pa.list_(pa.string())),
        }
        return cls(pa.table(episodes), pa.table(statements), pa.table(documents))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self._tables.items():
            feather.write_feather(table, folder / name)

    @classmethod
    def open(cls, folder: Path) -> Catalog:
        try:
            return cls(*(feather.read_table(folder / name) for name in (_EPISODES, _STATEMENTS, _DOCUMENTS)))
        except (OSError, pa.ArrowException, KeyError) as error:
            raise WorkspaceDamaged(
                f"the columns in {str(folder)!r} cannot be read ({error}); `core-search rebuild` makes them anew"
            ) from error

    # ------------------------------------------------------------ one item

    def has_episode(self, episode: str) -> bool:
        return episode in self._episode_row

    def valid_at(self, episode: str) -> datetime:
        return instant(int(self._valid_at[self._episode_row[episode]]))

    def fact_valid_at(self, statement: str) -> datetime:
        return instant(int(self._fact_valid_at[self._statement_row[statement]]))

    def happened(self, kind: ItemKind, id_: str) -> datetime:
        """When an episode happened, a statement became valid, or a document was last updated."""
        if kind is ItemKind.EPISODE:
            return self.valid_at(id_)
        return instant(self._updated_at[id_]) if kind is ItemKind.DOCUMENT else self.fact_valid_at(id_)

    def session(self, episode: str) -> str:
        return self._session_names[self._session[self._episode_row[episode]]]

    def session_document(self, episode: str) -> str | None:
        """The compacted text of the episode's session."""
        return self._document_of.get(self.session(episode))

    def aspect(self, statement: str) -> Aspect:
        return self._aspects[int(self._aspect[self._statement_row[statement]])]

    def rarity(self, entities: Iterable[str]) -> float:
        """How much it says that an episode is about one of the entities: inverse document frequency, in 0..1.

        log(N / n) / log(N) with n of N episodes about them (Spärck Jones 1972); 0 when it is all of them or none.
        """
        total = len(self.episode_ids)
        known = np.array([row for id_ in entities if (row := self._entity_row.get(id_)) is not None], dtype=np.int64)
        mentioned = np.zeros(total, dtype=np.bool_)
        mentioned[self._sources.of_rows(self._about.of_rows(known))] = True
        about = int(mentioned.sum())
        return math.log(total / about) / math.log(total) if about and total > 1 else 0.0

    def entities_of(self, statement: str) -> list[str]:
        """The subject and the object of a statement, where it has them."""
        return [self._entity_ids[row] for row in self._entities.of_row(self._statement_row[statement]).tolist()]

    def labels(self, kind: ItemKind, id_: str) -> list[str]:
        """The label ids of an episode or a document; none for anything else."""
        if kind is ItemKind.EPISODE:
            labels: list[str] = self._labels[self._episode_row[id_]].as_py()
            return labels
        return self._document_labels.get(id_, []) if kind is ItemKind.DOCUMENT else []

    def around(self, episode: str, reach: int) -> list[str]:
        """The episode with up to `reach` before and after it in its session, in their order."""
        row = self._episode_row[episode]
        session = self._session[row]
        if not self._session_names[session]:
            return [episode]
        rows = range(max(0, row - reach), min(len(self.episode_ids), row + reach + 1))
        return [self.episode_ids[near] for near in rows if self._session[near] == session]

    def episodes_of(self, statement: str) -> list[str]:
        return [self.episode_ids[row] for row in self._sources.of_row(self._statement_row[statement]).tolist()]

    def statements_of(self, episode: str, at: datetime) -> list[str]:
        """The statements of an episode that are current at `at`."""
        rows, current = self._facts_at(episode, at)
        return [self.statement_ids[row] for row in rows[current].tolist()]

    def invalidated_of(self, episode: str, at: datetime) -> list[str]:
        """The statements of an episode that do not hold any more at `at`."""
        rows, current = self._facts_at(episode, at)
        return [self.statement_ids[row] for row in rows[~current].tolist()]

    def statements_about(self, entities: Iterable[str], scope: Scope, limit: int) -> list[str]:
        """The statements that hold at the instant of the scope, with one of the entities as subject or object, from
        an episode that it admits; those of the newest episodes, newest first, ties by id."""
        known = [row for id_ in dict.fromkeys(entities) if (row := self._entity_row.get(id_)) is not None]
        mentioned = np.zeros(len(self.statement_ids), dtype=np.bool_)  # marking is ten times as fast as np.unique
        mentioned[self._about.of_rows(np.array(known, dtype=np.int64))] = True
        facts = np.flatnonzero(mentioned & (self._invalid_at > micros(scope.at)))
        newest = self._newest_source(facts, scope)
        if not len(facts) or not limit:
            return []
        last = np.partition(newest, -limit)[-limit] if limit < len(newest) else BEFORE
        rows = np.flatnonzero((newest >= last) & (newest > BEFORE)).tolist()
        found = [(-int(newest[row]), self.statement_ids[facts[row]]) for row in rows]
        return [id_ for _, id_ in sorted(found)[:limit]]

    def _newest_source(self, facts: Rows, scope: Scope) -> Rows:
        """The instant of the newest episode of each statement that the scope admits; `BEFORE` without any."""
        if scope.time.is_open and not scope.end_user_ids:
            return self._newest_of_all[facts]
        return self._sources.highest(np.where(self._in_scope(scope), self._valid_at, BEFORE), facts)

    @cached_property
    def _newest_of_all(self) -> Rows:
        return self._sources.highest(self._valid_at, np.arange(len(self.statement_ids)))

    def _facts_at(self, episode: str, at: datetime) -> tuple[Rows, Mask]:
        row = self._episode_row.get(episode)
        rows = self._facts.of_row(row) if row is not None else np.empty(0, np.int64)
        return rows, self._invalid_at[rows] > micros(at)

    # ------------------------------------------------------------ counts

    def aspect_counts(self, statements: Sequence[str], samples: int) -> dict[Aspect, tuple[int, list[str]]]:
        """Each aspect that occurs, with how many of the statements have it and the newest of them, ties by id."""
        rows = self._rows_of(statements)
        counts = {}
        for place, aspect in enumerate(self._aspects):
            found = rows[self._aspect[rows] == place]
            if len(found):
                counts[aspect] = (len(found), self._newest(found, samples))
        return counts

    def mention_counts(self, statements: Sequence[str]) -> dict[str, int]:
        """Each entity with how many of the statements have it as subject, object or both."""
        mentions = self._once_each.of_rows(self._rows_of(statements))
        counts = np.bincount(mentions, minlength=len(self._entity_ids))
        return {self._entity_ids[row]: int(counts[row]) for row in np.flatnonzero(counts).tolist()}

    def _rows_of(self, statements: Sequence[str]) -> Rows:
        return np.fromiter((self._statement_row[id_] for id_ in statements), np.int64, len(statements))

    def _newest(self, rows: Rows, limit: int) -> list[str]:
        instants = self._fact_valid_at[rows]
        if limit < len(rows):
            rows = rows[instants >= np.partition(instants, -limit)[-limit]]
        found = sorted((-int(self._fact_valid_at[row]), self.statement_ids[row]) for row in rows.tolist())
        return [id_ for _, id_ in found[:limit]]

    @cached_property
    def _once_each(self) -> Edges:
        return self._entities.without_repetitions()

    # ------------------------------------------------------------ filters

    def admits(self, scope: Scope) -> IdFilter:
        """Whether an episode lies in the time range and belongs to an end user of the scope."""
        return IdFilter(self.episode_ids, self._episode_row, self._in_scope(scope))

    def current_at(self, at: datetime) -> IdFilter:
        """Whether a statement holds at `at`: `models.is_current`, for the whole column."""
        return self._of_statements(self._invalid_at > micros(at))

    def supported(self, scope: Scope) -> IdFilter:
        """Whether a statement holds at the instant of the scope and comes from an episode that the scope admits."""
        everywhere = scope.time.is_open and not scope.end_user_ids
        admitted = self._sources.filled if everywhere else self._sources.any(self._in_scope(scope))
        return self._of_statements(admitted & (self._invalid_at > micros(scope.at)))

    def admits_statement(self, scope: Scope) -> IdFilter:
        """Whether a statement became valid in the time range and comes from an end user of the scope."""
        mask = _within(self._fact_valid_at, scope.time)
        if scope.end_user_ids:
            mask &= self._sources.any(self._of_users(scope.end_user_ids))
        return self._of_statements(mask)

    def of_aspects(self, aspects: Iterable[Aspect]) -> IdFilter:
        """Whether a statement has one of the aspects."""
        wanted = set(aspects)
        places = [place for place, aspect in enumerate(self._aspects) if aspect in wanted]
        return self._of_statements(np.isin(self._aspect, places))

    def _of_statements(self, mask: Mask) -> IdFilter:
        return IdFilter(self.statement_ids, self._statement_row, mask)

    def _in_scope(self, scope: Scope) -> Mask:
        mask = _within(self._valid_at, scope.time)
        return mask & self._of_users(scope.end_user_ids) if scope.end_user_ids else mask

    def _of_users(self, users: Iterable[str]) -> Mask:
        return _is_in(self._user, list(users))


def _rows_by_id(ids: list[str]) -> dict[str, int]:
    return {id_: row for row, id_ in enumerate(ids)}


def _micros(column: Any) -> Rows:
    """Microseconds since 1970 UTC; nothing is never."""
    rows: Rows = pc.fill_null(pc.cast(column, pa.int64()), _NEVER).to_numpy()
    return rows


def _within(instants: Rows, time: TimeRange) -> Mask:
    mask = np.ones(len(instants), dtype=np.bool_)
    if time.start is not None:
        mask &= instants >= micros(time.start)
    if time.end is not None:
        mask &= instants < micros(time.end)
    return mask


def _is_in(column: Any, values: list[str]) -> Mask:
    mask: Mask = pc.is_in(column, pa.array(values, pa.string())).to_numpy(False)
    return mask
