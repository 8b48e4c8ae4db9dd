"""Judgments as files: TREC qrels, CSV and JSON Lines, written as they are read, every fault told at once.

CSV and JSON Lines have a record a judgment, with reviewer and time; settled grades stand in it as such. A TREC file
has no room for people: it is written with the grades that count, or with those of one reviewer.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, Field, ValidationError, model_validator

from core_search.errors import UsageError
from core_search.evaluation.qrels import read_qrels
from core_search.ingest.problems import Problems
from core_search.ingest.values import Word
from core_search.judgments.values import GRADES, Grade, ItemKey, Settled, Verdict, utc_now
from core_search.models import ItemKind, Uuid, Value
from core_search.spreadsheet import defused, restored

Format = Literal["trec", "csv", "jsonl"]
FORMATS: Mapping[str, Format] = {"txt": "trec", "qrels": "trec", "csv": "csv", "jsonl": "jsonl"}  # by file ending
MAX_BYTES = 50_000_000


class JudgmentRecord(Value):
    """One judgment in a file. A settled one has the name of who settled it as `reviewer`."""

    query_id: Word
    item_kind: ItemKind = ItemKind.EPISODE
    item_id: Uuid
    reviewer: Annotated[str, Field(min_length=1, max_length=80)]
    settled: bool = False
    verdict: Literal[Verdict.GRADED, Verdict.CANNOT_JUDGE] = Verdict.GRADED
    grade: Annotated[int, Field(ge=0, le=3)] | None = None
    reason: str = ""
    note: str = ""
    at: AwareDatetime = Field(default_factory=utc_now)

    @model_validator(mode="after")
    def _whole(self) -> JudgmentRecord:
        if (self.verdict is Verdict.GRADED) != (self.grade is not None):
            raise ValueError("a graded item has a grade from 0 to 3, one that cannot be judged has none")
        if self.settled and self.grade is None:
            raise ValueError("a settled judgment has a grade")
        return self

    @property
    def key(self) -> ItemKey:
        return ItemKey(self.query_id, self.item_kind, self.item_id)

    @property
    def who(self) -> str:
        """Whose word it is: there is one settled grade a card, whoever settled it."""
        return "" if self.settled else self.reviewer


COLUMNS = tuple(JudgmentRecord.model_fields)


# ---------------------------------------------------------------- out


def records_of(grades: Iterable[Grade], settled: Iterable[Settled]) -> list[JudgmentRecord]:
    """Everything that people said, by query and item. Skipped cards and proposals of a model are not judgments."""
    records = [
        JudgmentRecord(
            query_id=grade.key.query_id,
            item_kind=grade.key.kind,
            item_id=grade.key.item_id,
            reviewer=grade.reviewer,
            verdict=grade.verdict,
            grade=grade.grade,
            reason=grade.reason,
            note=grade.note,
            at=grade.at,
        )
        for grade in grades
        if grade.judged
    ]
    records += [
        JudgmentRecord(
            query_id=one.key.query_id,
            item_kind=one.key.kind,
            item_id=one.key.item_id,
            reviewer=one.settler,
            settled=True,
            grade=one.grade,
            note=one.note,
            at=one.at,
        )
        for one in settled
    ]
    return sorted(records, key=lambda record: (record.key, record.settled, record.reviewer))


def to_csv(records: Iterable[JudgmentRecord]) -> str:
    """CSV with a header. A text that a spreadsheet would run as a formula is defused; reading restores it."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for record in records:
        writer.writerow({name: defused(cell) for name, cell in record.model_dump(mode="json").items()})
    return text.getvalue()


def to_jsonl(records: Iterable[JudgmentRecord]) -> str:
    return "".join(record.model_dump_json(by_alias=True) + "\n" for record in records)


def to_trec(grades: Mapping[ItemKey, int]) -> str:
    """`query-id 0 item-id grade` a line. An id that a TREC file cannot hold is an error that names it."""
    lines: dict[tuple[str, str], str] = {}
    for key, grade in sorted(grades.items()):
        if key.item_id.split() != [key.item_id]:
            raise UsageError(
                f"{key.item_id!r} has white space, which a TREC file cannot hold; export CSV or JSON Lines"
            )
        if (key.query_id, key.item_id) in lines:
            raise UsageError(
                f"{key.item_id!r} is the id of two kinds of items, which a TREC file cannot tell apart; export CSV"
            )
        lines[key.query_id, key.item_id] = f"{key.query_id} 0 {key.item_id} {grade}\n"
    return "".join(lines.values())


# ---------------------------------------------------------------- in


def read_judgments(data: bytes, name: str, reviewer: str) -> list[JudgmentRecord]:
    """The judgments of an uploaded file, told by its name's ending. A TREC file's are those of `reviewer`.

    Everything that is wrong with it is told at once, as `BundleError`.
    """
    form = FORMATS.get(name.rsplit(".", 1)[-1].lower())
    if form is None:
        raise UsageError(f"{name!r} is no judgments file; its name must end in .csv, .jsonl, .txt or .qrels")
    problems = Problems()
    if form == "trec":
        records = _from_trec(data, name, reviewer, problems)
    else:
        records = []
        lines: dict[tuple[ItemKey, str], int] = {}
        rows = csv_rows(data, name) if form == "csv" else json_rows(data, name, problems)
        for line, row in rows:
            try:
                record = JudgmentRecord.model_validate(row)
            except ValidationError as error:
                add_problems(problems, name, line, error)
                continue
            first = lines.setdefault((record.key, record.who), line)
            if first != line:
                problems.add(name, line, "item_id", f"the same judgment stands on line {first}; keep one")
            records.append(record)
    if not problems.count and not records:
        problems.add(name, None, "file", "has no judgments")
    problems.raise_if_any()
    return records


def csv_rows(data: bytes, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and cells by column name; empty cells are left out."""
    text = decoded(data, name)
    head = text.split("\n", 1)[0]
    # Spreadsheets of many countries write semicolons.
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if ";" in head and "," not in head else ",")
    try:
        for row in reader:
            cells = {
                (column or "more cells").strip(): restored(value) if isinstance(value, str) else value
                for column, value in row.items()
                if value
            }
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise UsageError(f"{name!r} is no CSV file: line {reader.line_num}: {error}") from None


def json_rows(data: bytes, name: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and objects; what is no object is a problem."""
    for number, line in enumerate(decoded(data, name).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.add(name, number, "line", f"is not JSON ({error})")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.add(name, number, "line", "is not a JSON object")


def decoded(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise UsageError(f"{name!r} has {len(data):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{name!r} is not UTF-8 at byte {error.start}; save the file as UTF-8") from None


def add_problems(problems: Problems, name: str, line: int, error: ValidationError) -> None:
    for problem in error.errors(include_url=False, include_input=False):
        problems.add(name, line, ".".join(map(str, problem["loc"])) or "line", problem["msg"])


def _from_trec(data: bytes, name: str, reviewer: str, problems: Problems) -> list[JudgmentRecord]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "qrels.txt"
        path.write_text(decoded(data, name), "utf-8")
        qrels = read_qrels(path)
    records, at = [], utc_now()
    for query_id, of_query in qrels.items():
        for item_id, grade in of_query.items():
            if grade > GRADES[-1]:
                problems.add(name, None, f"{query_id} {item_id}", f"grade {grade} is above 3; map it to 0, 1, 2 or 3")
            else:  # trec_eval reads negative grades as not relevant
                grade = max(grade, 0)
                records.append(
                    JudgmentRecord(query_id=query_id, item_id=item_id, reviewer=reviewer, grade=grade, at=at)
                )
    return records
