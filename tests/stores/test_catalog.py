"""The columns of the small memory (see conftest), asked one by one and all at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core_search.errors import WorkspaceDamaged
from core_search.models import Aspect, ItemKind, Memory, TimeRange
from core_search.stores.base import Scope
from core_search.stores.catalog import Catalog

Day = Callable[[float], datetime]
EPISODES = [f"e{number}" for number in range(1, 9)]
STATEMENTS = [f"t{number:02}" for number in range(1, 11)]


@pytest.fixture(scope="module")
def catalog(small_memory: Memory, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Saved and opened again."""
    folder = tmp_path_factory.mktemp("columns")
    Catalog.of(small_memory).save(folder)
    return Catalog.open(folder)


def taken(ids: list[str], accepts: Callable[[str], bool]) -> list[str]:
    return [id_ for id_ in ids if accepts(id_)]


def test_one_item(catalog: Catalog, day: Day):
    assert catalog.valid_at("e2") == day(2)
    assert catalog.fact_valid_at("t09") == day(110)
    assert catalog.session("e8") == "s3"
    assert catalog.aspect("t05") is Aspect.EVENT
    assert catalog.labels(ItemKind.EPISODE, "e2") == ["work", "home"]
    assert catalog.labels(ItemKind.DOCUMENT, "d1") == ["work"]
    assert catalog.labels(ItemKind.STATEMENT, "t01") == []
    assert catalog.entities_of("t05") == ["alice", "berlin"]
    assert catalog.entities_of("t08") == ["works_at"]
    assert catalog.episodes_of("t03") == ["e2", "e1"]
    assert catalog.episodes_of("t10") == []
    assert catalog.has_episode("e1")
    assert not catalog.has_episode("t01")


def test_neighbours_in_the_session(catalog: Catalog):
    assert catalog.around("e2", 1) == ["e1", "e2", "e3"]
    assert catalog.around("e8", 2) == ["e8", "e7"]
    assert catalog.around("e6", 2) == ["e6"]  # the empty session is none


def test_statements_of_an_episode_by_time(catalog: Catalog, day: Day):
    assert catalog.statements_of("e2", day(49)) == ["t02", "t03"]
    assert catalog.statements_of("e2", day(50)) == ["t03"]  # t02 ends on day 50
    assert catalog.invalidated_of("e2", day(50)) == ["t02"]
    assert catalog.statements_of("unknown", day(0)) == []


def test_current_everywhere(catalog: Catalog, day: Day):
    assert taken(STATEMENTS, catalog.current_at(day(40))) == [s for s in STATEMENTS if s != "t04"]
    assert taken(["unknown"], catalog.current_at(day(40))) == []


def test_episodes_of_a_scope(catalog: Catalog, day: Day):
    from_day_2_to_110 = TimeRange(start=day(2), end=day(110))
    assert taken(EPISODES, catalog.admits(Scope(at=day(0)))) == EPISODES
    assert taken(EPISODES, catalog.admits(Scope(at=day(0), time=from_day_2_to_110))) == ["e2", "e3", "e4", "e5"]
    scope = Scope(at=day(0), time=from_day_2_to_110, end_user_ids=("bob", "nobody"))
    assert taken(EPISODES, catalog.admits(scope)) == ["e3", "e5"]


def test_statements_with_an_episode_of_the_scope(catalog: Catalog, day: Day):
    everything = Scope(at=day(40))
    assert taken(STATEMENTS, catalog.supported(everything)) == [s for s in STATEMENTS if s not in ("t04", "t10")]
    before_day_2 = Scope(at=day(0), time=TimeRange(end=day(2)))  # e1 and e8
    assert taken(STATEMENTS, catalog.supported(before_day_2)) == ["t01", "t03", "t04"]
    assert taken(STATEMENTS, catalog.supported(Scope(at=day(0), end_user_ids=("bob",)))) == ["t04", "t06"]


def test_statements_that_became_valid_in_the_scope(catalog: Catalog, day: Day):
    scope = Scope(at=day(0), time=TimeRange(start=day(3), end=day(101)))
    assert taken(STATEMENTS, catalog.admits_statement(scope)) == ["t04", "t05", "t06", "t10"]
    scope = Scope(at=day(0), time=scope.time, end_user_ids=("ann",))
    assert taken(STATEMENTS, catalog.admits_statement(scope)) == ["t04", "t05"]


def test_statements_of_aspects(catalog: Catalog):
    assert taken(STATEMENTS, catalog.of_aspects([Aspect.IDENTITY, Aspect.GOAL])) == ["t01", "t02", "t08"]
    assert taken(STATEMENTS, catalog.of_aspects([])) == []


def test_instants_to_the_microsecond(small_memory: Memory, day: Day):
    instant = day(0) + timedelta(microseconds=1)
    ended = small_memory.statements[0].model_copy(update={"invalid_at": instant})
    memory = small_memory.model_copy(update={"statements": (ended,)})
    catalog = Catalog.of(memory)
    assert taken(["t01"], catalog.current_at(day(0))) == ["t01"]
    assert taken(["t01"], catalog.current_at(instant)) == []


def test_an_empty_memory(tmp_path: Path, day: Day):
    Catalog.of(Memory()).save(tmp_path)
    catalog = Catalog.open(tmp_path)
    assert catalog.episode_ids == catalog.statement_ids == []
    assert not catalog.supported(Scope(at=day(0), time=TimeRange(start=day(0)))).mask.any()
    assert catalog.statements_of("e1", day(0)) == []


def test_damaged_columns_name_the_remedy(tmp_path: Path, small_memory: Memory):
    Catalog.of(small_memory).save(tmp_path)
    (tmp_path / "statements.arrow").write_bytes(b"not an Arrow file")
    with pytest.raises(WorkspaceDamaged, match="core-search rebuild"):
        Catalog.open(tmp_path)


def test_rarity_counts_episodes(catalog: Catalog):
    # Of 8 episodes e1, e2, e4 and e5 are about Alice, e4, e6 and e1 about Acme; Berlin is in e2 and e4.
    assert catalog.rarity(["alice"]) == pytest.approx(math.log(8 / 4) / math.log(8))
    assert catalog.rarity(["acme", "berlin"]) == pytest.approx(math.log(8 / 4) / math.log(8))
    assert catalog.rarity(["berlin", "berlin"]) == pytest.approx(math.log(8 / 2) / math.log(8))
    assert catalog.rarity(["unknown"]) == catalog.rarity([]) == 0


def test_statements_about_an_entity_newest_first(catalog: Catalog, day: Day):
    # t02 has ended, t10 comes from no episode
    assert catalog.statements_about(["alice"], Scope(at=day(200)), 10) == ["t05", "t06", "t01"]
    assert catalog.statements_about(["alice"], Scope(at=day(40)), 10) == ["t05", "t06", "t02", "t01"]
    assert catalog.statements_about(["alice"], Scope(at=day(200)), 2) == ["t05", "t06"]


def test_statements_about_several_entities_by_their_newest_episode(catalog: Catalog, day: Day):
    # t09 comes from e6 on day 110 and from e4 on day 100
    assert catalog.statements_about(["tea", "acme"], Scope(at=day(200)), 10) == ["t07", "t09", "t01"]


def test_statements_about_entities_in_a_scope(catalog: Catalog, day: Day):
    scope = Scope(at=day(200), time=TimeRange(start=day(2), end=day(101)))
    assert catalog.statements_about(["acme", "alice"], scope, 10) == ["t05", "t06", "t09"]
    scope = Scope(at=day(200), end_user_ids=("bob",))
    assert catalog.statements_about(["alice"], scope, 10) == ["t06"]


@pytest.mark.parametrize(("entities", "limit"), [([], 5), (["alice"], 0), (["unknown"], 5)])
def test_statements_about_nothing(catalog: Catalog, day: Day, entities: list[str], limit: int):
    assert catalog.statements_about(entities, Scope(at=day(200)), limit) == []
