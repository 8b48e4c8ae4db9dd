"""Statements about entities, newest first by their episodes (see conftest for the memory)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from core_search.models import TimeRange
from core_search.stores.base import Found, Scope
from core_search.stores.kuzu_graph import KuzuGraph

Day = Callable[[float], datetime]


def ids(found: Found) -> list[str]:
    return [hit.id for hit in found.hits]


def test_current_statements_newest_first(small_graph: KuzuGraph, day: Day):
    found = small_graph.statements_about(["alice"], Scope(at=day(200)), 10)
    assert ids(found) == ["t05", "t06", "t01"]  # t02 has ended, t10 comes from no episode
    assert [hit.valid_at for hit in found.hits] == [day(100), day(100), day(1)]
    assert ids(small_graph.statements_about(["alice"], Scope(at=day(40)), 10)) == ["t05", "t06", "t02", "t01"]


def test_as_subject_or_object_of_several(small_graph: KuzuGraph, day: Day):
    assert ids(small_graph.statements_about(["tea", "acme"], Scope(at=day(200)), 10)) == ["t07", "t09", "t01"]


def test_once_for_two_episodes_with_the_newer_instant(small_graph: KuzuGraph, day: Day):
    (first, _) = small_graph.statements_about(["acme"], Scope(at=day(200)), 10).hits
    assert (first.id, first.valid_at) == ("t09", day(110))  # e6 on day 110 and e4 on day 100


def test_time_and_users_of_the_episodes(small_graph: KuzuGraph, day: Day):
    scope = Scope(at=day(200), time=TimeRange(start=day(2), end=day(101)))
    assert ids(small_graph.statements_about(["acme", "alice"], scope, 10)) == ["t05", "t06", "t09"]
    scope = Scope(at=day(200), end_user_ids=("bob",))
    assert ids(small_graph.statements_about(["alice"], scope, 10)) == ["t06"]


def test_limits_and_what_is_not_there(small_graph: KuzuGraph, day: Day):
    scope = Scope(at=day(200))
    assert ids(small_graph.statements_about(["alice"], scope, 2)) == ["t05", "t06"]
    for entities, limit in (([], 5), (["alice"], 0), (["unknown"], 5)):
        assert ids(small_graph.statements_about(entities, scope, limit)) == []
