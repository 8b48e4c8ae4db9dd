"""A memory small enough to be counted by hand, and the graph that it makes.

Days count from 1 January 2024. Times of episodes and statements:

    day    -20000   1          2               3      5           100             110            120
    e      e8       e1         e2              e3                 e4, e5          e6             e7
    user   ann      ann        ann             bob                ann, bob        ann            bob
    labels home     work       work, home      home               home, none      work           work
    t               t01        t02, t03        t04    t10         t05, t06        t07, t08, t09

t02 is invalid from day 50, t04 from day 30, t08 from day 1000. Events: t05 on day 40, t09 on day 2.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from core_search.models import Document, Entity, Episode, Label, Memory, Statement
from core_search.stores.kuzu_graph import KuzuGraph


def _day(count: float) -> datetime:
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=count)


@pytest.fixture(scope="session")
def day() -> Callable[[float], datetime]:
    """The instant so many days after 1 January 2024."""
    return _day


@pytest.fixture(scope="session")
def graph_engine() -> str:
    """The engine under test; the same tests run on each (see test_graph_on_ladybug)."""
    return os.environ.get("TEST_GRAPH_ENGINE", "kuzu")


def _episode(uuid: str, day: float, session: str, user: str, *labels: str) -> Episode:
    return Episode(
        uuid=uuid,
        content=f"text of {uuid}",
        source="test",
        session_id=session,
        end_user_id=user,
        created_at=_day(day + 0.5),
        valid_at=_day(day),
        label_ids=labels,
    )


@pytest.fixture(scope="session")
def small_memory() -> Memory:
    def statement(uuid: str, aspect: str, day: float, *episodes: str, **more: object) -> Statement:
        given = {"uuid": uuid, "fact": f"fact {uuid}", "aspect": aspect, "valid_at": _day(day)}
        return Statement.model_validate({**given, "episode_uuids": episodes, **more})

    return Memory(
        labels=(
            Label(id="home", name="Home", description="family and flat", color="#aabbcc"),
            Label(id="idle", name="Idle"),
            Label(id="work", name="Work"),
        ),
        episodes=(
            _episode("e1", 1, "s1", "ann", "work"),
            _episode("e2", 2, "s1", "ann", "work", "home"),
            _episode("e3", 3, "s1", "bob", "home"),
            _episode("e4", 100, "s2", "ann", "home"),
            _episode("e5", 100, "s2", "bob"),
            _episode("e6", 110, "", "ann", "work"),
            _episode("e7", 120, "s3", "bob", "work"),
            _episode("e8", -20_000, "s3", "ann", "home"),
        ),
        entities=(
            Entity(uuid="acme", name="Acme", type="Organization"),
            Entity(uuid="alice", name="Alice", aliases=("Al", "my wife"), type="Person", attributes={"born": "1990"}),
            Entity(uuid="berlin", name="Berlin", type="Place"),
            Entity(uuid="bob", name="Bob", type="Person"),
            Entity(uuid="tea", name="Tea", type="Product"),
            Entity(uuid="works_at", name="works at", type="Predicate"),
        ),
        statements=(
            statement("t01", "Identity", 1, "e1", subject="alice", predicate="works_at", object="acme"),
            statement(
                "t02",
                "Identity",
                2,
                "e2",
                subject="alice",
                object="berlin",
                invalid_at=_day(50),
                invalidated_by="e4",
            ),
            statement("t03", "Preference", 2, "e2", "e1", attributes={"strength": "high"}),
            statement("t04", "Preference", 3, "e3", "e8", invalid_at=_day(30)),
            statement("t05", "Event", 100, "e4", subject="alice", object="berlin", event_date=_day(40)),
            statement("t06", "Relationship", 100, "e5", subject="bob", object="alice"),
            statement("t07", "Knowledge", 110, "e6", subject="tea", object="tea"),
            statement("t08", "Goal", 110, "e6", subject="works_at", invalid_at=_day(1000)),
            statement("t09", "Decision", 110, "e6", "e4", subject="acme", object="tea", event_date=_day(2)),
            statement("t10", "Event", 5, subject="alice", object="tea"),
        ),
        documents=(
            Document(
                id="d1",
                session_id="s1",
                title="First",
                content="one",
                label_ids=("work",),
                created_at=_day(4),
                updated_at=_day(4),
            ),
            Document(
                id="d2",
                session_id="s2",
                content="two",
                label_ids=("home", "work"),
                created_at=_day(101),
                updated_at=_day(101),
            ),
        ),
    )


@pytest.fixture(scope="session")
def small_graph(
    small_memory: Memory, graph_engine: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KuzuGraph]:
    """The small memory in a graph, opened to read."""
    path = tmp_path_factory.mktemp("small") / "graph.db"
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(small_memory)
    with KuzuGraph.open(path, graph_engine) as graph:
        yield graph
