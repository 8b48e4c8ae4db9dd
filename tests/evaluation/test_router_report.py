"""The router report: hand-made routes with shares that can be counted on fingers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core_search.errors import BundleError, UsageError
from core_search.evaluation.labelled_queries import ExpectedRoute, LabelledQuery, load_labelled_queries
from core_search.evaluation.route_judgment import CLOSED, judge
from core_search.evaluation.router_report import Share, report_router
from core_search.models import Extraction, LookupMode, QueryType, Temporal, TemporalType
from core_search.providers.base import ExtractionAnswer, Question

ZONE = ZoneInfo("Europe/Lisbon")
NOW = datetime(2026, 3, 1, 18, tzinfo=UTC)


def labelled(identity: str, query: str = "q", part: str = "tune", **expected: object) -> LabelledQuery:
    return LabelledQuery(
        id=identity, query=query, now=NOW, part=part, tags=("t",), expected=ExpectedRoute.model_validate(expected)
    )


class Fixed:
    """Answers each query with what was given for it."""

    name, model = "fixed", "fixed-1"

    def __init__(self, answers: dict[str, Extraction]):
        self._answers = answers

    def extract(self, question: Question) -> ExtractionAnswer:
        return ExtractionAnswer(self._answers[question.query], self.name, self.model, detail={"rule": "fixed: so"})


LOOKUP = Extraction(
    query_type=QueryType.ENTITY_LOOKUP,
    lookup_mode=LookupMode.ATTRIBUTE,
    attribute_hint="phone number",
    entity_hints=("Inês", "Dr. Lobato"),
    confidence=0.95,
)


def test_hints_and_keys_are_compared_as_the_memory_finds_them() -> None:
    query = labelled(
        "a",
        query_type="entity_lookup",
        lookup_mode="attribute",
        attribute_hint="phone",
        entity_hints=["ines", "Lobato"],
    )
    judged = judge(query, LOOKUP, ZONE)
    assert judged.right
    assert judged.attribute
    assert (judged.hints_found, judged.hints_expected, judged.hints_fitting, judged.hints_given) == (2, 2, 2, 2)
    assert judged.wrong == ()


def test_a_range_is_right_only_with_both_borders() -> None:
    expected = {"query_type": "temporal", "start": "2026-02-01T00:00:00+00:00", "end": "2026-03-01T00:00:00+00:00"}
    query = labelled("a", **expected)

    def judged(last: str) -> bool | None:
        temporal = Temporal(type=TemporalType.RANGE, start_date="2026-02-01", end_date=last)
        return judge(query, Extraction(query_type=QueryType.TEMPORAL, temporal=temporal, confidence=1), ZONE).range

    assert judged("2026-02-28") is True
    assert judged("2026-02-27") is False
    assert judged("2026-01-01") is False  # no range at all


def test_a_closed_gate_is_judged_alone() -> None:
    judged = judge(labelled("a", query_type=None, should_search=False), Extraction(should_search=False), ZONE)
    assert judged.right
    assert judged.type is None
    low = judge(labelled("a", query_type="temporal"), Extraction(query_type=QueryType.TEMPORAL, confidence=0.1), ZONE)
    assert not low.gate
    assert low.query_type is None


def test_report() -> None:
    queries = [
        labelled("a", "one", query_type="temporal"),
        labelled("b", "two", query_type="temporal"),
        labelled("c", "three", part="report", query_type=None, should_search=False),
    ]
    answers = {
        "one": Extraction(query_type=QueryType.TEMPORAL, confidence=0.9),
        "two": Extraction(query_type=QueryType.EXPLORATORY, confidence=0.7),
        "three": Extraction(should_search=False, confidence=1.0),
    }
    report = report_router(Fixed(answers), queries, zone=ZONE)
    every, tune = report.part("all"), report.part("tune")
    assert every is not None
    assert tune is not None
    assert every.accuracy.type == Share(right=1, of=2)
    assert every.accuracy.gate == Share(right=3, of=3)
    assert tune.accuracy.route.value == 1 / 2
    assert every.confusion == {"temporal": {"temporal": 1, "exploratory": 1}, CLOSED: {CLOSED: 1}}
    assert [(bin.low, bin.queries, bin.right) for bin in every.reliability] == [(0.7, 1, 0.0), (0.9, 2, 1.0)]
    # one query off by 0.7, two by 0.05 on average
    assert every.calibration_error == pytest.approx((0.7 + 2 * 0.05) / 3)
    assert every.by_rule == {"fixed": Share(right=2, of=3)}
    assert json.loads(json.dumps(report.wire()))["parts"][0]["accuracy"]["type"] == {"right": 1, "of": 2, "value": 0.5}
    text = report.as_text()
    assert "query type" in text
    assert "b  two  type exploratory, expected temporal" in text


def test_a_report_over_nothing() -> None:
    report = report_router(Fixed({}), [], zone=ZONE)
    assert report.parts[0].accuracy.type.value is None
    assert report.as_text()


def test_load_tells_every_problem_at_once(tmp_path: Path) -> None:
    good = {"id": "a", "query": "q", "now": NOW.isoformat(), "expected": {"queryType": "temporal"}}
    path = tmp_path / "queries.jsonl"
    path.write_text("\n".join([json.dumps(good), "", "{", json.dumps({**good, "id": 1}), json.dumps(good)]))
    with pytest.raises(BundleError) as caught:
        load_labelled_queries(path)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == [f"queries.jsonl:{n}" for n in (3, 4, 5)]
    path.write_text(json.dumps({**good, "part": "tune", "tags": ["x"]}))
    assert load_labelled_queries(path)[0].part == "tune"
    with pytest.raises(UsageError, match="cannot read"):
        load_labelled_queries(tmp_path / "none.jsonl")
