"""Query sets: named queries about one workspace, with the words for their grades and guidelines for reviewers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, RowMapping, delete, func, insert, select, update

from core_search.database import Database
from core_search.errors import UnknownItem, UsageError
from core_search.ingest.values import Query
from core_search.judgments.tables import grades, pool_items, pools, proposals, query_sets, set_queries, settled
from core_search.judgments.values import (
    DEFAULT_GUIDELINES,
    DEFAULT_LABELS,
    GRADES,
    QuerySet,
    naive_utc,
    storable,
    utc_now,
)
from core_search.records import RunRecord, new_id

NAME_LENGTH = 120
LABEL_LENGTH = 40
_TEXT = TypeAdapter(str)
IN_PASSING = "{workspace}, asked in passing"  # the set of queries that were judged where they were asked


class QuerySets:
    """The query sets of one installation."""

    def __init__(self, database: Database):
        self._database = database

    def create(
        self,
        name: str,
        workspace: str,
        queries: Iterable[Query] = (),
        *,
        labels: Sequence[str] = DEFAULT_LABELS,
        guidelines: str = DEFAULT_GUIDELINES,
    ) -> QuerySet:
        """A new set; its name must be free, query ids must differ."""
        set_id, name = new_id(), _checked_name(name)
        row = {
            "id": set_id,
            "name": name,
            "workspace": workspace,
            "labels": _labels(labels),
            "guidelines": storable(guidelines),
            "created_at": naive_utc(utc_now()),
        }
        with self._database.transaction() as connection:
            self._refuse_taken(connection, name)
            connection.execute(insert(query_sets).values(**row))
            _append(connection, set_id, queries)
        return self.load(set_id)

    def load(self, set_id: str) -> QuerySet:
        with self._database.transaction() as connection:
            row = connection.execute(select(query_sets).where(query_sets.c.id == set_id)).mappings().first()
            if row is None:
                raise UnknownItem(f"there is no query set {set_id!r} here; it was removed, choose another")
            bodies = connection.execute(
                select(set_queries.c.body).where(set_queries.c.set_id == set_id).order_by(set_queries.c.position)
            ).scalars()
            return _query_set(row, tuple(Query.model_validate_json(body) for body in bodies))

    def all(self, workspace: str | None = None) -> list[QuerySet]:
        """Every set without its queries, by name; of one workspace when it is named."""
        query = select(query_sets).order_by(query_sets.c.name)
        if workspace is not None:
            query = query.where(query_sets.c.workspace == workspace)
        with self._database.transaction() as connection:
            return [_query_set(row) for row in connection.execute(query).mappings()]

    def named(self, name: str) -> QuerySet | None:
        with self._database.transaction() as connection:
            set_id = connection.execute(select(query_sets.c.id).where(query_sets.c.name == name)).scalar()
        return self.load(set_id) if set_id else None

    def add(self, set_id: str, queries: Iterable[Query]) -> None:
        """Append queries; an id that the set has already is refused."""
        with self._database.transaction() as connection:
            lock_set(connection, set_id)
            _append(connection, set_id, queries)

    def add_by_hand(self, set_id: str, text: str, need: str = "", tags: Sequence[str] = ()) -> Query:
        """One query with the next free id q1, q2, …"""
        text, need = storable(text).strip(), storable(need).strip()
        if not text:
            raise UsageError("the query is empty; write what the memory is asked")
        with self._database.transaction() as connection:
            lock_set(connection, set_id)
            ids = connection.execute(select(set_queries.c.query_id).where(set_queries.c.set_id == set_id)).scalars()
            query = Query(id=_free_id(set(ids)), query=text, need=need or None, tags=tuple(tags))
            _append(connection, set_id, [query])
        return query

    def find_query(
        self, workspace: str, text: str, now: datetime | None, preferred: str = ""
    ) -> tuple[QuerySet, Query] | None:
        """The first set about a workspace that asks this as of this instant; the preferred set is looked into first."""
        said = '"query":' + _TEXT.dump_json(text).decode()  # as it stands in the body
        asking = (
            select(query_sets.c.id)
            .join(set_queries, set_queries.c.set_id == query_sets.c.id)
            .where(query_sets.c.workspace == workspace, set_queries.c.body.contains(said, autoescape=True))
            .order_by(query_sets.c.id != preferred, query_sets.c.name)
        )
        with self._database.transaction() as connection:
            set_ids = dict.fromkeys(connection.execute(asking).scalars())
        for query_set in map(self.load, set_ids):
            for query in query_set.queries:
                if query.query == text and query.now in (None, now):
                    return query_set, query
        return None

    def ensure_query(self, workspace: str, run: Query, preferred: str = "") -> tuple[QuerySet, Query]:
        """The same, and where no set asks it, the query is added to the set of what was asked in passing."""
        found = self.find_query(workspace, run.query, run.now, preferred)
        if found:
            return found
        name = IN_PASSING.format(workspace=workspace)
        query_set = self.named(name) or self.create(name, workspace)
        self.add(query_set.id, [run])
        return self.load(query_set.id), run

    def change(
        self,
        set_id: str,
        *,
        name: str | None = None,
        labels: Sequence[str] | None = None,
        guidelines: str | None = None,
    ) -> None:
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = _checked_name(name)
        if labels is not None:
            values["labels"] = _labels(labels)
        if guidelines is not None:
            values["guidelines"] = storable(guidelines)
        if not values:
            return
        with self._database.transaction() as connection:
            lock_set(connection, set_id)
            if name is not None:
                self._refuse_taken(connection, values["name"], set_id)
            connection.execute(update(query_sets).where(query_sets.c.id == set_id).values(**values))

    def delete(self, set_id: str) -> None:
        """Remove a set with every grade in it."""
        with self._database.transaction() as connection:
            lock_set(connection, set_id)
            of_set = select(pools.c.id).where(pools.c.set_id == set_id)
            connection.execute(delete(pool_items).where(pool_items.c.pool_id.in_(of_set)))
            for table in (pools, proposals, settled, grades, set_queries):
                connection.execute(delete(table).where(table.c.set_id == set_id))
            connection.execute(delete(query_sets).where(query_sets.c.id == set_id))

    def _refuse_taken(self, connection: Connection, name: str, set_id: str = "") -> None:
        taken = connection.execute(
            select(query_sets.c.id).where(query_sets.c.name == name, query_sets.c.id != set_id)
        ).scalar()
        if taken is not None:
            raise UsageError(f"there is already a query set {name!r}; choose another name")


def query_of_run(run: RunRecord) -> Query:
    """The question of a run, with the instant that it was asked as of."""
    return Query(id=run.id, query=run.head.query, now=run.now, tags=("from a run",))


def lock_set(connection: Connection, set_id: str) -> None:
    """Hold the set to the end of the transaction: others that change it wait. `UnknownItem` when it is not there."""
    # An update that changes nothing takes the row's lock in PostgreSQL and the writer's lock in SQLite.
    held = connection.execute(update(query_sets).where(query_sets.c.id == set_id).values(name=query_sets.c.name))
    if not held.rowcount:
        raise UnknownItem(f"there is no query set {set_id!r} here; it was removed, choose another")


def _append(connection: Connection, set_id: str, queries: Iterable[Query]) -> None:
    known = set(connection.execute(select(set_queries.c.query_id).where(set_queries.c.set_id == set_id)).scalars())
    first = connection.execute(
        select(func.coalesce(func.max(set_queries.c.position), 0)).where(set_queries.c.set_id == set_id)
    ).scalar_one()
    rows = []
    for position, query in enumerate(queries, first + 1):
        if query.id in known:
            raise UsageError(f"query id {query.id!r} occurs twice in the set; give each query its own id")
        known.add(query.id)
        body = query.model_dump_json(by_alias=True, exclude_defaults=True)
        rows.append({"set_id": set_id, "query_id": query.id, "position": position, "body": body})
    if rows:
        connection.execute(insert(set_queries), rows)


def _free_id(taken: set[str]) -> str:
    number = len(taken) + 1
    while f"q{number}" in taken:
        number += 1
    return f"q{number}"


def _checked_name(name: str) -> str:
    name = " ".join(storable(name).split())
    if not 1 <= len(name) <= NAME_LENGTH:
        raise UsageError(f"a query set's name has 1 to {NAME_LENGTH} characters, not {len(name)}; enter one")
    return name


def _labels(labels: Sequence[str]) -> str:
    words = [" ".join(storable(label).split()) for label in labels]
    if len(words) != len(GRADES) or not all(1 <= len(word) <= LABEL_LENGTH for word in words):
        raise UsageError(f"a set has a label of 1 to {LABEL_LENGTH} characters for each of the grades 0, 1, 2 and 3")
    return json.dumps(words, ensure_ascii=False)


def _query_set(row: RowMapping, queries: tuple[Query, ...] = ()) -> QuerySet:
    return QuerySet(
        id=row["id"],
        name=row["name"],
        workspace=row["workspace"],
        labels=tuple(json.loads(row["labels"])),
        guidelines=row["guidelines"],
        created_at=row["created_at"].replace(tzinfo=UTC),
        queries=queries,
    )
