from __future__ import annotations

from dataclasses import replace

import pytest

from core_search import SearchEngine
from core_search.errors import SearchFailed
from core_search.evaluation.judged_set import EXCLUDED_TAGS, JudgedSet
from core_search.evaluation.outcomes import Outcome, run_sets
from core_search.evaluation.retrieval_report import POOL, Evaluation, breakdown, evaluate, report
from core_search.evaluation.variants import ABLATIONS, FULL, bm25_alone


@pytest.fixture(scope="module")
def evaluation(small: SearchEngine, judged: JudgedSet) -> Evaluation:
    return evaluate(small, [judged.without_tags(EXCLUDED_TAGS)], {"label_threshold": 1})


def test_judged_queries_are_run_and_those_with_something_relevant_count(evaluation: Evaluation) -> None:
    assert [outcome.id for outcome in evaluation.outcomes] == ["q1", "q2", "q3", "q4"]
    assert evaluation.search.overall.queries == 3
    assert evaluation.without_relevant == ("q4",)
    assert evaluation.did_not_run == ()


def test_each_query_finds_its_episode_first(evaluation: Evaluation) -> None:
    assert [outcome.ranking[0] for outcome in evaluation.outcomes[:3]] == ["bread", "sail", "piano"]
    assert evaluation.search.overall.means["RR"] == 1
    assert evaluation.search.overall.means[POOL] == 1
    assert evaluation.search.overall.means["R@5"] == 1


def test_queries_are_grouped_by_tag_and_type(evaluation: Evaluation) -> None:
    counts = {
        grouping: {group: summary.queries for group, summary in groups.items()}
        for grouping, groups in evaluation.search.groups.items()
    }
    assert counts["tag"] == {"boats": 1, "food": 1, "music": 1, "sea": 1}
    assert counts["type"] == {"aspect_query": 2, "entity_lookup": 1}
    assert sum(counts["routed"].values()) == 3


def test_the_baseline_is_measured_on_the_same_queries(evaluation: Evaluation) -> None:
    assert evaluation.bm25 is not None
    assert evaluation.bm25.overall.queries == evaluation.search.overall.queries
    assert POOL not in evaluation.bm25.overall.means


def test_bm25_alone_ranks_by_words(small: SearchEngine, judged: JudgedSet) -> None:
    assert bm25_alone(small, "small", judged.queries, 3)["q2"][0] == "sail"


def test_the_report_is_plain_data(evaluation: Evaluation) -> None:
    assert Evaluation.model_validate(evaluation.wire()) == evaluation


def test_a_query_that_did_not_run_is_listed_and_never_zero(
    small: SearchEngine, judged: JudgedSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = small.search

    def failing(request):  # type: ignore[no-untyped-def]
        result = search(request)
        if "boat" in request.query:
            raise SearchFailed("the graph is gone", result.trace)
        return result

    monkeypatch.setattr(small, "search", failing)
    evaluation = evaluate(small, [judged.without_tags(EXCLUDED_TAGS)], {"label_threshold": 1})
    assert [(row.id, row.problem) for row in evaluation.did_not_run] == [("q2", "the graph is gone")]
    assert evaluation.search.overall.queries == 2
    assert evaluation.search.overall.means["RR"] == 1


def test_a_stopped_run_goes_on_where_it_stopped(small: SearchEngine, judged: JudgedSet) -> None:
    turns = iter((False, False, True))
    first = run_sets(small, [judged], stop=lambda: next(turns))
    assert [outcome.id for outcome in first] == ["q1", "q2"]
    kept = first[0].model_copy(update={"ranking": ("marked",)})
    done = run_sets(small, [judged], done=[kept])
    assert [outcome.id for outcome in done] == ["q1", "q2", "q3", "q4", "q5"]
    assert done[0].ranking == ("marked",)


def test_several_workspaces_with_the_same_query_ids_stay_apart(small: SearchEngine, judged: JudgedSet) -> None:
    outcomes = run_sets(small, [replace(judged, queries=judged.queries[:1])])
    other = outcomes[0].model_copy(update={"workspace": "elsewhere", "ranking": ()})
    both = report(small, [judged], [*outcomes, other], baseline=False)
    assert both.search.overall.queries == 2
    assert both.search.overall.means["RR"] == 1 / 2


def test_without_outcomes_there_is_nothing_to_say() -> None:
    assert breakdown([], {}, ["tag"]).overall.queries == 0


@pytest.mark.parametrize("variant", ABLATIONS, ids=lambda variant: variant.name)
def test_every_variant_runs(small: SearchEngine, judged: JudgedSet, variant) -> None:  # type: ignore[no-untyped-def]
    (outcome,) = run_sets(small, [replace(judged, queries=judged.queries[:1])], variant)
    assert outcome.problem is None
    assert "bread" in outcome.ranking


def test_without_statements_no_statement_signal_is_left(small: SearchEngine, judged: JudgedSet) -> None:
    from core_search.evaluation.variants import search

    def signals(name: str) -> dict[str, float]:
        variant = next(variant for variant in ABLATIONS if variant.name == name)
        ledger = search(small, "small", judged.queries[0], variant).trace.stage("rerank").ledger
        return next(entry.scores for entry in ledger if entry.id == "bread")

    assert signals(FULL.name)["statement_bm25"] > 0
    assert signals("no statements")["statement_bm25"] == signals("no statements")["statement_cosine"] == 0
    assert signals("no statements")["episode_cosine"] == signals(FULL.name)["episode_cosine"]


def test_an_outcome_without_relevant_items_does_not_count() -> None:
    assert not Outcome(workspace="w", id="q", query="?", grades={"a": 0}).counts
    assert not Outcome(workspace="w", id="q", query="?", grades={"a": 1}, problem="failed").counts
    assert Outcome(workspace="w", id="q", query="?", grades={"a": 1}).counts
