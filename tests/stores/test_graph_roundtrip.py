"""Whatever a valid memory holds comes back as it was."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core_search.models import Aspect, EntityType, Memory
from core_search.stores.base import Scope
from core_search.stores.kuzu_graph import KuzuGraph

texts = st.text(max_size=12)
ids = st.text(min_size=1, max_size=8)
attributes = st.dictionaries(texts, texts, max_size=3)


@st.composite
def instants(draw: st.DrawFn) -> datetime:
    zone = timezone(timedelta(minutes=draw(st.integers(-840, 840))))
    return draw(st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29))).replace(tzinfo=zone)


def values(keys: list[str], key: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """One value for each key, in order of the keys."""
    return st.tuples(*(st.fixed_dictionaries({key: st.just(value), **fields}) for value in sorted(keys))).map(list)


def some(of: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(of), max_size=3) if of else st.just([])


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """Any valid memory, ordered by id: every reference leads somewhere."""
    keys = st.lists(ids, max_size=6, unique=True)  # many in one memory: each costs a new database
    labels, episodes, entities = draw(keys), draw(keys), draw(keys)
    sessions, entity = st.sampled_from(["", "s"]), st.sampled_from([None, *entities])
    return Memory.model_validate(
        {
            "labels": draw(values(labels, "id", name=ids, description=texts, color=texts)),
            "episodes": draw(
                values(
                    episodes,
                    "uuid",
                    content=texts,
                    source=texts,
                    channel=texts,
                    session_id=sessions,
                    end_user_id=texts,
                    created_at=instants(),
                    valid_at=instants(),
                    label_ids=some(labels),
                )
            ),
            "entities": draw(
                values(
                    entities,
                    "uuid",
                    name=ids,
                    aliases=st.lists(texts, max_size=3),
                    type=st.sampled_from(EntityType),
                    attributes=attributes,
                )
            ),
            "statements": draw(
                values(
                    draw(keys),
                    "uuid",
                    fact=ids,
                    aspect=st.sampled_from(Aspect),
                    valid_at=instants(),
                    invalid_at=st.none() | instants(),
                    invalidated_by=st.none() | ids,
                    event_date=st.none() | instants(),
                    attributes=attributes,
                    subject=entity,
                    predicate=entity,
                    object=entity,
                    episode_uuids=some(episodes),
                )
            ),
            "documents": draw(
                values(
                    draw(keys),
                    "id",
                    session_id=sessions,
                    title=texts,
                    content=texts,
                    label_ids=some(labels),
                    created_at=instants(),
                    updated_at=instants(),
                )
            ),
        }
    )


@settings(max_examples=8, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(memory=memories())
def test_what_is_written_is_read(memory: Memory, graph_engine: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "graph.db"
    with KuzuGraph.create(path, graph_engine) as graph:
        graph.write(memory)
    with KuzuGraph.open(path, graph_engine) as graph:
        assert graph.memory() == memory
        facets = graph.facets(Scope(at=datetime(1, 1, 2, tzinfo=UTC)))
    assert (facets.episodes, len(facets.statements)) == (len(memory.episodes), len(memory.statements))
