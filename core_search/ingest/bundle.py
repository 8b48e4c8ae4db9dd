"""Reads a bundle: a folder or zip with a memory, its queries and judgments, all of it valid or a list of every problem.

`workspace.json` and `episodes.jsonl` must be there (the latter may be empty); the other files are optional.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Generic, TypeVar

from core_search.errors import UsageError
from core_search.ingest.lines import read_lines
from core_search.ingest.problems import Problems
from core_search.ingest.records import always, parse_object, to_value, wire_name
from core_search.ingest.references import (
    DOCUMENTS,
    ENTITIES,
    EPISODES,
    LABELS,
    REFERENCES,
    STATEMENTS,
    Reference,
    check_references,
    check_validity,
    references_of,
)
from core_search.ingest.source import Source, open_source
from core_search.ingest.values import Bundle, Header, Qrel, Query
from core_search.models import Document, Entity, Episode, Label, Memory, Statement, Value

WORKSPACE, QUERIES, QRELS = "workspace.json", "queries.jsonl", "qrels.txt"
FILES = (WORKSPACE, LABELS, EPISODES, ENTITIES, STATEMENTS, DOCUMENTS, QUERIES, QRELS)
MINIMAL_HEADER = '{"name": "my-memory"}'
V = TypeVar("V", bound=Value)


class Rows(Generic[V]):
    """What one file of JSON lines holds. `line_of_id` has the ids of lines that are not valid too."""

    def __init__(self) -> None:
        self.placed: list[tuple[int, V]] = []
        self.line_of_id: dict[str, int] = {}

    @property
    def values(self) -> tuple[V, ...]:
        return tuple(value for _, value in self.placed)


class _Reading:
    """One reading of one bundle: what was found wrong, repaired and referred to so far."""

    def __init__(self, source: Source):
        self.source = source
        self.names = source.names()
        self.problems = Problems(FILES)
        self.notes: list[str] = []
        self.references: list[Reference] = []

    def header(self) -> Header | None:
        if WORKSPACE not in self.names:
            reason = f"missing; make it with at least {MINIMAL_HEADER}"
            self.problems.add(WORKSPACE, None, "file", reason)
            return None
        lines = list(read_lines(self.source, WORKSPACE, self.problems))
        if not lines:
            self.problems.add(WORKSPACE, 1, "line", f"empty; write at least {MINIMAL_HEADER}")
            return None
        first = lines[0][0]
        # Blank lines were left out: put back, so that line numbers in the text are those in the file.
        by_number = dict(lines)
        text = "\n".join(by_number.get(number, "").rstrip("\r\n") for number in range(first, lines[-1][0] + 1))
        record = parse_object(text, WORKSPACE, first, self.problems)
        if record is None:
            return None

        def line_of(field: str) -> int:
            key = re.search(rf'(?<!\\)"{re.escape(field)}"\s*:', text)
            return first + (text.count("\n", 0, key.start()) if key else 0)

        if isinstance(record.get("owner"), str):
            self.references.append(Reference(WORKSPACE, line_of("owner"), "owner", record["owner"], (ENTITIES,)))
        return to_value(Header, record, WORKSPACE, line_of, self.problems)

    def rows(self, file: str, model: type[V]) -> Rows[V]:
        """The valid records of a file; none when there is no such file. The first field of a model is its id."""
        found: Rows[V] = Rows()
        if file not in self.names:
            return found
        id_field = wire_name(model, next(iter(model.model_fields)))
        for line, text in read_lines(self.source, file, self.problems):
            record = parse_object(text, file, line, self.problems)
            if record is None:
                continue
            self._complete(file, line, record)
            self.references.extend(references_of(file, line, record))
            id_ = record.get(id_field)
            if isinstance(id_, str):
                self._claim(found.line_of_id, id_, file, line, id_field)
            value = to_value(model, record, file, always(line), self.problems)
            if value is not None:
                found.placed.append((line, value))
        return found

    def qrels(self) -> tuple[Qrel, ...]:
        found: list[Qrel] = []
        if QRELS not in self.names:
            return ()
        pairs: dict[str, int] = {}
        for line, text in read_lines(self.source, QRELS, self.problems):
            words = text.split()
            if len(words) != 4:
                reason = f"{len(words)} words; write four: query id, 0, episode uuid, grade"
                self.problems.add(QRELS, line, "line", reason)
                continue
            query_id, _, doc_id, grade = words
            self._claim(pairs, f"{query_id} {doc_id}", QRELS, line, "line")
            self.references.append(Reference(QRELS, line, "query id", query_id, (QUERIES,)))
            self.references.append(Reference(QRELS, line, "episode uuid", doc_id, (EPISODES,)))
            if not re.fullmatch(r"[+-]?[0-9]{1,9}", grade):
                self.problems.add(QRELS, line, "grade", f"{grade!r} is no whole number of at most 9 digits")
                continue
            record = {"queryId": query_id, "docId": doc_id, "grade": int(grade)}
            qrel = to_value(Qrel, record, QRELS, always(line), self.problems)
            if qrel is not None:
                found.append(qrel)
        return tuple(found)

    def _claim(self, lines: dict[str, int], id_: str, file: str, line: int, field: str) -> None:
        first = lines.setdefault(id_, line)
        if first != line:
            reason = f"{id_!r} stands on line {first} already; every record needs an id of its own"
            self.problems.add(file, line, field, reason)

    def _complete(self, file: str, line: int, record: dict[str, Any]) -> None:
        """Fill in what may be left out, and keep an id that a list names twice once."""
        if file == EPISODES:
            for missing, given in (("createdAt", "validAt"), ("validAt", "createdAt")):
                if missing not in record and given in record:
                    record[missing] = record[given]
        for field in REFERENCES.get(file, {}):
            ids = record.get(field)
            if isinstance(ids, list) and all(isinstance(id_, str) for id_ in ids) and len(set(ids)) < len(ids):
                record[field] = list(dict.fromkeys(ids))
                self.notes.append(f"{file}:{line}: {field}: an id was named twice; kept once")


def read_bundle(path: Path) -> Bundle:
    """The bundle in the folder or zip (also one with a single top folder) at `path`.

    `UsageError` when there is nothing at `path`; `BundleError` with every problem when something is not valid.
    """
    with open_source(path) as source:
        try:
            reading = _Reading(source)
        except OSError as error:
            raise UsageError(f"the folder {str(path)!r} cannot be read: {error.strerror}") from None
        return _read(reading)


def _read(reading: _Reading) -> Bundle:
    problems = reading.problems
    header = reading.header()
    if EPISODES not in reading.names:
        problems.add(EPISODES, None, "file", "missing; an empty file is enough for a memory without episodes")
    labels = reading.rows(LABELS, Label)
    episodes = reading.rows(EPISODES, Episode)
    entities = reading.rows(ENTITIES, Entity)
    statements = reading.rows(STATEMENTS, Statement)
    documents = reading.rows(DOCUMENTS, Document)
    queries = reading.rows(QUERIES, Query)
    qrels = reading.qrels()
    ids = {
        LABELS: labels.line_of_id,
        EPISODES: episodes.line_of_id,
        ENTITIES: entities.line_of_id,
        STATEMENTS: statements.line_of_id,
        QUERIES: queries.line_of_id,
    }
    check_references(reading.references, ids, problems)
    check_validity(statements.placed, problems)
    problems.raise_if_any()
    assert header is not None  # or there was a problem
    unknown = sorted(name for name in reading.names if name.endswith(".jsonl") and name not in FILES)
    ignored = [f"{name}: not a file of a bundle; ignored. Its files are {', '.join(FILES)}" for name in unknown]
    return Bundle(
        header=header,
        memory=Memory(
            labels=labels.values,
            episodes=episodes.values,
            entities=entities.values,
            statements=statements.values,
            documents=documents.values,
        ),
        queries=queries.values,
        qrels=qrels,
        notes=(*ignored, *reading.notes),
    )
