from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from core_search.models import ItemKind, TimeRange
from core_search.ranking.budget import fit
from core_search.trace import DropCode, Entry, Fate, Recorder, Trace
from core_search.ui import markup
from core_search.ui.charts.budget import Packed, budget_bar, tokens_needed
from core_search.ui.charts.counts import count_bars
from core_search.ui.charts.funnel import funnel, levels
from core_search.ui.charts.network import Edge, Link, Node, chain, name_sides, network, spring_layout
from core_search.ui.charts.ranks import MOST_COLOURED, bump, rank_lines, shown_stages
from core_search.ui.charts.scores import MOST_BARS, Bar, score_bars, signal_bars
from core_search.ui.charts.timeline import timeline
from core_search.ui.charts.times import milliseconds, spans, warp, waterfall
from core_search.ui.theme import CODE_WORDS, SERIES, SHORT_CODE_WORDS, STAGE_TITLES
from tests.small import NOW

HOSTILE = '<b onclick="x">%{y}</b> & <a href="javascript:1">'


def entry(item: str, rank_in: int | None, rank_out: int | None, code: DropCode | None = None) -> Entry:
    fate = Fate.DROPPED if code else Fate.KEPT
    return Entry(id=item, kind=ItemKind.EPISODE, fate=fate, code=code, rank_in=rank_in, rank_out=rank_out)


@pytest.fixture
def trace() -> Trace:
    """Three items found, `c` below the floor at rerank, `a` and `b` swapped, `b` over the budget."""
    recorder = Recorder()
    ledgers = {
        "handle": [entry("a", 1, 1), entry("b", 2, 2), entry("a", 3, 3)],
        "merge": [entry("a", 1, 1), entry("b", 2, 2), entry("a", 3, None, DropCode.DUPLICATE)],
        "backstop": [entry("a", 1, 1), entry("b", 2, 2), entry("c", None, 3)],
        "rerank": [entry("b", 2, 1), entry("a", 1, 2), entry("c", 3, None, DropCode.BELOW_RELEVANCE)],
        "budget": [entry("b", 1, None, DropCode.OVER_BUDGET), entry("a", 2, 1)],
    }
    for name, ledger in ledgers.items():
        with recorder.stage(name) as stage, stage.step("one"):
            stage.ledger = ledger
            with stage.step("two"):
                pass
    return recorder.trace()


def test_every_code_and_stage_has_its_words():
    assert set(CODE_WORDS) == set(SHORT_CODE_WORDS) == set(DropCode)
    assert {"overview", "result"} < set(STAGE_TITLES)


def test_the_funnel_counts_what_stayed_and_what_left(trace):
    counted = {level.stage: (level.kept, level.lost) for level in levels(trace)}
    assert counted["merge"] == (2, ((DropCode.DUPLICATE, 1),))
    assert counted["rerank"] == (2, ((DropCode.BELOW_RELEVANCE, 1),))
    assert "fallback" not in counted
    assert list(funnel(trace).data[0].customdata[0]) == ["handle", ""]


def test_a_line_ends_where_its_item_left(trace):
    lines = {line.id: line for line in rank_lines(trace, ("backstop", "rerank", "budget"))}
    assert lines["a"].points == ((0, 1), (1, 2), (2, 1))
    assert lines["a"].left_at is None
    assert lines["b"].left_at == (2, 1)
    assert lines["b"].reason == CODE_WORDS[DropCode.OVER_BUDGET]
    assert lines["c"].left_at == (1, 3)


def test_those_that_came_furthest_come_first(trace):
    assert [line.id for line in rank_lines(trace, shown_stages(trace))] == ["a", "b", "c"]


def test_at_most_fifteen_lines_have_a_colour():
    recorder = Recorder()
    with recorder.stage("rerank") as stage:
        stage.ledger = [entry(f"e{rank}", rank, rank) for rank in range(1, 41)]
    figure = bump(recorder.trace(), lambda kind, item: item)
    coloured = [line for line in figure.data if line.line.color in SERIES]
    assert len(coloured) == MOST_COLOURED == len(SERIES)
    grey = next(line for line in figure.data if line not in coloured)
    assert [item[1] for item in grey.customdata][::2] == [f"e{rank}" for rank in range(16, 41)]


def test_the_rank_axis_grows_downwards(trace):
    low, high = bump(trace, lambda kind, item: item).layout.yaxis.range
    assert low > high


def test_three_milliseconds_are_visible_beside_two_seconds():
    place = warp([0.0, 2_000.0, 2_003.0])
    assert (place(2_003.0) - place(2_000.0)) / place(2_003.0) > 0.1


def test_a_warped_axis_keeps_the_order():
    moments = [0.0, 0.01, 3.0, 2.0, 500.0]
    place = warp(moments)
    assert [place(m) for m in sorted(moments)] == sorted(place(m) for m in moments)


def test_the_waterfall_has_stages_and_their_steps(trace):
    names = [span.name for span in spans(trace)]
    assert names[:3] == ["Handle", "one", "two"]
    bars = waterfall(trace)
    assert [bar.name for bar in bars] == names
    assert all(bar.start >= 0 and bar.length > 0 and bar.start + bar.length < 1 for bar in bars)
    assert [bar.look for bar in bars[:3]] == ["", "soft", "soft"]


@pytest.mark.parametrize(
    ("value", "text"), [(0.04, "0.0 ms"), (3.21, "3.2 ms"), (41.4, "41 ms"), (2_345, "2.35 s"), (12_345, "12.3 s")]
)
def test_durations_have_the_digits_that_mean_something(value, text):
    assert milliseconds(value) == text


@pytest.mark.parametrize("tokens", [[5, 900, 4, 3], [10, 10, 10], [1], [900, 5, 20, 1, 1]])
def test_the_tokens_that_an_item_needs_are_the_least_that_keep_it(tokens):
    for index in range(len(tokens)):
        for limit in (0, 10, 30):
            need = tokens_needed(tokens, index, limit)
            assert need == next(budget for budget in range(limit, 2_000) if fit(tokens, budget)[index])


def test_the_budget_bar_draws_kept_and_left_out_items():
    items = [Packed("episode", "a", "A", 60), Packed("episode", "b", "B", 60)]
    figure = budget_bar(items, 100)
    drawn = [trace for trace in figure.data if trace.customdata is not None]
    assert [trace.customdata[0][1] for trace in drawn] == ["a", "b"]
    assert [trace.x[0] for trace in drawn] == [60, 50.0]  # what is left out is drawn to half a budget at most


def test_bars_that_did_not_pass_are_grey_and_there_are_not_too_many():
    bars = [Bar(str(number), "name", 1 - number / 100, strong=number < 3) for number in range(MOST_BARS + 5)]
    figure = score_bars(bars, score_name="cosine", threshold=0.5)
    assert len(figure.data[0].x) == MOST_BARS
    assert len(set(figure.data[0].marker.color)) == 2
    assert figure.layout.shapes[0].x0 == 0.5


def test_signals_add_up_by_eye():
    bars = signal_bars([("own_text", 0.5, 0.4), ("b", 0.25, 0.8), ("c", 0.1, 0.0)])
    assert bars[0].length == bars[1].length > bars[2].length == 0
    assert (bars[0].name, bars[0].words) == ("own text", "0.500 × 0.400 = 0.2000")


def test_names_in_charts_are_text():
    figures = [
        score_bars([Bar("a", HOSTILE, 0.5, note=HOSTILE)], score_name="cosine"),
        count_bars([(HOSTILE, 3)], "episodes"),
        network([Node("entity", "a", HOSTILE)], []),
        chain([HOSTILE, "b"], [Link((HOSTILE,))]),
        budget_bar([Packed("episode", "a", HOSTILE, 5)], 10),
    ]
    for figure in figures:
        assert "<b onclick" not in figure.to_json().replace("\\u003c", "<")
        assert "<a href" not in figure.to_json().replace("\\u003c", "<")


def test_bars_are_text():
    page = markup.bars([markup.Stretch(HOSTILE, 0.25, 0.5, HOSTILE)], HOSTILE)
    assert "<b onclick" not in page
    assert "<a href" not in page
    assert "margin-left:25.00%;width:50.00%" in page


def test_a_time_line_shows_the_range_and_now():
    figure = timeline(TimeRange(start=NOW - timedelta(days=7), end=NOW), NOW, [NOW - timedelta(days=2)])
    assert figure.layout.shapes[0].x0 == NOW - timedelta(days=7)


def test_equal_graphs_look_equal_and_have_no_infinite_places():
    pairs = [(0, 1), (1, 2)]
    first, second = spring_layout(5, pairs), spring_layout(5, pairs)
    assert np.array_equal(first, second)
    assert np.isfinite(first).all()
    assert spring_layout(0, []).shape == (0, 2)


def test_edges_to_unknown_nodes_are_left_out():
    nodes = [Node("entity", "a", "A"), Node("entity", "b", "B")]
    edges = [Edge(("entity", "a"), ("entity", "b")), Edge(("entity", "a"), ("entity", "gone"))]
    figure = network(nodes, edges)
    assert len(figure.data[1].x) == 3


def test_an_arrow_points_the_way_its_fact_does():
    forward, backward = (chain(["a", "b"], [Link(("fact",), way)]).layout.annotations[0] for way in (True, False))
    assert forward.x > forward.ax
    assert backward.x < backward.ax


def test_names_in_a_graph_never_touch():
    # Two points at the same place, and a third far away: the second name goes to the other side.
    places = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0]])
    assert name_sides(places, [5, 5, 5], [0, 1, 2]) == ["top center", "bottom center", "top center"]
    crowd = np.array([*[[0.0, 0.0]] * 6, [1.0, 1.0]])
    assert name_sides(crowd, [9] * 7, range(7)).count("") == 4  # one above and one below the crowd, one far away


def test_a_name_at_the_edge_turns_inwards():
    places = np.array([[0.0, 0.0], [1.0, 1.0]])
    assert name_sides(places, [22, 22], [0, 1], size_px=(100.0, 100.0)) == ["middle right", "middle left"]
