"""Making a graph: its tables, and the one transaction that fills them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import pyarrow as pa

from core_search.errors import StoreError
from core_search.models import Memory
from core_search.stores.base import Progress
from core_search.stores.kuzu_connection import Session
from core_search.stores.kuzu_rows import AnyTable, Column, EdgeTable, MemoryRows, NodeTable, Row

# Values a COPY: 10,000 load as fast as everything at once and keep the memory bounded.
BATCH = 10_000

_ARROW = {Column.TEXT: pa.string(), Column.TEXTS: pa.list_(pa.string()), Column.INSTANT: pa.int64()}


def create_tables(session: Session) -> None:
    """Make every table in an empty database."""
    for table, _, _ in MemoryRows(Memory()).tables():
        columns = ", ".join(f"{name} {column.value}" for name, column in table.columns.items())
        if isinstance(table, NodeTable):
            session.run(f"CREATE NODE TABLE {table.name} ({columns}, PRIMARY KEY ({table.key}))")
        else:
            ends = "FROM {} TO {}".format(*table.ends)
            session.run(f"CREATE REL TABLE {table.name} ({', '.join(filter(None, [ends, columns]))})")
    session.run("CHECKPOINT")


def fill_tables(session: Session, memory: Memory, progress: Progress | None) -> None:
    """Copy everything in one transaction; after an error nothing of it is there."""
    session.run("BEGIN TRANSACTION")
    try:
        for table, values, rows_of in MemoryRows(memory).tables():
            done = 0
            for batch in _batches(values):
                rows = [row for value in batch for row in rows_of(value)]
                if rows:
                    _copy(session, table, rows)
                done += len(batch)
                if progress:
                    progress(table.name, done, len(values))
        session.run("COMMIT")
    except BaseException:  # also when the user interrupts, or `progress` raises
        with suppress(StoreError):  # the engine has rolled back already when the error was its own
            session.run("ROLLBACK")
        raise
    session.run("CHECKPOINT")


def _copy(session: Session, table: AnyTable, rows: Sequence[Row]) -> None:
    session.run(copy_statement(table), {"rows": arrow_table(table, rows)})


def copy_statement(table: AnyTable) -> str:
    """Copies the Arrow table `$rows` into the table."""
    return f"COPY {table.name} FROM $rows"


def arrow_table(table: AnyTable, rows: Sequence[Row]) -> pa.Table:
    """Rows as `copy_statement` takes them. Raises `StoreError` for what the engine cannot store."""
    schema = _arrow_schema(table)
    try:
        columns = [pa.array(cells, field.type) for cells, field in zip(zip(*rows, strict=True), schema, strict=True)]
    except (UnicodeError, pa.ArrowException) as error:
        row = next((row for row in rows if not _fits(row, schema)), rows[0])
        raise StoreError(f"{table.name} {row[0]!r} cannot be stored: {error}") from error
    return pa.Table.from_arrays(columns, schema=schema)


def _fits(row: Row, schema: Any) -> bool:
    try:
        for cell, field in zip(row, schema, strict=True):
            pa.array([cell], field.type)
    except (UnicodeError, pa.ArrowException):
        return False
    return True


def _arrow_schema(table: AnyTable) -> Any:
    ends = [("from", pa.string()), ("to", pa.string())] if isinstance(table, EdgeTable) else []
    return pa.schema([*ends, *((name, _ARROW[column]) for name, column in table.columns.items())])


def _batches(values: Iterable[Any]) -> Iterator[list[Any]]:
    remaining = iter(values)
    while batch := list(islice(remaining, BATCH)):
        yield batch
