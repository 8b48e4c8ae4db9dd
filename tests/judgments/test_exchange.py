"""Files of judgments: what is written is read again, what is wrong is told with its line."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from core_search.errors import BundleError, UsageError
from core_search.judgments.exchange import JudgmentRecord, read_judgments, records_of, to_csv, to_jsonl, to_trec
from core_search.judgments.query_files import read_queries
from core_search.judgments.values import Grade, ItemKey, Settled, Verdict
from core_search.models import ItemKind

AT = datetime(2026, 3, 1, 12, 30, 5, 123456, tzinfo=UTC)
CARD = ItemKey("q1", ItemKind.EPISODE, "e1")
FACT = ItemKey("q1", ItemKind.STATEMENT, "st1")
RECORDS = records_of(
    [
        Grade(CARD, "Ann", Verdict.GRADED, 3, "", 'says "yes", twice\nthen no', AT),
        Grade(CARD, "Ben", Verdict.CANNOT_JUDGE, None, "unclear", "", AT),
        Grade(CARD, "Cy", Verdict.SKIPPED, None, "", "", AT),
        Grade(FACT, "Ann", Verdict.GRADED, 0, "", "=1+1 שלום 🙂", AT),
    ],
    [Settled(CARD, 2, "Dee", "after a talk", AT)],
)


@pytest.mark.parametrize(("write", "name"), [(to_csv, "j.csv"), (to_jsonl, "j.jsonl")])
def test_what_is_written_is_read_again(write, name):
    assert read_judgments(write(RECORDS).encode(), name, "nobody") == RECORDS


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''+1", "'tis", "＝1")


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_defused_and_come_back_as_they_were(text):
    card = ItemKey("q1", ItemKind.EPISODE, text.strip())
    records = records_of([Grade(card, text.strip(), Verdict.CANNOT_JUDGE, None, text, text, AT)], [])
    written = "\ufeff" + to_csv(records)
    cells = [cell for row in list(csv.reader(io.StringIO(written, newline="")))[1:] for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝"))]
    assert read_judgments(written.encode(), "j.csv", "nobody") == records


def test_skipped_cards_are_no_judgments():
    assert [(record.reviewer, record.settled) for record in RECORDS] == [
        ("Ann", False),
        ("Ben", False),
        ("Dee", True),
        ("Ann", False),
    ]


def test_trec_has_a_line_an_item_and_comes_back_under_a_name():
    text = to_trec({CARD: 3, FACT: 0})
    assert text == "q1 0 e1 3\nq1 0 st1 0\n"
    records = read_judgments(text.encode(), "q.qrels", "Ann")
    assert [(record.item_id, record.grade, record.reviewer) for record in records] == [
        ("e1", 3, "Ann"),
        ("st1", 0, "Ann"),
    ]


def test_trec_cannot_hold_every_id():
    with pytest.raises(UsageError, match="white space"):
        to_trec({ItemKey("q1", ItemKind.EPISODE, "a b"): 1})
    with pytest.raises(UsageError, match="two kinds"):
        to_trec({ItemKey("q1", ItemKind.EPISODE, "x"): 1, ItemKey("q1", ItemKind.DOCUMENT, "x"): 1})


def test_negative_trec_grades_are_not_relevant_and_high_ones_an_error():
    assert read_judgments(b"q1 0 e1 -2\n", "q.txt", "Ann")[0].grade == 0
    with pytest.raises(BundleError, match="grade 5 is above 3"):
        read_judgments(b"q1 0 e1 5\n", "q.txt", "Ann")


def test_semicolons_and_a_byte_order_mark_as_spreadsheets_write_them():
    data = "﻿query_id;item_id;reviewer;grade\nq1;e1;Ann;2\n".encode()
    (record,) = read_judgments(data, "J.CSV", "nobody")
    assert (record.item_kind, record.grade, record.settled) == (ItemKind.EPISODE, 2, False)


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        ("query_id,item_id,reviewer,grade\nq1,e1,Ann,4\nq1,,Ann,1\n", "j.csv", ("j.csv:2: grade", "j.csv:3: itemId")),
        ("query_id,item_id,reviewer,grade\nq1,e1,Ann,\n", "j.csv", ("j.csv:2: line: Value error, a graded item has",)),
        ("query_id,item_id,reviewer,grade,mood\nq1,e1,Ann,1,good\n", "j.csv", ("j.csv:2: mood",)),
        ("query_id,item_id,reviewer,grade\nq1,e1,Ann,1\nq1,e1,Ann,2\n", "j.csv", ("stands on line 2",)),
        ("query_id,item_id\n", "j.csv", ("has no judgments",)),
        ("{\n[1]\n", "j.jsonl", ("j.jsonl:1: line: is not JSON", "j.jsonl:2: line: is not a JSON object")),
        ("q1 0 e1\n", "j.qrels", ("3 words",)),
    ],
)
def test_every_fault_is_told_with_its_line(data, name, says):
    with pytest.raises(BundleError) as caught:
        read_judgments(data.encode(), name, "Ann")
    for part in says:
        assert part in str(caught.value)


def test_what_is_no_text_or_of_no_kind_is_said():
    with pytest.raises(UsageError, match="UTF-8 at byte 0"):
        read_judgments(b"\xff\xfe", "j.csv", "Ann")
    with pytest.raises(UsageError, match=r"\.csv, \.jsonl"):
        read_judgments(b"", "j.xlsx", "Ann")


def test_a_settled_judgment_needs_a_grade():
    with pytest.raises(ValueError, match="settled"):
        JudgmentRecord(query_id="q", item_id="e", reviewer="A", settled=True, verdict="cannot_judge")


def test_queries_from_csv_and_json_lines():
    csv = b"query,need,tags,id\nmy diet,what I eat,food; health,d1\nmy car,,,\n"
    lines = b'{"query": "my diet", "need": "what I eat", "tags": ["food", "health"], "id": "d1"}\n{"query": "my car"}\n'
    queries = read_queries(csv, "q.csv")
    assert queries == read_queries(lines, "q.jsonl")
    assert [(query.id, query.tags) for query in queries] == [("d1", ("food", "health")), ("q2", ())]


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (b"need\nx\n", "q.csv", "q.csv:2: query: Field required"),
        (b"query,id\na,x\nb,x\n", "q.csv", "'x' stands on line 2"),
        (b"query,id\na,x y\n", "q.csv", "white space"),
        (b"query\n", "q.csv", "has no queries"),
        (b'{"query": "a", "now": "yesterday"}', "q.jsonl", "q.jsonl:1: now"),
    ],
)
def test_faulty_queries_are_told(data, name, says):
    with pytest.raises(BundleError) as caught:
        read_queries(data, name)
    assert says in str(caught.value)
