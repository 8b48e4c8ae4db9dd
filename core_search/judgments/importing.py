"""Taking judgments of a file into a set: nothing that stands there is replaced without somebody's decision."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import delete, insert

from core_search.database import Database
from core_search.engine import SearchEngine
from core_search.errors import BundleError, UsageError
from core_search.judgments.exchange import JudgmentRecord
from core_search.judgments.grades import Grades, put
from core_search.judgments.query_sets import QuerySets, lock_set
from core_search.judgments.settled import SettledGrades, of_card, row_of
from core_search.judgments.tables import settled as settled_table
from core_search.judgments.values import Grade, QuerySet, Settled, Verdict, reviewer_name
from core_search.models import ItemKind
from core_search.workspace import read_query_set

Decision = Literal["mine", "theirs"]
BUNDLE_REVIEWER = "qrels"  # whose word the judgments are that a memory was loaded with


@dataclass(frozen=True, slots=True)
class Conflict:
    """The set says one thing of a card, the file another, both in the name of the same person or as settled."""

    mine: Grade | Settled
    theirs: JudgmentRecord

    @property
    def id(self) -> str:
        """Names what is decided: when the set says something else meanwhile, it is another conflict."""
        mine = self.mine
        return json.dumps([*self.theirs.key, self.theirs.who, mine.grade, mine.note, mine.at.isoformat()])


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import would do. `same` counts judgments that stand in the set already."""

    new: tuple[JudgmentRecord, ...]
    same: int
    conflicts: tuple[Conflict, ...]


class Importer:
    """Imports into the sets of one installation."""

    def __init__(self, database: Database):
        self._database = database
        self._grades, self._settled = Grades(database), SettledGrades(database)

    def plan(self, query_set: QuerySet, records: Sequence[JudgmentRecord]) -> ImportPlan:
        """Compare a file with the set. Queries that the set does not have are an error that lists them."""
        known = {query.id for query in query_set.queries}
        missing = [query_id for query_id in dict.fromkeys(r.query_id for r in records) if query_id not in known]
        if missing:
            name = query_set.name
            raise BundleError([f"query id {one!r} is not in the set {name!r}; add the query first" for one in missing])
        mine = {(grade.key, grade.reviewer): grade for grade in self._grades.all(query_set.id)}
        decided = self._settled.all(query_set.id)
        new, same, conflicts = [], 0, []
        for record in records:
            standing: Grade | Settled | None
            standing = decided.get(record.key) if record.settled else mine.get((record.key, record.reviewer))
            if standing is None or (isinstance(standing, Grade) and not standing.judged):
                new.append(record)
            elif _content(standing) == _content(record):
                same += 1
            else:
                conflicts.append(Conflict(standing, record))
        return ImportPlan(tuple(new), same, tuple(conflicts))

    def apply(
        self, query_set: QuerySet, records: Sequence[JudgmentRecord], decisions: Mapping[str, Decision]
    ) -> ImportPlan:
        """Take the records in, all or none. Every conflict needs a decision under its id: `mine` keeps what stands.

        The file is compared again: what changed since the plan was shown is undecided, and nothing is taken.
        """
        with self._database.transaction() as connection:
            lock_set(connection, query_set.id)
            plan = self.plan(query_set, records)
            undecided = [conflict for conflict in plan.conflicts if conflict.id not in decisions]
            if undecided:
                raise UsageError(
                    f"{len(undecided)} conflicts are not decided, the first is {undecided[0].theirs.item_id!r} for "
                    f"{undecided[0].theirs.query_id!r}; choose for each what counts. Nothing was imported"
                )
            theirs = [conflict.theirs for conflict in plan.conflicts if decisions[conflict.id] == "theirs"]
            for record in (*plan.new, *theirs):
                if record.settled:
                    connection.execute(delete(settled_table).where(of_card(query_set.id, record.key)))
                    connection.execute(insert(settled_table).values(**row_of(query_set.id, _settled(record))))
                else:
                    put(connection, query_set.id, _grade(record))
        return plan


def set_of_workspace(engine: SearchEngine, database: Database, workspace: str, name: str) -> QuerySet:
    """A set of the queries that a memory was loaded with; their judgments become those of a reviewer `qrels`."""
    with engine.memory(workspace) as memory:
        queries, qrels = read_query_set(memory.generation)
    if not queries:
        raise UsageError(f"the memory {workspace!r} came without queries; upload some, or write them by hand")
    known = {query.id for query in queries}
    kinds = kinds_of(engine, workspace, [qrel.doc_id for qrel in qrels])
    records = [
        JudgmentRecord(
            query_id=qrel.query_id,
            item_kind=kinds.get(qrel.doc_id, ItemKind.EPISODE),
            item_id=qrel.doc_id,
            reviewer=BUNDLE_REVIEWER,
            grade=min(max(qrel.grade, 0), 3),
        )
        for qrel in qrels
        if qrel.query_id in known
    ]
    query_set = QuerySets(database).create(name, workspace, queries)
    Importer(database).apply(query_set, records, {})
    return query_set


def kinds_of(engine: SearchEngine, workspace: str, ids: Sequence[str]) -> dict[str, ItemKind]:
    """What stored items of these ids are; ids that the memory does not have are left out."""
    kinds: dict[str, ItemKind] = {}
    with engine.memory(workspace) as memory:
        graph = memory.stores.graph
        kinds |= dict.fromkeys(graph.statements(ids), ItemKind.STATEMENT)
        kinds |= dict.fromkeys(graph.documents(ids), ItemKind.DOCUMENT)
        kinds |= dict.fromkeys(graph.episodes(ids), ItemKind.EPISODE)
    return kinds


def with_kinds(records: Sequence[JudgmentRecord], kinds: Mapping[str, ItemKind]) -> list[JudgmentRecord]:
    """Records of a TREC file, which does not say what its items are, with the kinds that the memory knows."""
    return [record.model_copy(update={"item_kind": kinds.get(record.item_id, record.item_kind)}) for record in records]


def _content(one: Grade | Settled | JudgmentRecord) -> tuple[object, ...]:
    if isinstance(one, Settled):
        return Verdict.GRADED, one.grade, "", one.note
    return one.verdict, one.grade, one.reason, one.note


def _grade(record: JudgmentRecord) -> Grade:
    name = reviewer_name(record.reviewer)
    return Grade(record.key, name, record.verdict, record.grade, record.reason, record.note, record.at)


def _settled(record: JudgmentRecord) -> Settled:
    assert record.grade is not None
    return Settled(record.key, record.grade, reviewer_name(record.reviewer), record.note, record.at)
