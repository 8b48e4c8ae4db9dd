"""Running a comparison over a query set: search by search, each kept at once, so that it can be stopped and resumed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, String, Table, Text, delete, func, insert, select

from core_search.assemble import models_in_use
from core_search.comparison.set_spec import Cell, SetSpec
from core_search.database import Database, metadata
from core_search.engine import SearchEngine
from core_search.errors import UnknownItem, UsageError
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.outcomes import Outcome, run_query
from core_search.evaluation.variants import FULL
from core_search.ingest.values import Query
from core_search.records import new_id, setup
from core_search.stores.base import Progress

# A cell is a kilobyte: a hundred comparisons of 100 queries in 3 configurations.
MOST_CELLS = 30_000

specs = Table(
    "compared_sets",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", DateTime, nullable=False),  # UTC
    Column("spec", Text, nullable=False),
)
cells = Table(
    "compared_cells",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("created_at", DateTime, nullable=False),  # UTC
    Column("outcome", Text, nullable=False),
)


class KeptSets:
    """Comparisons by a short id, and their searches by everything that decides them: equal ones are run once."""

    def __init__(self, database: Database):
        self._database = database

    def save(self, spec: SetSpec) -> str:
        """Keep it; the id of an equal one when there is one."""
        text = spec.model_dump_json(by_alias=True)
        with self._database.transaction() as connection:
            known = connection.execute(select(specs.c.id).where(specs.c.spec == text)).scalar()
            if known:
                return str(known)
            id_ = new_id()
            connection.execute(insert(specs).values(id=id_, created_at=_now(), spec=text))
        return id_

    def load(self, id_: str) -> SetSpec:
        """The comparison of that id; `UnknownItem` when it is not here."""
        with self._database.transaction() as connection:
            text = connection.execute(select(specs.c.spec).where(specs.c.id == id_)).scalar()
        if text is None:
            raise UnknownItem(f"there is no comparison {id_!r} here: it was made on another installation")
        return SetSpec.model_validate_json(text)

    def outcomes(self, keys: list[str]) -> dict[str, Outcome]:
        """The searches that were run already, by key."""
        found: dict[str, Outcome] = {}
        with self._database.transaction() as connection:
            for start in range(0, len(keys), 500):  # SQLite takes a limited number of parameters
                wanted = cells.c.key.in_(keys[start : start + 500])
                for key, text in connection.execute(select(cells.c.key, cells.c.outcome).where(wanted)):
                    found[key] = Outcome.model_validate_json(text)
        return found

    def keep(self, key: str, outcome: Outcome) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(cells).where(cells.c.key == key))
            text = outcome.model_dump_json(by_alias=True)
            connection.execute(insert(cells).values(key=key, created_at=_now(), outcome=text))
            if connection.execute(select(func.count()).select_from(cells)).scalar_one() > MOST_CELLS:
                oldest = select(cells.c.key).order_by(cells.c.created_at).limit(MOST_CELLS // 10)
                connection.execute(delete(cells).where(cells.c.key.in_(oldest.scalar_subquery())))


class SetRun:
    """One comparison over the queries that the workspace has now. What was run before is known at once."""

    def __init__(self, engine: SearchEngine, kept: KeptSets, spec: SetSpec, judged: JudgedSet):
        self._engine, self._kept, self.spec, self._judged = engine, kept, spec, judged
        by_id: Mapping[str, Query] = {query.id: query for query in judged.queries}
        missing = [id_ for id_ in spec.query_ids if id_ not in by_id]
        if missing:
            raise UsageError(
                f"the query {missing[0]!r} of this comparison is not among the judged queries any more; "
                "start a new comparison"
            )
        self._queries = [by_id[id_] for id_ in spec.query_ids]
        self._wanted = list(self._keys())
        self._known = kept.outcomes(list(dict.fromkeys(key for key, *_ in self._wanted)))

    @property
    def cells(self) -> list[Cell]:
        """Every search that was run, query by query."""
        return [
            Cell(configuration=place, repetition=repetition, outcome=self._known[key])
            for key, place, repetition, _ in self._wanted
            if key in self._known
        ]

    @property
    def done(self) -> int:
        return sum(key in self._known for key, *_ in self._wanted)

    def run(self, progress: Progress | None = None, stop: Callable[[], bool] = lambda: False) -> None:
        """Run what is missing, query by query through all configurations; failed ones are tried again.

        Each search is kept before progress is told, so that whoever breaks off loses nothing.
        """
        defaults = self._engine.default_options()
        for key, place, _, query in self._wanted:
            before = self._known.get(key)
            if before is not None and before.ran:
                continue
            if stop():
                return
            changes = self.spec.changes_of(place, defaults)
            grades = self._judged.qrels[query.id]
            outcome = run_query(self._engine, self.spec.workspace, query, grades, FULL, changes, self.spec.depth)
            self._kept.keep(key, outcome)
            self._known[key] = outcome
            if progress:
                progress("compare", self.done, self.spec.searches)

    def _keys(self) -> Iterator[tuple[str, int, int, Query]]:
        """Of each search everything that decides it, hashed: data, clock, settings, models, query, judgments."""
        with self._engine.memory(self.spec.workspace) as memory:
            fingerprint, clock = memory.meta.fingerprint, memory.meta.header.clock
        models = models_in_use(self._engine.providers)
        defaults = self._engine.default_options()
        settings = [
            setup(fingerprint, clock or datetime(1970, 1, 1, tzinfo=UTC), defaults.with_changes(changes), models)
            for place in range(len(self.spec.configurations))
            for changes in [self.spec.changes_of(place, defaults)]
        ]
        for query in self._queries:
            asked = [query.id, query.query, str(query.now), sorted(self._judged.qrels[query.id].items())]
            for repetition in range(self.spec.repetitions):
                for place, decided in enumerate(settings):
                    text = json.dumps([decided, asked, self.spec.depth, repetition])
                    yield hashlib.sha256(text.encode()).hexdigest(), place, repetition, query


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
