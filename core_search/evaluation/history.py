"""The history of evaluations: each with its configuration, its data and its judgments, kept beside the runs.

Every query is kept as soon as it is done, so that an evaluation can be stopped, by a person or by a power cut, and
resumed where it was.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    RowMapping,
    Select,
    String,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from core_search.database import Database, metadata
from core_search.errors import UnknownItem
from core_search.evaluation.evaluated_query import EvaluatedQuery
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.measures import Summary
from core_search.options import SearchOptions
from core_search.records import new_id

# A query of an evaluation is some kilobyte: 500 evaluations of 200 queries are about 100 MB.
MAX_EVALUATIONS = 500
OWN_SET = ""  # stands for the queries that a workspace was loaded with

evaluations = Table(
    "evaluations",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", DateTime, nullable=False),  # UTC
    Column("finished_at", DateTime),
    Column("workspace", String(64), nullable=False),
    Column("set_id", String(16), nullable=False),
    Column("set_name", Text, nullable=False),
    Column("changes", Text, nullable=False),  # JSON object: setting to value
    Column("options", Text, nullable=False),  # JSON object: every setting
    Column("providers", Text, nullable=False),  # JSON object: part to model
    Column("fingerprint", String(64), nullable=False),  # of the data
    Column("judgments", String(16), nullable=False),  # of queries and grades
    Column("queries", Integer, nullable=False),
    Column("summaries", Text, nullable=False, default="{}"),  # JSON object: cutoff to summary
    Index("evaluations_by_time", "workspace", "created_at"),
)
evaluation_queries = Table(
    "evaluation_queries",
    metadata,
    Column("evaluation_id", ForeignKey("evaluations.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Setup:
    """What decides an evaluation: two with the same one give the same numbers."""

    workspace: str
    set_id: str
    set_name: str
    changes: Mapping[str, Any]
    options: SearchOptions
    providers: Mapping[str, str]
    fingerprint: str
    judgments: str
    queries: int


@dataclass(frozen=True, slots=True)
class EvaluationRecord:
    """One line of the history. `done` of `setup.queries` queries are kept; `summaries` are there when all are."""

    id: str
    created_at: datetime
    finished_at: datetime | None
    setup: Setup
    done: int
    summaries: Mapping[int, Summary]

    @property
    def finished(self) -> bool:
        return self.finished_at is not None

    @property
    def configuration(self) -> str:
        """16 hex digits of settings and models, without the data."""
        parts = (self.setup.options.model_dump_json(), repr(sorted(self.setup.providers.items())))
        return _digest("\x1e".join(parts))


class History:
    """The evaluations of one installation. Safe to share between threads and processes."""

    def __init__(self, database: Database, *, max_evaluations: int = MAX_EVALUATIONS):
        self._database = database
        self._most = max_evaluations

    def start(self, setup: Setup) -> str:
        """A new evaluation without any query; its id. The oldest leave when there are too many."""
        row = {
            "id": new_id(),
            "created_at": _now(),
            "workspace": setup.workspace,
            "set_id": setup.set_id,
            "set_name": setup.set_name,
            "changes": json.dumps(dict(setup.changes), ensure_ascii=False),
            "options": setup.options.model_dump_json(),
            "providers": json.dumps(dict(setup.providers), ensure_ascii=False),
            "fingerprint": setup.fingerprint,
            "judgments": setup.judgments,
            "queries": setup.queries,
            "summaries": "{}",
        }
        with self._database.transaction() as connection:
            connection.execute(insert(evaluations).values(**row))
            newest = select(evaluations.c.id).order_by(evaluations.c.created_at.desc(), evaluations.c.id)
            leaving = list(connection.execute(newest.offset(self._most)).scalars())
            connection.execute(delete(evaluation_queries).where(evaluation_queries.c.evaluation_id.in_(leaving)))
            connection.execute(delete(evaluations).where(evaluations.c.id.in_(leaving)))
        return str(row["id"])

    def keep(self, evaluation_id: str, position: int, query: EvaluatedQuery) -> None:
        """Keep one query, `position` from 0. Kept again, it takes the place of the one before."""
        place = (evaluation_queries.c.evaluation_id == evaluation_id) & (evaluation_queries.c.position == position)
        body = zlib.compress(query.model_dump_json(by_alias=True).encode("utf-8", "replace"), 6)
        with self._database.transaction() as connection:
            if not connection.execute(select(evaluations.c.id).where(evaluations.c.id == evaluation_id)).scalar():
                raise _unknown(evaluation_id)
            connection.execute(delete(evaluation_queries).where(place))
            connection.execute(
                insert(evaluation_queries).values(evaluation_id=evaluation_id, position=position, body=body)
            )

    def finish(self, evaluation_id: str, summaries: Mapping[int, Summary]) -> None:
        """All queries are done; the means by cutoff stand in the history from now on."""
        text = json.dumps({str(k): summary.wire() for k, summary in summaries.items()})
        values = {"finished_at": _now(), "summaries": text}
        with self._database.transaction() as connection:
            changed = connection.execute(update(evaluations).where(evaluations.c.id == evaluation_id).values(**values))
            if not changed.rowcount:
                raise _unknown(evaluation_id)

    def load(self, evaluation_id: str) -> EvaluationRecord:
        """The evaluation without its queries; `UnknownItem` when it is not here."""
        with self._database.transaction() as connection:
            row = connection.execute(_heads().where(evaluations.c.id == evaluation_id)).mappings().first()
        if row is None:
            raise _unknown(evaluation_id)
        return _evaluation(row)

    def queries(self, evaluation_id: str) -> list[EvaluatedQuery]:
        """What is done so far, in the order of the set."""
        query = select(evaluation_queries.c.body).where(evaluation_queries.c.evaluation_id == evaluation_id)
        with self._database.transaction() as connection:
            bodies = list(connection.execute(query.order_by(evaluation_queries.c.position)).scalars())
        return [EvaluatedQuery.model_validate_json(zlib.decompress(body)) for body in bodies]

    def recent(self, workspace: str, set_id: str | None = None, limit: int = 100) -> list[EvaluationRecord]:
        """The evaluations of a workspace, newest first, of one set when it is named."""
        query = _heads().where(evaluations.c.workspace == workspace)
        if set_id is not None:
            query = query.where(evaluations.c.set_id == set_id)
        query = query.order_by(evaluations.c.created_at.desc(), evaluations.c.id).limit(limit)
        with self._database.transaction() as connection:
            return [_evaluation(row) for row in connection.execute(query).mappings()]

    def delete(self, evaluation_id: str) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(evaluation_queries).where(evaluation_queries.c.evaluation_id == evaluation_id))
            if not connection.execute(delete(evaluations).where(evaluations.c.id == evaluation_id)).rowcount:
                raise _unknown(evaluation_id)


def own_set_name(workspace: str) -> str:
    """What the queries that a workspace was loaded with are called."""
    return f"{workspace}, as loaded"


def judgments_fingerprint(judged: JudgedSet) -> str:
    """16 hex digits of everything that an evaluation asks and expects: queries, their time, their grades."""
    parts = [
        [query.id, query.query, query.now.isoformat() if query.now else None, sorted(grades.items())]
        for query, grades in judged.judged()
    ]
    return _digest(json.dumps(parts, ensure_ascii=False))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _now() -> datetime:
    # SQLite has no zones: stored naive, in UTC.
    return datetime.now(UTC).replace(tzinfo=None)


def _unknown(evaluation_id: str) -> UnknownItem:
    return UnknownItem(f"there is no evaluation {evaluation_id!r} here; it was removed, choose another")


def _heads() -> Select[Any]:
    kept = select(func.count()).where(evaluation_queries.c.evaluation_id == evaluations.c.id).scalar_subquery()
    return select(evaluations, kept.label("done"))


def _evaluation(row: RowMapping) -> EvaluationRecord:
    finished: datetime | None = row["finished_at"]
    setup = Setup(
        workspace=row["workspace"],
        set_id=row["set_id"],
        set_name=row["set_name"],
        changes=json.loads(row["changes"]),
        options=SearchOptions.model_validate_json(row["options"]),
        providers=json.loads(row["providers"]),
        fingerprint=row["fingerprint"],
        judgments=row["judgments"],
        queries=row["queries"],
    )
    return EvaluationRecord(
        id=row["id"],
        created_at=row["created_at"].replace(tzinfo=UTC),
        finished_at=finished.replace(tzinfo=UTC) if finished else None,
        setup=setup,
        done=row["done"],
        summaries={int(k): Summary.model_validate(body) for k, body in json.loads(row["summaries"]).items()},
    )


__all__ = ["OWN_SET", "EvaluationRecord", "History", "Setup", "judgments_fingerprint", "own_set_name"]
