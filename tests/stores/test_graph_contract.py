"""Every method of the graph protocol, against the memory drawn in conftest.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from core_search.models import Aspect, Document, EntityType, Memory, TimeRange
from core_search.stores import facet_counting, kuzu_episodes
from core_search.stores.base import FacetCounts, Found, Hit, Link, Scope, SessionSummary, Slice
from core_search.stores.catalog import Catalog
from core_search.stores.kuzu_graph import KuzuGraph

Day = Callable[[float], datetime]
ScopeOf = Callable[..., Scope]


@pytest.fixture(scope="session")
def scope(day: Day) -> ScopeOf:
    """A scope as of day 200, unless said otherwise; `time` in days."""

    def scope_of(
        time: tuple[float | None, float | None] = (None, None),
        labels: tuple[str, ...] = (),
        users: tuple[str, ...] = (),
        at: float = 200,
    ) -> Scope:
        start, end = (None if bound is None else day(bound) for bound in time)
        return Scope(at=day(at), time=TimeRange(start=start, end=end), label_ids=labels, end_user_ids=users)

    return scope_of


def rows(found: Found) -> list[str]:
    """`episode`, or `episode by statement`."""
    for query in found.queries:
        assert json.loads(json.dumps(dict(query.parameters))) == query.parameters
        assert all(f"${name}" in query.text for name in query.parameters)
    return [hit.id if hit.statement is None else f"{hit.id} {hit.statement}" for hit in found.hits]


# ------------------------------------------------------------ values


def test_counts(small_graph: KuzuGraph) -> None:
    assert small_graph.counts() == {"episodes": 8, "entities": 6, "statements": 10, "labels": 3, "documents": 2}


def test_memory_comes_back_as_it_was(small_graph: KuzuGraph, small_memory: Memory) -> None:
    assert small_graph.memory() == small_memory
    assert small_graph.labels() == list(small_memory.labels)


def test_entities_for_look_up_have_no_predicates(small_graph: KuzuGraph) -> None:
    assert [entity.uuid for entity in small_graph.all_entities()] == ["acme", "alice", "berlin", "bob", "tea"]


@pytest.mark.parametrize(
    ("what", "key"), [("episodes", "uuid"), ("entities", "uuid"), ("statements", "uuid"), ("documents", "id")]
)
def test_values_by_key(small_graph: KuzuGraph, small_memory: Memory, what: str, key: str) -> None:
    stored = {getattr(value, key): value for value in getattr(small_memory, what)}
    read = getattr(small_graph, what)
    assert read([*stored, "unknown"]) == stored
    first = next(iter(stored))
    assert read(iter([first, first])) == {first: stored[first]}
    assert read([]) == {}


# ------------------------------------------------------------ neighbours


def test_statements_of_episodes(small_graph: KuzuGraph) -> None:
    found = small_graph.statements_of_episodes(["e2", "e4", "e7", "unknown"])
    assert found == {"e2": ["t02", "t03"], "e4": ["t05", "t09"]}


def test_statements_of_an_entity(small_graph: KuzuGraph) -> None:
    assert small_graph.statements_of_entity("alice", 10) == ["t05", "t06", "t10", "t02", "t01"]
    assert small_graph.statements_of_entity("alice", 2) == ["t05", "t06"]
    assert small_graph.statements_of_entity("tea", 10) == ["t07", "t09", "t10"]
    assert small_graph.statements_of_entity("alice", 0) == small_graph.statements_of_entity("unknown", 5) == []


def test_episodes_of_a_session(small_graph: KuzuGraph) -> None:
    assert small_graph.session_episodes("s1") == ["e1", "e2", "e3"]
    assert small_graph.session_episodes("s3") == ["e8", "e7"]
    assert small_graph.session_episodes("unknown") == small_graph.session_episodes("") == []


def test_documents_of_sessions(small_graph: KuzuGraph) -> None:
    assert small_graph.documents_of_sessions(["s1", "s2", "s3", "", "s1"]) == {"s1": "d1", "s2": "d2"}
    assert small_graph.documents_of_sessions([]) == {}


# ------------------------------------------------------------ episodes by aspect


@pytest.mark.parametrize(
    ("aspects", "given", "expected"),
    [
        ([], {}, ["e6 t07", "e4 t05", "e5 t06", "e2 t03", "e1 t01"]),
        ([Aspect.PREFERENCE], {}, ["e2 t03", "e1 t03"]),
        ([Aspect.PREFERENCE], {"at": 30}, ["e2 t03", "e1 t03"]),
        ([Aspect.PREFERENCE], {"at": 29.9}, ["e3 t04", "e2 t03", "e1 t03", "e8 t04"]),
        ([Aspect.GOAL], {"at": 999}, ["e6 t08"]),
        ([Aspect.GOAL], {"at": 1000}, []),
        ([], {"labels": ("work",)}, ["e7", "e6", "e2", "e1"]),
        ([], {"labels": ("idle",)}, []),
        ([], {"labels": ("unknown",)}, []),
        ([Aspect.EVENT, Aspect.PREFERENCE], {"labels": ("work", "home")}, ["e4 t05", "e2 t03", "e1 t03"]),
        ([], {"users": ("bob",)}, ["e5 t06"]),
        ([], {"users": ("bob",), "labels": ("work", "home")}, ["e7", "e3"]),
        ([], {"time": (2, 100)}, ["e2 t03"]),
        ([], {"time": (2, 100.01)}, ["e4 t05", "e5 t06", "e2 t03"]),
        ([], {"time": (None, 2)}, ["e1 t01"]),
        ([], {"time": (101, None)}, ["e6 t07"]),
    ],
)
def test_episodes_by_aspect(
    small_graph: KuzuGraph, scope: ScopeOf, aspects: list[Aspect], given: dict[str, object], expected: list[str]
) -> None:
    assert rows(small_graph.episodes_by_aspect(scope(**given), aspects, 20)) == expected
    assert rows(small_graph.episodes_by_aspect(scope(**given), aspects, 2)) == expected[:2]


def test_a_hit_carries_the_instant_of_its_episode(small_graph: KuzuGraph, scope: ScopeOf, day: Day) -> None:
    found = small_graph.episodes_by_aspect(scope(labels=("home",)), [], 20)
    assert found.hits[-1] == Hit("e8", day(-20_000))
    assert found.hits[-1].valid_at.year == 1969


def test_windows_widen_until_the_limit_is_full(
    small_memory: Memory, graph_engine: str, tmp_path: Path, scope: ScopeOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kuzu_episodes, "WINDOW_EPISODES", (2, 4, 5))
    with KuzuGraph.create(tmp_path / "graph.db", graph_engine) as graph:
        graph.write(small_memory)
        found = [graph.episodes_by_aspect(scope(), [], limit) for limit in (1, 3, 4)]
    assert [len(part.queries) for part in found] == [
        1,  # e6 is one of the newest 2
        2,  # e4 and e5 are among the newest 4
        3,  # e2 is not; 5 are more than half of all
    ]
    assert [hit.id for hit in found[2].hits] == ["e6", "e4", "e5", "e2"]


def test_a_small_memory_has_no_windows(small_graph: KuzuGraph, scope: ScopeOf) -> None:
    assert len(small_graph.episodes_by_aspect(scope(), [], 4).queries) == 1


def test_a_limit_of_zero_asks_nothing(small_graph: KuzuGraph, scope: ScopeOf) -> None:
    nothing = Found((), ())
    assert small_graph.episodes_by_aspect(scope(), [], 0) == nothing
    assert small_graph.episodes_by_entity(["alice"], scope(), [], 0) == nothing
    assert small_graph.episodes_in_time(scope((1, 2)), [], 0) == nothing
    assert small_graph.documents_by_label(scope(), 0) == nothing
    assert small_graph.links_of(["alice"], scope(), 0) == ([], ())


# ------------------------------------------------------------ episodes by entity


@pytest.mark.parametrize(
    ("entities", "aspects", "given", "expected"),
    [
        (["alice"], [], {}, ["e4 t05", "e5 t06", "e1 t01"]),
        (["alice"], [], {"at": 49}, ["e4 t05", "e5 t06", "e2 t02", "e1 t01"]),
        (["alice", "tea"], [], {}, ["e6 t07", "e4 t05", "e5 t06", "e1 t01"]),
        (["tea"], [Aspect.DECISION], {}, ["e6 t09", "e4 t09"]),
        (["alice"], [], {"users": ("bob",)}, ["e5 t06"]),
        (["alice"], [], {"labels": ("work",)}, ["e4 t05", "e5 t06", "e1 t01"]),
        (["alice"], [], {"time": (1, 100)}, ["e1 t01"]),
        (["unknown"], [], {}, []),
    ],
)
def test_episodes_by_entity(
    small_graph: KuzuGraph,
    scope: ScopeOf,
    entities: list[str],
    aspects: list[Aspect],
    given: dict[str, object],
    expected: list[str],
) -> None:
    assert rows(small_graph.episodes_by_entity(entities, scope(**given), aspects, 20)) == expected
    assert rows(small_graph.episodes_by_entity(entities, scope(**given), aspects, 1)) == expected[:1]


def test_no_entities_find_nothing(small_graph: KuzuGraph, scope: ScopeOf) -> None:
    assert small_graph.episodes_by_entity([], scope(), [], 5) == Found((), ())


# ------------------------------------------------------------ episodes in time


@pytest.mark.parametrize(
    ("aspects", "given", "expected"),
    [
        ([], {}, ["e7", "e6", "e4", "e5", "e3", "e2", "e1", "e8"]),
        # by the date of an event: the episode is of day 100
        ([], {"time": (39, 41)}, ["e4 t05"]),
        # by the statement: e4 also reports t09
        ([], {"time": (110, 121)}, ["e7", "e6 t07", "e4 t09"]),
        # by the episode, by t03, and by the event of t09
        ([], {"time": (2, 3)}, ["e6 t09", "e4 t09", "e2 t03", "e1 t03"]),
        ([], {"time": (2, 3), "at": 49}, ["e6 t09", "e4 t09", "e2 t02", "e1 t03"]),
        ([Aspect.EVENT], {"time": (39, 41)}, ["e4 t05"]),
        # the aspect may be that of another statement than the one in the range
        ([Aspect.EVENT], {"time": (110, 121)}, ["e4 t09"]),
        ([Aspect.DECISION], {"time": (110, 121)}, ["e6 t09", "e4 t09"]),
        ([Aspect.EVENT], {}, ["e4 t05"]),
        ([], {"time": (110, 121), "labels": ("home",)}, ["e4 t09"]),
        ([], {"time": (110, 121), "labels": ("home", "work")}, ["e7", "e6 t07", "e4 t09"]),
        ([], {"time": (110, 121), "users": ("bob",)}, ["e7"]),
        ([Aspect.DECISION], {"time": (110, 121), "labels": ("work",), "users": ("ann",)}, ["e6 t09"]),
        ([], {"time": (None, 0)}, ["e8"]),
        ([], {"time": (105, None)}, ["e7", "e6 t07", "e4 t09"]),
        # wide enough for windows: e1 is in by itself and t01, t03, e2 by itself and t03
        ([], {"time": (0, 99)}, ["e6 t09", "e4 t05", "e3", "e2 t03", "e1 t01"]),
        ([Aspect.IDENTITY], {"time": (0, 99)}, ["e1 t01"]),
    ],
)
def test_episodes_in_time(
    small_graph: KuzuGraph, scope: ScopeOf, aspects: list[Aspect], given: dict[str, object], expected: list[str]
) -> None:
    assert rows(small_graph.episodes_in_time(scope(**given), aspects, 20)) == expected
    assert rows(small_graph.episodes_in_time(scope(**given), aspects, 2)) == expected[:2]


def test_time_sorts_by_the_instant_of_the_episode(small_graph: KuzuGraph, scope: ScopeOf, day: Day) -> None:
    assert small_graph.episodes_in_time(scope((39, 41)), [], 20).hits == (Hit("e4", day(100), "t05"),)


# ------------------------------------------------------------ documents


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["d2", "d1"]),
        ({"labels": ("work",)}, ["d2", "d1"]),
        ({"labels": ("home", "work")}, ["d2", "d1"]),
        ({"labels": ("home",)}, ["d2"]),
        ({"time": (0, 10)}, ["d1"]),
        ({"time": (0, 10), "labels": ("home",)}, []),
        ({"time": (None, 101), "labels": ("home", "work")}, ["d2", "d1"]),
        ({"time": (100, 101), "users": ("bob",)}, ["d2"]),
        ({"time": (3, 4), "users": ("ann",)}, []),
        ({"users": ("ann",)}, ["d2", "d1"]),
    ],
)
def test_documents_by_label(
    small_graph: KuzuGraph, scope: ScopeOf, given: dict[str, object], expected: list[str]
) -> None:
    assert rows(small_graph.documents_by_label(scope(**given), 40)) == expected
    assert rows(small_graph.documents_by_label(scope(**given), 1)) == expected[:1]


def test_a_document_carries_its_last_update(small_graph: KuzuGraph, scope: ScopeOf, day: Day) -> None:
    assert small_graph.documents_by_label(scope(), 1).hits == (Hit("d2", day(101)),)


# ------------------------------------------------------------ links

T01, T02, T05 = Link("alice", "acme", "t01"), Link("alice", "berlin", "t02"), Link("alice", "berlin", "t05")
T06, T09, T10 = Link("bob", "alice", "t06"), Link("acme", "tea", "t09"), Link("alice", "tea", "t10")


@pytest.mark.parametrize(
    ("left", "right", "given", "expected"),
    [
        (["alice"], ["acme"], {}, [T01]),
        (["acme"], ["alice"], {}, [T01]),
        (["alice"], ["bob"], {}, [T06]),
        (["alice", "bob"], ["alice", "bob"], {}, [T06]),
        (["alice"], ["berlin"], {}, [T05]),
        (["alice"], ["berlin"], {"at": 10}, [T05, T02]),
        (["alice"], ["berlin"], {"time": (39, 41)}, [T05]),
        (["alice"], ["berlin"], {"time": (60, 90)}, []),
        (["alice"], ["bob", "acme"], {"users": ("bob",)}, [T06]),
        (["alice"], ["tea"], {}, [T10]),
        (["alice"], ["tea"], {"users": ("ann", "bob")}, []),
        (["tea"], ["tea"], {}, []),
        ([], ["alice"], {}, []),
        (["alice"], [], {}, []),
        (["unknown"], ["alice"], {}, []),
    ],
)
def test_links_between(
    small_graph: KuzuGraph,
    scope: ScopeOf,
    left: list[str],
    right: list[str],
    given: dict[str, object],
    expected: list[Link],
) -> None:
    assert small_graph.links_between(left, right, scope(**given))[0] == expected


def test_links_of(small_graph: KuzuGraph, scope: ScopeOf) -> None:
    links, queries = small_graph.links_of(["tea"], scope(), 10)
    assert links == [T09, T10]
    assert len(queries) == 2
    assert small_graph.links_of(["tea"], scope(), 1)[0] == [T09]
    assert small_graph.links_of(["alice", "bob"], scope(), 10)[0] == [T05, T06, T10, T01]
    assert small_graph.links_of(["tea"], scope((5, 6)), 10)[0] == [T10]
    assert small_graph.links_of([], scope(), 10) == ([], ())


# ------------------------------------------------------------ facets

ONE = {
    aspect: (aspect, 1, (statement,))
    for aspect, statement in (
        (Aspect.DECISION, "t09"),
        (Aspect.GOAL, "t08"),
        (Aspect.IDENTITY, "t01"),
        (Aspect.KNOWLEDGE, "t07"),
        (Aspect.PREFERENCE, "t03"),
        (Aspect.RELATIONSHIP, "t06"),
    )
}


def count_facets(graph: KuzuGraph, memory: Memory, scope: Scope) -> FacetCounts:
    people = {entity.uuid for entity in memory.entities if entity.type is not EntityType.PREDICATE}
    return facet_counting.count(Catalog.of(memory), graph.facets(scope), people.__contains__)


def test_facets_of_everything(small_graph: KuzuGraph, small_memory: Memory, scope: ScopeOf) -> None:
    facets = count_facets(small_graph, small_memory, scope())
    assert facets.topics == (("home", 4), ("work", 4))
    # t07 has tea twice and counts once; works_at is a predicate
    assert facets.entities == (("alice", 4), ("tea", 3), ("acme", 2), ("berlin", 1), ("bob", 1))
    assert facets.aspects == ((Aspect.EVENT, 2, ("t05", "t10")), *ONE.values())
    assert (facets.episodes, facets.statements) == (8, 8)
    assert all(query.text.startswith("MATCH") for query in facets.queries)


@pytest.mark.parametrize(
    ("given", "topics", "entities", "aspects", "episodes"),
    [
        (
            {"time": (110, 121)},
            (("work", 2),),
            (("tea", 2), ("acme", 1)),
            (ONE[Aspect.DECISION], ONE[Aspect.GOAL], ONE[Aspect.KNOWLEDGE]),
            2,
        ),
        (
            {"labels": ("home",)},
            (("home", 4), ("work", 1)),
            (("acme", 1), ("alice", 1), ("berlin", 1), ("tea", 1)),
            (ONE[Aspect.DECISION], (Aspect.EVENT, 1, ("t05",)), ONE[Aspect.PREFERENCE]),
            4,
        ),
        (
            {"labels": ("home", "work"), "time": (2, 3)},
            (("home", 1), ("work", 1)),
            (),
            (ONE[Aspect.PREFERENCE],),
            1,
        ),
        ({"users": ("bob",)}, (("home", 1), ("work", 1)), (("alice", 1), ("bob", 1)), (ONE[Aspect.RELATIONSHIP],), 3),
        ({"users": ("bob",), "labels": ("work",)}, (("work", 1),), (), (), 1),
        ({"time": (500, 501)}, (), (), (), 0),
    ],
)
def test_facets_in_a_scope(
    small_graph: KuzuGraph,
    small_memory: Memory,
    scope: ScopeOf,
    given: dict[str, object],
    topics: tuple[object, ...],
    entities: tuple[object, ...],
    aspects: tuple[tuple[Aspect, int, tuple[str, ...]], ...],
    episodes: int,
) -> None:
    facets = count_facets(small_graph, small_memory, scope(**given))
    assert (facets.topics, facets.entities, facets.aspects) == (topics, entities, aspects)
    assert (facets.episodes, facets.statements) == (episodes, sum(count for _, count, _ in aspects))


# ------------------------------------------------------------ browsing


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["e7", "e6", "e4", "e5", "e3", "e2", "e1", "e8"]),
        ({"labels": ("work", "home")}, ["e7", "e6", "e4", "e3", "e2", "e1", "e8"]),
        ({"labels": ("work",), "time": (2, 111)}, ["e6", "e2"]),
        ({"users": ("bob",)}, ["e7", "e5", "e3"]),
        ({"labels": ("unknown",)}, []),
    ],
)
def test_slices_of_episodes(
    small_graph: KuzuGraph, scope: ScopeOf, given: dict[str, object], expected: list[str]
) -> None:
    total = len(expected)
    assert small_graph.episode_slice(scope(**given), 0, 20) == Slice(tuple(expected), total)
    assert small_graph.episode_slice(scope(**given), 1, 2) == Slice(tuple(expected[1:3]), total)
    assert small_graph.episode_slice(scope(**given), 20, 2) == Slice((), total)
    assert small_graph.episode_slice(scope(**given), 0, 0) == Slice((), total)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["t07", "t08", "t09", "t05", "t06", "t10", "t04", "t02", "t03", "t01"]),
        ({"current": False}, ["t04", "t02"]),
        ({"current": True}, ["t07", "t08", "t09", "t05", "t06", "t10", "t03", "t01"]),
        ({"current": False, "aspects": [Aspect.PREFERENCE, Aspect.GOAL]}, ["t04"]),
        ({"aspects": [Aspect.EVENT]}, ["t05", "t10"]),
        ({"entity": "tea"}, ["t07", "t09", "t10"]),
        ({"entity": "alice", "aspects": [Aspect.IDENTITY], "current": True}, ["t01"]),
        ({"entity": "unknown"}, []),
    ],
)
def test_slices_of_statements(small_graph: KuzuGraph, day: Day, given: dict[str, object], expected: list[str]) -> None:
    total = len(expected)
    assert small_graph.statement_slice(day(200), 0, 20, **given) == Slice(tuple(expected), total)  # type: ignore[arg-type]
    assert small_graph.statement_slice(day(200), 1, 1, **given) == Slice(tuple(expected[1:2]), total)  # type: ignore[arg-type]


def test_a_statement_is_invalidated_from_that_instant_on(small_graph: KuzuGraph, day: Day) -> None:
    for at, invalidated in ((49.9, ("t04",)), (50, ("t04", "t02"))):
        assert small_graph.statement_slice(day(at), 0, 20, current=False).ids == invalidated
        assert sum(ended for _, ended in small_graph.statement_counts(day(at)).values()) == len(invalidated)


def test_statements_by_aspect(small_graph: KuzuGraph, day: Day) -> None:
    assert small_graph.statement_counts(day(200)) == {
        Aspect.IDENTITY: (1, 1),
        Aspect.PREFERENCE: (1, 1),
        Aspect.EVENT: (2, 0),
        Aspect.RELATIONSHIP: (1, 0),
        Aspect.KNOWLEDGE: (1, 0),
        Aspect.GOAL: (1, 0),
        Aspect.DECISION: (1, 0),
    }


def test_mentions_by_entity(small_graph: KuzuGraph) -> None:
    # t07 has tea twice; works_at is a predicate once and a subject once
    assert small_graph.mention_counts() == {"alice": 5, "acme": 2, "berlin": 2, "bob": 1, "tea": 3, "works_at": 2}


def test_sizes_of_labels(small_graph: KuzuGraph) -> None:
    assert small_graph.label_sizes() == {"home": (4, 1), "idle": (0, 0), "work": (4, 2)}


def test_sessions_by_their_newest_episode(small_graph: KuzuGraph, day: Day) -> None:
    assert small_graph.sessions() == [
        SessionSummary("s3", 2, day(-20_000), day(120)),
        SessionSummary("s2", 2, day(100), day(100), "d2", ""),
        SessionSummary("s1", 3, day(1), day(3), "d1", "First"),
    ]


def test_a_document_alone_is_a_session_too(tmp_path: Path, graph_engine: str, day: Day) -> None:
    def document(id_: str, session: str, updated: float) -> Document:
        times = {"created_at": day(updated), "updated_at": day(updated)}
        return Document(id=id_, session_id=session, title=f"title of {id_}", content="text", **times)

    memory = Memory(documents=(document("new", "s", 2), document("old", "s", 1), document("none", "", 3)))
    with KuzuGraph.create(tmp_path / "graph.db", graph_engine) as graph:
        graph.write(memory)
        assert graph.sessions() == [SessionSummary("s", 0, None, None, "new", "title of new")]
