from __future__ import annotations

import csv
import io
import zipfile

import pytest

from core_search.comparison.report import compare
from core_search.evidence import comparison_tables, csv_text, run_tables, zipped


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_formulas_are_defused(text):
    written = csv_text((("name",), [(text,)]))
    assert next(csv.reader(io.StringIO(written.split("\r\n", 1)[1], newline="")))[0] == "'" + text


def test_numbers_stay_numbers():
    assert csv_text((("rank", "move"), [(1, -3), (None, 0.5)])) == "rank,move\r\n1,-3\r\n,0.5\r\n"


def test_the_tables_of_a_search(sides):
    tables = run_tables(sides[0])
    assert list(tables) == ["search", "answer", "ledger", "times"]
    assert "'=HYPERLINK" in csv_text(tables["answer"])
    assert len(tables["ledger"][1]) == sum(len(stage.ledger) for stage in sides[0].trace.stages)


def test_rows_are_as_wide_as_their_heads(sides):
    for head, rows in [*run_tables(sides[0]).values(), *comparison_tables(sides, compare(sides)).values()]:
        assert {len(row) for row in rows} <= {len(head)}


def test_a_comparison_has_ranks_and_moves(sides):
    head, rows = comparison_tables(sides, compare(sides))["items"]
    by_id = {row[2]: dict(zip(head, row, strict=True)) for row in rows}
    gone = [row for row in by_id.values() if row["rank_B"] is None]
    assert gone
    assert all(row["move_B"] == "gone" for row in gone)


def test_texts_can_be_left_out(sides):
    for tables in (run_tables(sides[0], texts=False), comparison_tables(sides, compare(sides), texts=False)):
        written = "".join(csv_text(table) for table in tables.values())
        for word in ("soup", "secretword", "Ann Lee", "HYPERLINK"):
            assert word not in written


def test_the_zip_opens(sides):
    with zipfile.ZipFile(io.BytesIO(zipped(run_tables(sides[0])))) as archive:
        assert archive.testzip() is None
        assert archive.read("answer.csv").decode("utf-8-sig").startswith("list,rank")
