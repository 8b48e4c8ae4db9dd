"""Settled grades, and the one grade that counts for each item when a set is used to evaluate.

The rule: a settled grade counts. Without one, the median of the reviewers' grades does, the lower of the two in the
middle when their number is even. "Cannot judge" and proposals of a model never count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC
from statistics import median_low

from sqlalchemy import ColumnElement, and_, delete, insert, select

from core_search.database import Database
from core_search.judgments.query_sets import lock_set
from core_search.judgments.tables import settled
from core_search.judgments.values import (
    Grade,
    ItemKey,
    Settled,
    Verdict,
    checked_grade,
    naive_utc,
    reviewer_name,
    storable,
    utc_now,
)
from core_search.models import ItemKind


class SettledGrades:
    """The settled grades of one installation."""

    def __init__(self, database: Database):
        self._database = database

    def settle(self, set_id: str, key: ItemKey, grade: int, settler: str, note: str = "") -> Settled:
        """Say which grade counts. Settling again replaces it."""
        decision = Settled(key, checked_grade(grade), reviewer_name(settler), storable(note).strip(), utc_now())
        with self._database.transaction() as connection:
            lock_set(connection, set_id)
            connection.execute(delete(settled).where(of_card(set_id, key)))
            connection.execute(insert(settled).values(**row_of(set_id, decision)))
        return decision

    def reopen(self, set_id: str, key: ItemKey) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(settled).where(of_card(set_id, key)))

    def all(self, set_id: str) -> dict[ItemKey, Settled]:
        query = select(settled).where(settled.c.set_id == set_id).order_by(settled.c.at)
        with self._database.transaction() as connection:
            found = {}
            for row in connection.execute(query).mappings():
                key = ItemKey(row["query_id"], ItemKind(row["item_kind"]), row["item_id"])
                at = row["at"].replace(tzinfo=UTC)
                found[key] = Settled(key, row["grade"], row["settler"], row["note"], at)
            return found


def counting_grades(grades: Iterable[Grade], decided: Mapping[ItemKey, Settled]) -> dict[ItemKey, int]:
    """The one grade of each card, by the rule above."""
    by_card: dict[ItemKey, list[int]] = {}
    for grade in grades:
        if grade.verdict is Verdict.GRADED and grade.grade is not None:
            by_card.setdefault(grade.key, []).append(grade.grade)
    counting = {key: median_low(values) for key, values in by_card.items()}
    return counting | {key: decision.grade for key, decision in decided.items()}


def qrels_of_set(grades: Iterable[Grade], decided: Mapping[ItemKey, Settled]) -> dict[str, dict[str, int]]:
    """The same as grades by query id and item id, as the measures take them."""
    qrels: dict[str, dict[str, int]] = {}
    for key, grade in sorted(counting_grades(grades, decided).items()):
        qrels.setdefault(key.query_id, {})[key.item_id] = grade
    return qrels


def row_of(set_id: str, decision: Settled) -> dict[str, object]:
    return {
        "set_id": set_id,
        "query_id": decision.key.query_id,
        "item_kind": decision.key.kind.value,
        "item_id": decision.key.item_id,
        "grade": decision.grade,
        "settler": decision.settler,
        "note": decision.note,
        "at": naive_utc(decision.at),
    }


def of_card(set_id: str, key: ItemKey) -> ColumnElement[bool]:
    """Where the settled grade of a card stands."""
    return and_(
        settled.c.set_id == set_id,
        settled.c.query_id == key.query_id,
        settled.c.item_kind == key.kind.value,
        settled.c.item_id == key.item_id,
    )
