"""How good it is, offline: floors a little below what README reports, so that a change that makes it worse is seen."""

from __future__ import annotations

import pytest

from core_search.cli.routing_report import LABELLED
from core_search.engine import SAMPLE, SearchEngine
from core_search.evaluation.judged_set import stored_set
from core_search.evaluation.labelled_queries import load_labelled_queries
from core_search.evaluation.retrieval_report import evaluate
from core_search.evaluation.workspace_routing import report_routing

FLOORS = {"gate": 0.975, "type": 0.92, "range": 0.975, "attribute": 0.91, "hint_recall": 0.94}


def test_queries_of_an_author_who_saw_no_rule_are_understood(engine: SearchEngine) -> None:
    queries = [query for query in load_labelled_queries(LABELLED) if query.part == "report"]
    accuracy = report_routing(engine, SAMPLE, queries).part("report").accuracy
    reached = {name: getattr(accuracy, name).value for name in FLOORS}
    assert {name: value for name, value in reached.items() if value < FLOORS[name]} == {}


def test_the_evidence_comes_to_the_top(engine: SearchEngine) -> None:
    report = evaluate(engine, [stored_set(engine, SAMPLE)], by=("type",))
    assert report.bm25 is not None
    assert report.search.overall.means["nDCG@10"] >= 0.85
    for kind, summary in report.search.groups["type"].items():
        assert summary.means["nDCG@10"] > report.bm25.groups["type"][kind].means["nDCG@10"], kind


@pytest.mark.parametrize("part", ["tune", "report"])
def test_every_type_is_labelled(part: str) -> None:
    queries = [query for query in load_labelled_queries(LABELLED) if query.part == part]
    kinds = [query.expected.query_type for query in queries]
    assert len(queries) >= 200
    assert min(kinds.count(kind) for kind in set(kinds)) >= 20
    assert len(set(kinds)) == 7  # six and the closed gate
