"""Lists of a small memory a page at a time, its time line, the surroundings of one entity."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from core_search import SearchEngine, Settings, browse
from core_search.browse import Unit
from core_search.context import MemoryStores
from core_search.models import Aspect, EntityType, Namespace, TimeRange
from core_search.stores.base import Scope, Slice
from tests.small import NOW, bundle, day

EVERYTHING = Scope(at=NOW)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStores]:
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("browse"))) as engine:
        engine.load(bundle())
        with engine.memory("small") as memory:
            yield memory.stores


def test_episodes_come_newest_first_a_page_at_a_time(stores: MemoryStores) -> None:
    assert browse.episodes(stores, EVERYTHING, "", 0, 3) == Slice(("e1", "e2", "e4"), 6)
    assert browse.episodes(stores, EVERYTHING, "", 3, 3) == Slice(("e5", "e3", "e6"), 6)


def test_words_and_ids_find_episodes_within_the_filters(stores: MemoryStores) -> None:
    assert set(browse.episodes(stores, EVERYTHING, "chess", 0, 9).ids) == {"e5", "e6"}
    assert browse.episodes(stores, EVERYTHING, "chess", 1, 9).total == 2
    assert browse.episodes(stores, Scope(at=NOW, time=TimeRange(start=day(50))), "chess", 0, 9).ids == ("e5",)
    assert browse.episodes(stores, Scope(at=NOW, label_ids=("l-food",)), "chess", 0, 9) == Slice((), 0)
    assert browse.episodes(stores, EVERYTHING, "e4", 0, 9).ids == ("e4",)


def test_words_find_statements_within_the_filters(stores: MemoryStores) -> None:
    assert set(browse.statements(stores, NOW, "reviewers", 0, 9).ids) == {"st2", "st3", "st4"}  # stemmed: reviews
    assert browse.statements(stores, NOW, "reviewers", 0, 9, current=False).ids == ("st3",)
    assert browse.statements(stores, NOW, "reviewers", 0, 9, aspects=[Aspect.DIRECTIVE]).ids == ("st4",)
    assert browse.statements(stores, NOW, "club", 0, 9, entity="cy").ids == ("st7",)
    assert browse.statements(stores, NOW, "", 0, 1, entity="cy") == Slice(("st7",), 2)


def test_entities_stand_by_their_statements(stores: MemoryStores) -> None:
    rows = browse.entity_rows(stores)
    assert [(row.uuid, row.statements) for row in rows] == [
        ("bob", 2),
        ("club", 2),
        ("cy", 2),
        ("ann", 1),
        ("knows", 1),
        ("dee", 0),
        ("me", 0),
    ]


@pytest.mark.parametrize(
    ("words", "types", "expected"),
    [
        ("", [], ["bob", "club", "cy", "ann", "dee", "me"]),
        ("", [EntityType.PREDICATE], ["knows"]),
        ("bobby", [], ["bob"]),
        ("ÁNN", [], ["ann"]),
        ("my", [EntityType.ORGANIZATION], []),
        ("club", [], ["club"]),
        ("nobody", [], []),
    ],
)
def test_names_are_found_however_they_are_written(
    stores: MemoryStores, words: str, types: list[EntityType], expected: list[str]
) -> None:
    assert [row.uuid for row in browse.matching_entities(browse.entity_rows(stores), words, types)] == expected


@pytest.mark.parametrize(
    ("unit", "first", "last"),
    [
        (Unit.DAY, date(2024, 2, 29), date(2024, 2, 29)),
        (Unit.WEEK, date(2024, 2, 26), date(2024, 3, 3)),
        (Unit.MONTH, date(2024, 2, 1), date(2024, 2, 29)),
        (Unit.YEAR, date(2024, 1, 1), date(2024, 12, 31)),
    ],
)
def test_units_of_a_leap_day(unit: Unit, first: date, last: date) -> None:
    assert unit.first_day(date(2024, 2, 29)) == first
    assert unit.last_day(first) == last


def test_units_at_the_ends_of_the_calendar() -> None:
    for unit in Unit:
        assert unit.first_day(date.min) == date.min
        assert unit.last_day(unit.first_day(date.max)) == date.max


def test_a_unit_fits_the_span() -> None:
    assert [Unit.fitting(days) for days in (0, 30, 270, 3_000, 30_000)] == ["day", "day", "week", "month", "year"]


def test_the_time_line_counts_every_episode_once_and_for_each_label(stores: MemoryStores) -> None:
    line = browse.time_line(stores).by(Unit.MONTH)
    # Two to ten days before 1 March 2026, 40 before it, 100 before it.
    assert line.episodes == {date(2026, 2, 1): 4, date(2026, 1, 1): 1, date(2025, 11, 1): 1}
    assert line.labels == {
        "l-review": {date(2026, 2, 1): 2, date(2026, 1, 1): 1},
        "l-food": {date(2026, 2, 1): 1},
    }
    assert line.days == 31 + 31 + 30 + 1  # from 1 November to 1 February


def test_instants_without_a_local_time_are_shown_in_utc() -> None:
    first = datetime(1, 1, 1, tzinfo=UTC)
    assert browse.local(first, ZoneInfo("America/New_York")) == first


def test_the_neighbourhood_is_bounded(stores: MemoryStores) -> None:
    around = browse.neighbourhood(stores, "bob", NOW)
    assert {entity.uuid for entity in around.neighbours} == {"ann", "club"}
    assert around.pairs == {("ann", "bob"), ("bob", "club")}
    assert browse.neighbourhood(stores, "bob", NOW, most=1).left_out == 1
    assert browse.neighbourhood(stores, "dee", NOW).neighbours == ()


def test_every_vector_that_the_graph_asks_for_is_there(stores: MemoryStores) -> None:
    counts = browse.vector_counts(stores)
    assert all(stored == wanted for _, stored, wanted in counts)
    # Directive, preference and two beliefs are spoken by a voice; the predicate has no vector.
    assert {namespace: wanted for namespace, _, wanted in counts} == {
        Namespace.LABEL: 2,
        Namespace.ENTITY: 6,
        Namespace.STATEMENT: 9,
        Namespace.EPISODE: 6,
        Namespace.ASPECT: 4,
        Namespace.COMPACTED_SESSION: 1,
    }
