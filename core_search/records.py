"""Runs: every search is kept under a short id with its whole trace, so that a link shows it again (SQLite).

A run is drawn from what is kept here alone; the memory and the models that made it need not be there any more.
"""

from __future__ import annotations

import zlib
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    RowMapping,
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
from core_search.errors import SearchFailed, StoreError, UnknownItem, UsageError, redact
from core_search.options import SearchOptions
from core_search.results import SearchRequest, SearchResult
from core_search.run_record import (
    Failure,
    RunBody,
    RunFile,
    RunHead,
    RunRecord,
    count_items,
    new_id,
    setup,
    setup_of,
)
from core_search.settings import Settings

__all__ = ["Failure", "Records", "RunBody", "RunFile", "RunHead", "RunRecord", "new_id", "setup", "setup_of"]

# A run of a rich query is some 100 kB compressed. 2,000 are weeks of work for a team, 200 MB no burden to a disk.
MAX_RUNS = 2_000
MAX_BYTES = 200_000_000
MAX_IMPORT_BYTES = 100_000_000  # of one run, unpacked; far above any real one
# Shorter "keys" are placeholders for servers that need none ("x", "none"); to strike them out would garble texts.
_SHORTEST_SECRET = 8

runs = Table(
    "runs",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", DateTime, nullable=False),  # UTC
    Column("workspace", String(64), nullable=False),
    Column("query", Text, nullable=False),
    Column("name", Text, nullable=False, default=""),
    Column("pinned", Boolean, nullable=False, default=False),
    Column("parent", String(32)),
    Column("status", String(8), nullable=False),
    Column("error", Text, nullable=False, default=""),
    Column("setup", String(16), nullable=False, default=""),
    Column("duration_ms", Integer, nullable=False, default=0),
    Column("items", Integer, nullable=False, default=0),
    Column("size", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Index("runs_by_time", "created_at"),
)
_HEAD = [column for column in runs.c if column.name != "body"]


class Records:
    """The runs of one installation. Safe to share between threads and processes."""

    def __init__(self, settings: Settings, *, max_runs: int = MAX_RUNS, max_bytes: int = MAX_BYTES):
        self.database = Database(settings)
        self._secrets = tuple(secret for secret in settings.secrets if len(secret) >= _SHORTEST_SECRET)
        self._max_runs, self._max_bytes = max_runs, max_bytes

    # ------------------------------------------------------------ keeping

    def save(self, result: SearchResult) -> str:
        """Keep a result; its short id."""
        row = {
            "workspace": result.workspace,
            "query": result.query,
            "parent": result.parent,
            "status": "ok",
            "setup": setup_of(result),
            "duration_ms": round(result.trace.duration_ms),
            "items": count_items(result),
        }
        return self._insert(row, RunBody(result=result))

    def save_failed(
        self,
        request: SearchRequest,
        error: SearchFailed,
        *,
        options: SearchOptions,
        providers: dict[str, str] | None = None,
        fingerprint: str = "",
    ) -> str:
        """Keep a search that failed, with everything up to the failure; its short id."""
        message = redact(str(error), *self._secrets)
        failure = Failure(
            error=message,
            now=request.now,
            options=options,
            providers=providers or {},
            fingerprint=fingerprint,
            trace=error.trace,
        )
        replay = request.replay
        row = {
            "workspace": request.workspace,
            "query": request.query,
            "parent": (replay.run_id or replay.trace.id) if replay else None,
            "status": "failed",
            "error": message,
            "duration_ms": round(error.trace.duration_ms),
        }
        return self._insert(row, RunBody(failure=failure))

    # ------------------------------------------------------------ finding

    def load(self, run_id: str) -> RunRecord:
        """The run of that id; `UnknownItem` when it is not here."""
        with self.database.transaction() as connection:
            row = connection.execute(select(runs).where(runs.c.id == run_id)).mappings().first()
        if row is None:
            raise UnknownItem(f"there is no run {run_id!r} here: it was removed, or made on another installation")
        try:
            body = RunBody.model_validate_json(zlib.decompress(row["body"]))
        except (zlib.error, ValidationError) as error:
            raise StoreError(
                f"the run {run_id!r} cannot be read: it is damaged, or another version of this program kept it; "
                "remove it, and run the search again"
            ) from error
        return RunRecord(_head(row), body.result, body.failure)

    def recent(self, limit: int = 50, *, workspace: str | None = None) -> list[RunHead]:
        """Pinned runs first, then the others, each newest first."""
        query = select(*_HEAD).order_by(runs.c.pinned.desc(), runs.c.created_at.desc(), runs.c.id).limit(limit)
        if workspace is not None:
            query = query.where(runs.c.workspace == workspace)
        with self.database.transaction() as connection:
            return [_head(row) for row in connection.execute(query).mappings()]

    def find(self, query: str, workspace: str, setup: str) -> str | None:
        """The newest run that asked the same of the same data with the same setup, or None."""
        # A fork may have another extraction or gate, which the setup does not tell.
        same = (runs.c.query == query) & (runs.c.workspace == workspace) & (runs.c.setup == setup)
        same &= runs.c.parent.is_(None)
        with self.database.transaction() as connection:
            return connection.execute(select(runs.c.id).where(same).order_by(runs.c.created_at.desc())).scalar()

    # ------------------------------------------------------------ changing

    def pin(self, run_id: str, pinned: bool = True) -> None:
        """Pinned runs stay when the store is full."""
        self._change(run_id, {"pinned": pinned})

    def rename(self, run_id: str, name: str) -> None:
        """Give it a name; an empty one shows the query again."""
        self._change(run_id, {"name": " ".join(name.split())[:200]})

    def delete(self, run_id: str) -> None:
        with self.database.transaction() as connection:
            if not connection.execute(delete(runs).where(runs.c.id == run_id)).rowcount:
                raise UnknownItem(f"there is no run {run_id!r} here")

    # ------------------------------------------------------------ carrying

    def export(self, run_id: str) -> str:
        """The run as the text of one JSON file. It opens without its memory and without any key."""
        run = self.load(run_id)
        head = run.head
        file = RunFile(
            id=head.id,
            created_at=head.created_at,
            workspace=head.workspace,
            query=head.query,
            name=head.name,
            parent=head.parent,
            body=RunBody(result=run.result, failure=run.failure),
        )
        return file.model_dump_json(by_alias=True, indent=1)

    def import_run(self, text: str | bytes) -> str:
        """Keep an exported run; its id here, which is another one when the old one is taken by another run."""
        if len(text) > MAX_IMPORT_BYTES:
            raise UsageError(f"the file has {len(text):,} bytes; a run has at most {MAX_IMPORT_BYTES:,}")
        try:
            file = RunFile.model_validate_json(text)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in problem["loc"]) or "the file"
            raise UsageError(f"this is not an exported run: {place}: {problem['msg']}") from None
        result, failure = file.body.result, file.body.failure
        if (result is None) == (failure is None):
            raise UsageError("this is not an exported run: body: it must have a result or a failure")
        row = {
            "created_at": _utc(file.created_at),
            "workspace": file.workspace,
            "query": file.query,
            "name": file.name,
            "parent": file.parent,
            "status": "ok" if result else "failed",
            "error": failure.error if failure else "",
            "setup": setup_of(result) if result else "",
            "duration_ms": round((result or failure).trace.duration_ms),  # type: ignore[union-attr]
            "items": count_items(result) if result else 0,
        }
        return self._insert(row, file.body, wanted_id=file.id)

    # ------------------------------------------------------------ the inside

    def _insert(self, row: dict[str, Any], body: RunBody, wanted_id: str | None = None) -> str:
        packed = self._packed(body)
        row = {
            "created_at": _utc(datetime.now(UTC)),
            "name": "",
            "pinned": False,
            "parent": None,
            "error": "",
            "setup": "",
            "items": 0,
            **row,
            "query": self._without_secrets(row["query"]),
            "size": len(packed),
            "body": packed,
        }
        with self.database.transaction() as connection:
            run_id = wanted_id or new_id()
            while (known := connection.execute(select(runs.c.body).where(runs.c.id == run_id)).scalar()) is not None:
                if wanted_id and known == packed:
                    return run_id  # the same run, opened again
                run_id = new_id()
            connection.execute(insert(runs).values(id=run_id, **row))
            self._make_room(connection, run_id)
        return run_id

    def _packed(self, body: RunBody) -> bytes:
        return zlib.compress(self._without_secrets(body.model_dump_json(by_alias=True)).encode(), 6)

    def _without_secrets(self, text: str) -> str:
        # Only the keys in use are struck out here: texts of a memory are full of words that look like keys.
        for secret in self._secrets:
            text = text.replace(secret, "[secret]")
        return text.encode("utf-8", "replace").decode()  # half a character cannot be stored

    def _make_room(self, connection: Any, newest: str) -> None:
        count, size = connection.execute(select(func.count(), func.coalesce(func.sum(runs.c.size), 0))).one()
        if count <= self._max_runs and size <= self._max_bytes:
            return
        oldest = select(runs.c.id, runs.c.size).where(runs.c.pinned.is_(False), runs.c.id != newest)
        leaving = []
        for run_id, run_size in connection.execute(oldest.order_by(runs.c.created_at, runs.c.id)):
            if count <= self._max_runs and size <= self._max_bytes:
                break
            leaving.append(run_id)
            count, size = count - 1, size - run_size
        connection.execute(delete(runs).where(runs.c.id.in_(leaving)))

    def _change(self, run_id: str, values: dict[str, Any]) -> None:
        with self.database.transaction() as connection:
            if not connection.execute(update(runs).where(runs.c.id == run_id).values(**values)).rowcount:
                raise UnknownItem(f"there is no run {run_id!r} here")


def _utc(moment: datetime) -> datetime:
    # SQLite has no zones: stored naive, in UTC.
    return moment.astimezone(UTC).replace(tzinfo=None)


def _head(row: RowMapping) -> RunHead:
    values = {column.name: row[column.name] for column in _HEAD}
    return RunHead(**{**values, "created_at": values["created_at"].replace(tzinfo=UTC)})
