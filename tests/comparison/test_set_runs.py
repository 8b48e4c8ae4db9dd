from __future__ import annotations

import pytest

from core_search import SearchEngine
from core_search.comparison.set_report import report
from core_search.comparison.set_runs import KeptSets, SetRun
from core_search.comparison.set_spec import Cell, Configuration, SetSpec
from core_search.errors import SearchFailed, UnknownItem, UsageError
from core_search.evaluation.judged_set import stored_set
from core_search.evaluation.outcomes import Outcome
from core_search.records import Records

TWO = (Configuration(name="defaults"), Configuration(name="one", changes={"limit": 1}))


@pytest.fixture
def kept(searching):
    return KeptSets(Records(searching.settings).database)


@pytest.fixture
def judged(searching):
    return stored_set(searching, "small")


def spec(depth: int, **rest) -> SetSpec:
    """Another depth is another search, so that tests do not share what is kept."""
    return SetSpec(workspace="small", configurations=TWO, query_ids=("q1", "q2", "q3"), depth=depth, **rest)


def test_a_stopped_run_goes_on_where_it_stopped(searching, kept, judged, monkeypatch):
    wanted = spec(11)
    first = SetRun(searching, kept, wanted, judged)
    told: list[tuple[int, int]] = []
    first.run(lambda _, done, total: told.append((done, total)), stop=lambda: first.done == 2)
    assert told == [(1, 6), (2, 6)]
    again = SetRun(searching, kept, wanted, judged)
    assert again.done == 2
    searched = []
    search = SearchEngine.search
    monkeypatch.setattr(SearchEngine, "search", lambda self, request: searched.append(request) or search(self, request))
    again.run()
    assert (again.done, len(searched)) == (6, 4)
    assert [(cell.outcome.id, cell.configuration) for cell in again.cells] == [
        (id_, place) for id_ in ("q1", "q2", "q3") for place in (0, 1)
    ]


def test_breaking_off_while_progress_is_told_loses_nothing(searching, kept, judged):
    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SetRun(searching, kept, spec(12), judged).run(stop)
    assert SetRun(searching, kept, spec(12), judged).done == 1


def test_a_failed_search_did_not_run_and_is_tried_again(searching, kept, judged, monkeypatch):
    wanted = spec(13)
    run = SetRun(searching, kept, wanted, judged)
    trace = searching.search(_request()).trace
    with monkeypatch.context() as patch:

        def fail(self, request):
            raise SearchFailed("the disk is gone", trace)

        patch.setattr(SearchEngine, "search", fail)
        run.run()
    found = report(wanted, run.cells, "R@10")
    assert found.configurations[0].mean is None
    assert found.configurations[0].did_not_run == 2
    assert found.rows[0].values == (None, None)
    again = SetRun(searching, kept, wanted, judged)
    again.run()
    assert report(wanted, again.cells, "R@10").configurations[0].did_not_run == 0


def _request():
    from core_search import SearchRequest

    return SearchRequest(query="soup", workspace="small")


def test_specs_are_kept_under_one_id(kept):
    id_ = kept.save(spec(14))
    assert kept.save(spec(14)) == id_
    assert kept.load(id_) == spec(14)
    with pytest.raises(UnknownItem, match="'nowhere'"):
        kept.load("nowhere")


def test_a_query_that_is_gone_is_named(searching, kept, judged):
    with pytest.raises(UsageError, match="'q9'"):
        SetRun(searching, kept, spec(10).model_copy(update={"query_ids": ("q9",)}), judged)


# ---------------------------------------------------------------- the report, by hand


def cell(place: int, id_: str, ranking: tuple[str, ...], repetition: int = 0, problem: str | None = None) -> Cell:
    outcome = Outcome(
        workspace="small",
        id=id_,
        query=f"about {id_}",
        grades={"good": 1, "bad": 0},
        ranking=ranking,
        problem=problem,
        duration_ms=10.0 * (place + 1),
        stage_ms={"rerank": 1.0},
    )
    return Cell(configuration=place, repetition=repetition, outcome=outcome)


def test_wins_ties_losses_and_the_order_of_loss():
    cells = [
        cell(0, "lost", ("good",)), cell(1, "lost", ("bad",)),
        cell(0, "tied", ("good",)), cell(1, "tied", ("good",)),
        cell(0, "won", ("bad", "good")), cell(1, "won", ("good",)),
        cell(0, "gone", ("good",)), cell(1, "gone", (), problem="the disk is gone"),
    ]  # fmt: skip
    wanted = SetSpec(workspace="small", configurations=TWO, query_ids=("lost", "tied", "won", "gone"))
    found = report(wanted, cells, "RR")
    second = found.configurations[1]
    assert [row.id for row in found.rows] == ["lost", "tied", "won", "gone"]
    assert found.rows[3].values == (1.0, None)
    assert (second.wins, second.ties, second.losses, second.did_not_run, second.queries) == (1, 1, 1, 1, 3)
    assert second.difference == pytest.approx((-1 + 0 + 0.5) / 3)
    low, high = second.difference_interval
    assert -1 <= low <= second.difference <= high <= 0.5
    assert second.mean == pytest.approx((0 + 1 + 1) / 3)
    assert [(time.stage, time.median_ms) for time in second.times] == [("whole search", 20.0), ("rerank", 1.0)]


def test_judged_coverage_and_queries_without_an_answer():
    cells = [cell(0, "q", ("good", "unknown")), cell(1, "q", ("good",))]
    empty = [
        c.model_copy(update={"outcome": c.outcome.model_copy(update={"id": "e", "grades": {"x": 0}})}) for c in cells
    ]
    wanted = SetSpec(workspace="small", configurations=TWO, query_ids=("q", "e"))
    found = report(wanted, [*cells, *empty], "R@10")
    assert (found.configurations[0].judged, found.configurations[1].judged) == (0.5, 1.0)
    assert (found.without_relevant, found.missing) == (1, 0)


def test_repetitions_show_the_noise():
    wanted = SetSpec(workspace="small", configurations=TWO, query_ids=("q",), repetitions=2)
    cells = [
        cell(0, "q", ("good",)),
        cell(0, "q", ("bad", "good"), 1),
        cell(1, "q", ("good",)),
        cell(1, "q", ("good",), 1),
    ]
    first, second = report(wanted, cells, "RR").configurations
    assert (first.mean, first.noise) == (0.75, 0.25)
    assert (second.mean, second.noise) == (1.0, 0.0)
