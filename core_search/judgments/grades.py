"""Grades of single reviewers: a log of key presses, each kept in a transaction of its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, func, insert, select, update

from core_search.database import Database
from core_search.errors import UnknownItem, UsageError
from core_search.judgments.tables import grades, query_sets, set_queries
from core_search.judgments.values import (
    Grade,
    ItemKey,
    Verdict,
    checked_grade,
    naive_utc,
    reviewer_name,
    storable,
    utc_now,
)
from core_search.models import ItemKind


class Grades:
    """The grades of one installation. Safe to share between threads and processes."""

    def __init__(self, database: Database):
        self._database = database

    # ------------------------------------------------------------ saying

    def give(self, set_id: str, key: ItemKey, reviewer: str, grade: int) -> Grade:
        """A grade from 0 to 3."""
        return self._say(set_id, key, reviewer, Verdict.GRADED, grade=checked_grade(grade))

    def cannot_judge(self, set_id: str, key: ItemKey, reviewer: str, reason: str) -> Grade:
        """Not a zero: the card counts as judged, the item stays without a grade of this reviewer."""
        reason = " ".join(storable(reason).split())
        if not reason:
            raise UsageError("a card that cannot be judged needs a reason; say why")
        return self._say(set_id, key, reviewer, Verdict.CANNOT_JUDGE, reason=reason)

    def skip(self, set_id: str, key: ItemKey, reviewer: str) -> Grade:
        """Put the card off to the end."""
        return self._say(set_id, key, reviewer, Verdict.SKIPPED)

    def note(self, set_id: str, key: ItemKey, reviewer: str, note: str) -> Grade:
        """A note on the card; what was said of it before stays said."""
        return self._say(set_id, key, reviewer, None, note=storable(note).strip())

    def undo(self, set_id: str, reviewer: str) -> Grade | None:
        """Take back the reviewer's last press, and return it; None when there is none. What was before it counts."""
        mine = and_(grades.c.set_id == set_id, grades.c.reviewer == reviewer_name(reviewer), ~grades.c.undone)
        last = select(func.max(grades.c.id)).where(mine).scalar_subquery()
        with self._database.transaction() as connection:
            row = connection.execute(select(grades).where(grades.c.id == last)).mappings().first()
            if row is None:
                return None
            connection.execute(update(grades).where(grades.c.id == row["id"]).values(undone=True))
        return _grade(row)

    # ------------------------------------------------------------ asking

    def of_reviewer(self, set_id: str, reviewer: str) -> dict[ItemKey, Grade]:
        """What counts of one reviewer, by card."""
        rows = self._latest(and_(grades.c.set_id == set_id, grades.c.reviewer == reviewer_name(reviewer)))
        return {grade.key: grade for grade in rows}

    def of_card(self, set_id: str, key: ItemKey) -> list[Grade]:
        """What counts of every reviewer about one card, by name."""
        return self._latest(and_(grades.c.set_id == set_id, *_is(key)))

    def all(self, set_id: str) -> list[Grade]:
        """What counts of every reviewer, in the order of the last presses."""
        return self._latest(grades.c.set_id == set_id)

    def history(self, set_id: str, key: ItemKey, reviewer: str) -> list[tuple[Grade, bool]]:
        """Every press about a card, oldest first, each with whether it was undone."""
        query = select(grades).where(grades.c.set_id == set_id, *_is(key), grades.c.reviewer == reviewer)
        with self._database.transaction() as connection:
            rows = connection.execute(query.order_by(grades.c.id)).mappings()
            return [(_grade(row), row["undone"]) for row in rows]

    def version(self, set_id: str) -> tuple[int, int]:
        """Changes with every press and every undo: whether it is worth computing anew."""
        query = select(func.coalesce(func.max(grades.c.id), 0), func.count()).where(
            grades.c.set_id == set_id, ~grades.c.undone
        )
        with self._database.transaction() as connection:
            newest, count = connection.execute(query).one()
        return int(newest), int(count)

    # ------------------------------------------------------------ the inside

    def _say(
        self,
        set_id: str,
        key: ItemKey,
        reviewer: str,
        verdict: Verdict | None,
        *,
        grade: int | None = None,
        reason: str = "",
        note: str | None = None,
    ) -> Grade:
        """One row. What is not said is taken over from the row before: the note, or all but the note."""
        name = reviewer_name(reviewer)
        with self._database.transaction() as connection:
            _check_query(connection, set_id, key)
            before = _newest(connection, set_id, key, name)
            if verdict is None:
                verdict = Verdict(before["verdict"]) if before else Verdict.OPEN
                grade, reason = (before["grade"], before["reason"]) if before else (None, "")
            if note is None:
                note = before["note"] if before else ""
            said = Grade(key, name, verdict, grade, reason, note, utc_now())
            put(connection, set_id, said)
        return said

    def _latest(self, where: ColumnElement[bool]) -> list[Grade]:
        newest = (
            select(func.max(grades.c.id))
            .where(where, ~grades.c.undone)
            .group_by(grades.c.query_id, grades.c.item_kind, grades.c.item_id, grades.c.reviewer)
        )
        with self._database.transaction() as connection:
            rows = connection.execute(select(grades).where(grades.c.id.in_(newest)).order_by(grades.c.id)).mappings()
            return [_grade(row) for row in rows]


def put(connection: Connection, set_id: str, grade: Grade) -> None:
    """Add one row to the log."""
    row: dict[str, Any] = {
        "set_id": set_id,
        "query_id": grade.key.query_id,
        "item_kind": grade.key.kind.value,
        "item_id": grade.key.item_id,
        "reviewer": grade.reviewer,
        "verdict": grade.verdict.value,
        "grade": grade.grade,
        "reason": grade.reason,
        "note": grade.note,
        "at": naive_utc(grade.at),
        "undone": False,
    }
    connection.execute(insert(grades).values(**row))


def _check_query(connection: Connection, set_id: str, key: ItemKey) -> None:
    # FOR SHARE: whoever compares and changes the whole set waits for this press, and this press for them. SQLite knows
    # no row locks and needs none, its writers go one by one.
    there = (
        select(query_sets.c.id)
        .join(set_queries, set_queries.c.set_id == query_sets.c.id)
        .where(query_sets.c.id == set_id, set_queries.c.query_id == key.query_id)
        .with_for_update(read=True, of=query_sets)
    )
    if connection.execute(there).scalar() is None:
        raise UnknownItem(f"the query set {set_id!r} has no query {key.query_id!r}; it was removed, choose another set")


def _newest(connection: Connection, set_id: str, key: ItemKey, reviewer: str) -> RowMapping | None:
    query = select(grades).where(grades.c.set_id == set_id, *_is(key), grades.c.reviewer == reviewer, ~grades.c.undone)
    return connection.execute(query.order_by(grades.c.id.desc()).limit(1)).mappings().first()


def _is(key: ItemKey) -> tuple[ColumnElement[bool], ...]:
    return (
        grades.c.query_id == key.query_id,
        grades.c.item_kind == key.kind.value,
        grades.c.item_id == key.item_id,
    )


def _grade(row: RowMapping) -> Grade:
    at: datetime = row["at"]
    return Grade(
        ItemKey(row["query_id"], ItemKind(row["item_kind"]), row["item_id"]),
        row["reviewer"],
        Verdict(row["verdict"]),
        row["grade"],
        row["reason"],
        row["note"],
        at.replace(tzinfo=UTC),
    )
