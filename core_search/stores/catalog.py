"""The columns that every search needs of every item, in memory: who came from where, when, and until when.

Made from the memory when it is loaded and saved as Arrow files beside the graph, because the same questions cost
the graph a look-up per item (some 0.3 ms each, hundreds a search). It holds no text.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from pathlib import Path

import pyarrow as pa
from pyarrow import feather

from core_search.errors import WorkspaceDamaged
from core_search.models import Aspect, ItemKind, Memory, is_current
from core_search.stores.base import Scope

_EPISODES, _STATEMENTS, _DOCUMENTS = "episodes.arrow", "statements.arrow", "documents.arrow"
_INSTANT = pa.timestamp("us", tz="UTC")


class Catalog:
    """Read-only columns of one memory. Thread-safe."""

    def __init__(self, episodes: pa.Table, statements: pa.Table, documents: pa.Table):
        self._tables = {_EPISODES: episodes, _STATEMENTS: statements, _DOCUMENTS: documents}
        self.episode_ids: list[str] = episodes["id"].to_pylist()
        self.statement_ids: list[str] = statements["id"].to_pylist()
        self._valid_at: list[datetime] = episodes["valid_at"].to_pylist()
        self._user: list[str] = episodes["end_user_id"].to_pylist()
        self._session: list[str] = episodes["session_id"].to_pylist()
        self._fact_valid_at: list[datetime] = statements["valid_at"].to_pylist()
        self._labels: list[list[str]] = episodes["labels"].to_pylist()
        self._invalid_at: list[datetime | None] = statements["invalid_at"].to_pylist()
        self._aspect: list[str] = statements["aspect"].to_pylist()
        self._provenance: list[list[str]] = statements["episodes"].to_pylist()
        self._document_labels = dict(zip(documents["id"].to_pylist(), documents["labels"].to_pylist(), strict=True))
        self._episode_row = {id_: row for row, id_ in enumerate(self.episode_ids)}
        self._statement_row = {id_: row for row, id_ in enumerate(self.statement_ids)}

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
            "episodes": pa.array([list(s.episode_uuids) for s in facts], pa.list_(pa.string())),
        }
        documents = {
            "id": pa.array([d.id for d in memory.documents], pa.string()),
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

    @cached_property
    def _statements_by_episode(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for statement, episodes in zip(self.statement_ids, self._provenance, strict=True):
            for episode in episodes:
                index.setdefault(episode, []).append(statement)
        return index

    def has_episode(self, episode: str) -> bool:
        return episode in self._episode_row

    def valid_at(self, episode: str) -> datetime:
        return self._valid_at[self._episode_row[episode]]

    def fact_valid_at(self, statement: str) -> datetime:
        return self._fact_valid_at[self._statement_row[statement]]

    def session(self, episode: str) -> str:
        return self._session[self._episode_row[episode]]

    def labels(self, kind: ItemKind, id_: str) -> list[str]:
        """The label ids of an episode or a document; none for anything else."""
        if kind is ItemKind.EPISODE:
            return self._labels[self._episode_row[id_]]
        return self._document_labels.get(id_, []) if kind is ItemKind.DOCUMENT else []

    def around(self, episode: str, reach: int) -> list[str]:
        """The episode with up to `reach` before and after it in its session, in their order."""
        row = self._episode_row[episode]
        session = self._session[row]
        if not session:
            return [episode]
        rows = range(max(0, row - reach), min(len(self.episode_ids), row + reach + 1))
        return [self.episode_ids[near] for near in rows if self._session[near] == session]

    def admits(self, scope: Scope) -> Callable[[str], bool]:
        """Whether an episode lies in the time range and belongs to an end user of the scope."""
        if scope.time.is_open and not scope.end_user_ids:
            return self._episode_row.__contains__
        rows, valid_at, user = self._episode_row, self._valid_at, self._user

        def check(episode: str) -> bool:
            row = rows.get(episode)
            return row is not None and scope.admits(valid_at[row], user[row])

        return check

    def statements_of(self, episode: str, at: datetime) -> list[str]:
        """The statements of an episode that are current at `at`."""
        known = self._statements_by_episode.get(episode, ())
        return [s for s in known if is_current(self._invalid_at[self._statement_row[s]], at)]

    def invalidated_of(self, episode: str, at: datetime) -> list[str]:
        """The statements of an episode that do not hold any more at `at`."""
        known = self._statements_by_episode.get(episode, ())
        return [s for s in known if not is_current(self._invalid_at[self._statement_row[s]], at)]

    def episodes_of(self, statement: str) -> list[str]:
        return self._provenance[self._statement_row[statement]]

    def current_at(self, at: datetime) -> Callable[[str], bool]:
        """Whether a statement holds at `at`."""
        rows, invalid_at = self._statement_row, self._invalid_at
        return lambda statement: is_current(invalid_at[rows[statement]], at)

    def admits_statement(self, scope: Scope) -> Callable[[str], bool]:
        """Whether a statement became valid in the time range and comes from an end user of the scope."""
        rows, valid_at, users = self._statement_row, self._fact_valid_at, set(scope.end_user_ids)

        def check(statement: str) -> bool:
            row = rows[statement]
            if valid_at[row] not in scope.time:
                return False
            return not users or any(self._user[self._episode_row[e]] in users for e in self._provenance[row])

        return check

    def aspect(self, statement: str) -> Aspect:
        return Aspect(self._aspect[self._statement_row[statement]])
