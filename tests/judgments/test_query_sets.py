"""Sets are named once, hold each query once, and go with everything in them."""

from __future__ import annotations

import pytest

from core_search.errors import UnknownItem, UsageError
from core_search.ingest.values import Query


def test_a_set_comes_back_as_it_was_made(store, query_set):
    assert store.sets.load(query_set.id) == query_set
    assert [query.id for query in query_set.queries] == ["q1", "q2"]
    assert query_set.query("q1").need == "what holds now"
    assert store.sets.named("small set") == query_set
    assert [one.id for one in store.sets.all("small")] == [query_set.id]
    assert store.sets.all("other") == []


def test_names_and_query_ids_are_taken_once(store, query_set):
    with pytest.raises(UsageError, match="small set"):
        store.sets.create("small  set", "small")
    with pytest.raises(UsageError, match="'q1' occurs twice"):
        store.sets.add(query_set.id, [Query(id="q1", query="again")])
    with pytest.raises(UsageError, match="'q3' occurs twice"):
        store.sets.create("other", "small", [Query(id="q3", query="a"), Query(id="q3", query="b")])
    assert store.sets.named("other") is None


def test_a_query_by_hand_gets_the_next_free_id(store, query_set):
    assert store.sets.add_by_hand(query_set.id, " my diet ", tags=["food"]).id == "q3"
    query = store.sets.load(query_set.id).queries[-1]
    assert (query.query, query.need, query.tags) == ("my diet", None, ("food",))
    with pytest.raises(UsageError, match="empty"):
        store.sets.add_by_hand(query_set.id, "  ")


def test_labels_are_four_words(store, query_set):
    store.sets.change(query_set.id, labels=["no", "hardly", "partly", "yes"], name="renamed", guidelines="be fair")
    changed = store.sets.load(query_set.id)
    assert (changed.labels, changed.name, changed.guidelines) == (
        ("no", "hardly", "partly", "yes"),
        "renamed",
        "be fair",
    )
    with pytest.raises(UsageError, match="label"):
        store.sets.change(query_set.id, labels=["no", "yes"])
    with pytest.raises(UsageError, match="label"):
        store.sets.change(query_set.id, labels=["no", "", "partly", "yes"])


def test_a_removed_set_leaves_nothing(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 1)
    store.settled.settle(query_set.id, key("e1"), 1, "Ann")
    store.sets.delete(query_set.id)
    assert store.grades.all(query_set.id) == []
    assert store.settled.all(query_set.id) == {}
    with pytest.raises(UnknownItem):
        store.sets.load(query_set.id)
    with pytest.raises(UnknownItem):
        store.sets.change(query_set.id, name="gone")


def test_a_query_is_found_by_its_words_in_the_preferred_set_first(store, query_set):
    text = 'what is "100 %_sure"\tשלום'
    for name in ("a", "b"):
        store.sets.create(name, "small", [Query(id="x", query=text)])
    assert store.sets.find_query("small", text, None)[0].name == "a"
    assert store.sets.find_query("small", text, None, store.sets.named("b").id)[0].name == "b"
    assert store.sets.find_query("other", text, None) is None
    assert store.sets.find_query("small", "what is", None) is None


def test_what_no_set_asks_goes_into_the_set_of_what_was_asked_in_passing(store, query_set):
    known = Query(id="r1", query="who is Ann")
    assert store.sets.ensure_query("small", known)[1].id == "q2"
    new = Query(id="r2", query="who is Bob")
    made, query = store.sets.ensure_query("small", new)
    assert (made.name, query) == ("small, asked in passing", new)
    assert store.sets.ensure_query("small", new)[0].queries == (new,)
