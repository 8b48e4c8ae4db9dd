"""Everything about judgments that one database keeps, in one value."""

from __future__ import annotations

from dataclasses import dataclass

from core_search.database import Database
from core_search.judgments.grades import Grades
from core_search.judgments.importing import Importer
from core_search.judgments.pools import Pools
from core_search.judgments.proposals import Proposals
from core_search.judgments.query_sets import QuerySets
from core_search.judgments.settled import SettledGrades, counting_grades
from core_search.judgments.values import ItemKey


@dataclass(frozen=True)
class JudgmentStore:
    """Query sets, pools, grades, settled grades, proposals, and the import."""

    database: Database
    sets: QuerySets
    pools: Pools
    grades: Grades
    settled: SettledGrades
    proposals: Proposals
    importer: Importer

    @classmethod
    def of(cls, database: Database) -> JudgmentStore:
        return cls(
            database,
            QuerySets(database),
            Pools(database),
            Grades(database),
            SettledGrades(database),
            Proposals(database),
            Importer(database),
        )

    def counting(self, set_id: str) -> dict[ItemKey, int]:
        """The one grade of each card that counts when the set is used to evaluate (`settled.counting_grades`)."""
        return counting_grades(self.grades.all(set_id), self.settled.all(set_id))
