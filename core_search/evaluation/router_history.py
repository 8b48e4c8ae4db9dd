"""Router reports that were made, kept beside the runs: an answer of a language model costs money only once."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, Index, LargeBinary, String, Table, Text, delete, insert, select

from core_search.database import Database, metadata
from core_search.evaluation.router_report import RouterReport
from core_search.records import new_id

MAX_REPORTS = 50  # of one workspace; a report of 300 queries has some 30 kB

router_reports = Table(
    "router_reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", DateTime, nullable=False),  # UTC
    Column("workspace", String(64), nullable=False),
    Column("source", Text, nullable=False),  # name of the file with the labelled queries
    Column("fingerprint", String(64), nullable=False),  # of the data
    Column("body", LargeBinary, nullable=False),
    Index("router_reports_by_time", "workspace", "created_at"),
)


@dataclass(frozen=True, slots=True)
class KeptReport:
    id: str
    created_at: datetime
    source: str
    fingerprint: str
    report: RouterReport


class RouterHistory:
    """The router reports of one installation."""

    def __init__(self, database: Database):
        self._database = database

    def keep(self, workspace: str, source: str, fingerprint: str, report: RouterReport) -> str:
        """Keep a report; its id. The oldest of the workspace leave when there are too many."""
        row = {
            "id": new_id(),
            "created_at": datetime.now(UTC).replace(tzinfo=None),  # SQLite has no zones
            "workspace": workspace,
            "source": source,
            "fingerprint": fingerprint,
            "body": zlib.compress(report.model_dump_json(by_alias=True).encode("utf-8", "replace"), 6),
        }
        newest = select(router_reports.c.id).where(router_reports.c.workspace == workspace)
        newest = newest.order_by(router_reports.c.created_at.desc(), router_reports.c.id)
        with self._database.transaction() as connection:
            connection.execute(insert(router_reports).values(**row))
            leaving = list(connection.execute(newest.offset(MAX_REPORTS)).scalars())
            connection.execute(delete(router_reports).where(router_reports.c.id.in_(leaving)))
        return str(row["id"])

    def latest(self, workspace: str) -> KeptReport | None:
        """The newest report of a workspace."""
        query = select(router_reports).where(router_reports.c.workspace == workspace)
        query = query.order_by(router_reports.c.created_at.desc(), router_reports.c.id).limit(1)
        with self._database.transaction() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        return KeptReport(
            id=row["id"],
            created_at=row["created_at"].replace(tzinfo=UTC),
            source=row["source"],
            fingerprint=row["fingerprint"],
            report=RouterReport.model_validate_json(zlib.decompress(row["body"])),
        )
