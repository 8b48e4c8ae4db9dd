from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core_search import SearchEngine, Settings
from core_search.database import Database
from core_search.errors import UnknownItem, UsageError
from core_search.evaluation.at_k import scores_at
from core_search.evaluation.history import History, judgments_fingerprint
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.moved import moved
from core_search.evaluation.outcomes import Outcome
from core_search.evaluation.recorded import differences, resume, same_numbers, setup_of
from core_search.evaluation.router_history import RouterHistory
from core_search.evaluation.router_report import summarise


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(Settings(home=tmp_path))
    yield database
    database.close()


@pytest.fixture
def history(database: Database) -> History:
    return History(database)


def evaluated(small: SearchEngine, history: History, judged: JudgedSet, **changes: Any) -> str:
    evaluation = history.start(setup_of(small, judged, changes, set_name="own"))
    for _ in resume(small, history, evaluation, judged):
        pass
    return evaluation


def test_an_evaluation_is_kept_with_what_decided_it(small: SearchEngine, judged: JudgedSet, history: History) -> None:
    record = history.load(evaluated(small, history, judged, token_budget=400))
    assert record.finished
    assert (record.setup.workspace, record.setup.set_name, record.done) == ("small", "own", 5)
    assert record.setup.changes == {"token_budget": 400}
    assert record.setup.options.token_budget == 400
    assert record.setup.fingerprint == small.folder("small").meta().fingerprint
    assert record.setup.judgments == judgments_fingerprint(judged)
    queries = history.queries(record.id)
    assert [query.outcome.id for query in queries] == ["q1", "q2", "q3", "q4", "q5"]
    assert record.summaries[10] == scores_at([query.outcome for query in queries], 10).breakdown.overall
    assert record.summaries[10].queries == 4  # q4 has no relevant item


def test_it_stops_and_resumes(small: SearchEngine, judged: JudgedSet, history: History) -> None:
    evaluation = history.start(setup_of(small, judged))
    first = resume(small, history, evaluation, judged)
    assert [next(first)[0], next(first)[0]] == [1, 2]
    first.close()
    record = history.load(evaluation)
    assert (record.done, record.finished, record.summaries) == (2, False, {})
    kept = history.queries(evaluation)
    assert [(done, of) for done, of, _ in resume(small, history, evaluation, judged)] == [(3, 5), (4, 5), (5, 5)]
    assert history.queries(evaluation)[:2] == kept  # not run again
    assert history.load(evaluation).finished


def test_another_half_is_refused(small: SearchEngine, judged: JudgedSet, history: History) -> None:
    evaluation = history.start(setup_of(small, judged))
    further = replace(judged, qrels={**judged.qrels, "q1": {"bread": 3}})
    with pytest.raises(UsageError, match="the queries or their judgments"):
        next(resume(small, history, evaluation, further))


def test_what_differs_is_named(small: SearchEngine, judged: JudgedSet, history: History) -> None:
    before, after = setup_of(small, judged), setup_of(small, judged, {"limit": "7"})
    assert differences(before, before) == []
    assert differences(before, after) == ["limit 20 → 7"]
    record = history.load(evaluated(small, history, judged))
    assert same_numbers(record, before)
    assert not same_numbers(record, after)


def test_the_newest_comes_first_and_the_oldest_leave(
    small: SearchEngine, judged: JudgedSet, database: Database
) -> None:
    history = History(database, max_evaluations=2)
    ids = [history.start(setup_of(small, judged, set_id=set_id)) for set_id in ("", "a", "")]
    assert [record.id for record in history.recent("small")] == [ids[2], ids[1]]
    assert [record.id for record in history.recent("small", "a")] == [ids[1]]
    assert history.recent("other") == []


def test_what_is_removed_is_gone(small: SearchEngine, judged: JudgedSet, history: History) -> None:
    evaluation = evaluated(small, history, judged)
    history.delete(evaluation)
    assert history.queries(evaluation) == []
    for ask in (history.load, history.delete):
        with pytest.raises(UnknownItem, match=evaluation):
            ask(evaluation)
    with pytest.raises(UnknownItem):
        next(resume(small, history, evaluation, judged))


def outcome(id_: str, ranking: str, **grades: int) -> Outcome:
    return Outcome(workspace="w", id=id_, query=id_, grades=grades, ranking=tuple(ranking))


def test_which_queries_moved() -> None:
    before = [outcome("q1", "ab", a=1), outcome("q2", "ab", b=1), outcome("q3", "a", a=1), outcome("q4", "a", a=0)]
    after = [outcome("q1", "ba", a=1), outcome("q2", "ba", b=1), outcome("q5", "a", a=1), outcome("q4", "a", a=0)]
    found = moved(before, after, 10)
    assert [(query.key, query.by("RR")) for query in found.moved("RR")] == [("w\tq1", -1 / 2), ("w\tq2", 1 / 2)]
    assert found.moved("R@10") == ()
    assert found.differences["RR"].mean == 0
    assert found.differences["RR"].low < 0 < found.differences["RR"].high
    assert (found.only_before, found.only_after, found.regraded) == (("w\tq3",), ("w\tq5",), 0)


def test_a_later_judgment_moves_no_query() -> None:
    found = moved([outcome("q1", "ab", a=1)], [outcome("q1", "ab", a=1, b=3)], 10)
    assert found.regraded == 1
    assert found.moved("nDCG@10") == ()


def test_router_reports_are_kept(database: Database) -> None:
    reports = RouterHistory(database)
    assert reports.latest("small") is None
    reports.keep("small", "first.jsonl", "f1", summarise("rules", "rules-1", []))
    reports.keep("small", "second.jsonl", "f2", summarise("rules", "rules-2", []))
    kept = reports.latest("small")
    assert kept is not None
    assert (kept.source, kept.fingerprint, kept.report.model) == ("second.jsonl", "f2", "rules-2")
