"""A pool is the union of what configurations return; it is shared, kept, and in an order that a seed decides."""

from __future__ import annotations

import pytest

from core_search import SearchEngine, Settings
from core_search.errors import UnknownItem, UsageError
from core_search.ingest.values import Qrel, Query
from core_search.judgments.importing import BUNDLE_REVIEWER, kinds_of, set_of_workspace
from core_search.judgments.pooling import Configuration, PoolItem, PoolSpec, shuffled
from core_search.judgments.store import JudgmentStore
from core_search.judgments.texts import texts_of
from core_search.models import ItemKind
from core_search.results import SearchRequest
from tests.small import bundle

QUERIES = (
    Query(id="q1", query="my view on code review"),
    Query(id="q2", query="how do Ann Lee and Bob Stone know each other"),
)
QRELS = (Qrel(query_id="q1", doc_id="e1", grade=3), Qrel(query_id="q1", doc_id="d1", grade=-1))
PLAIN = Configuration(name="defaults")
UNRANKED = Configuration(name="without reranking", changes={"rerank": False, "backstop": False})


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        engine.load(bundle().model_copy(update={"queries": QUERIES, "qrels": QRELS}))
        yield engine


@pytest.fixture
def judged(store: JudgmentStore):
    return store.sets.create("pooled", "small", QUERIES)


def test_the_pool_is_the_union_of_the_first_k_with_their_places(engine, store, judged):
    spec = PoolSpec(configurations=(PLAIN, UNRANKED), depth=2)
    pool = store.pools.build(engine, judged, spec)
    for query in QUERIES:
        wanted = {}
        for configuration in spec.configurations:
            request = SearchRequest(query=query.query, workspace="small", set=configuration.changes)
            result = engine.search(request)
            for rank, item in enumerate(result.episodes[:2], 1):
                wanted.setdefault((item.kind, item.uuid), []).append((configuration.name, rank))
            for rank, item in enumerate(result.statements[:2], 1):
                wanted.setdefault(("statement", item.uuid), []).append((configuration.name, rank))
        of_query = [item for item in pool.items if item.query_id == query.id]
        assert {
            (item.kind, item.item_id): [(p.configuration, p.rank) for p in item.places] for item in of_query
        } == wanted
    assert any(item.kind is ItemKind.STATEMENT for item in pool.items)


def test_late_drops_join_on_request_and_say_what_dropped_them(engine, store, judged):
    tight = Configuration(name="tight", changes={"limit": 1})
    without = store.pools.build(engine, judged, PoolSpec(configurations=(tight,), depth=5))
    with_late = store.pools.build(engine, judged, PoolSpec(configurations=(tight,), depth=5, late=True))
    added = {item.key for item in with_late.items} - {item.key for item in without.items}
    assert added
    places = [item.places[0] for item in with_late.items if item.key in added]
    assert all(place.rank is None and place.stage == "rerank" for place in places)
    assert {place.code for place in places} <= {"rerank_cut", "below_relevance"}


def test_the_same_pool_is_built_once_and_another_one_when_queries_change(engine, store, judged):
    spec = PoolSpec(configurations=(PLAIN,), depth=3)
    first = store.pools.build(engine, judged, spec)
    assert store.pools.build(engine, judged, spec) == first
    assert [pool.id for pool in store.pools.of_set(judged.id)] == [first.id]
    store.sets.add_by_hand(judged.id, "soup")
    assert store.pools.build(engine, store.sets.load(judged.id), spec).id != first.id


def test_progress_counts_searches(engine, store, judged):
    seen = []
    store.pools.build(
        engine, judged, PoolSpec(configurations=(PLAIN, UNRANKED), depth=1), lambda *progress: seen.append(progress)
    )
    assert seen == [("searches", done, 4) for done in range(1, 5)]


def test_what_cannot_be_pooled_is_said(engine, store, judged):
    with pytest.raises(UsageError, match="at least one configuration"):
        store.pools.build(engine, judged, PoolSpec(configurations=()))
    with pytest.raises(UsageError, match="own name"):
        store.pools.build(engine, judged, PoolSpec(configurations=(PLAIN, PLAIN)))
    empty = store.sets.create("empty", "small")
    with pytest.raises(UsageError, match="no queries"):
        store.pools.build(engine, empty, PoolSpec(configurations=(PLAIN,)))
    closed = Configuration(name="closed", changes={"confidence_gate": 1.0})
    with pytest.raises(UsageError, match="returned anything"):
        store.pools.build(engine, judged, PoolSpec(configurations=(closed,)))
    with pytest.raises(UnknownItem):
        store.pools.load("gone")


def test_the_seed_alone_decides_the_order():
    items = [
        PoolItem(query_id=query.id, kind=ItemKind.EPISODE, item_id=f"e{number}", places=())
        for number in range(20)
        for query in reversed(QUERIES)
    ]
    first, again, other = (shuffled(items, QUERIES, seed) for seed in (1, 1, 2))
    assert first == again == shuffled(items[::-1], QUERIES, 1)
    assert first != other
    assert [item.query_id for item in first] == ["q1"] * 20 + ["q2"] * 20
    assert [item.item_id for item in first[:20]] != [item.item_id for item in first[20:]]


def test_a_set_of_the_memorys_own_queries(engine, store, database):
    made = set_of_workspace(engine, database, "small", "from the bundle")
    assert [query.id for query in made.queries] == ["q1", "q2"]
    said = {(grade.key.kind, grade.key.item_id): (grade.reviewer, grade.grade) for grade in store.grades.all(made.id)}
    assert said == {(ItemKind.EPISODE, "e1"): (BUNDLE_REVIEWER, 3), (ItemKind.DOCUMENT, "d1"): (BUNDLE_REVIEWER, 0)}


def test_kinds_and_texts_come_from_the_memory(engine):
    kinds = kinds_of(engine, "small", ["e1", "d1", "st3", "gone"])
    assert kinds == {"e1": ItemKind.EPISODE, "d1": ItemKind.DOCUMENT, "st3": ItemKind.STATEMENT}
    texts = texts_of(engine, "small", [(kind, item_id) for item_id, kind in kinds.items()])
    assert texts[ItemKind.DOCUMENT, "d1"].title == "Code review habits"
    assert texts[ItemKind.EPISODE, "e1"].text == "Small pull requests get better code reviews."
    assert texts[ItemKind.STATEMENT, "st3"].until is not None
