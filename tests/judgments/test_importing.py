"""An import replaces nothing that nobody has decided on."""

from __future__ import annotations

import pytest

from core_search.errors import BundleError, UsageError
from core_search.judgments.exchange import JudgmentRecord, records_of
from core_search.judgments.importing import with_kinds
from core_search.models import ItemKind


def record(item_id, grade, reviewer="Ann", **rest):
    return JudgmentRecord(query_id=rest.pop("query_id", "q1"), item_id=item_id, reviewer=reviewer, grade=grade, **rest)


def test_an_import_into_an_empty_set_is_all_new(store, query_set, key):
    records = [record("e1", 2), record("e1", 1, "Ben"), record("e1", 2, "Dee", settled=True)]
    plan = store.importer.apply(query_set, records, {})
    assert (len(plan.new), plan.same, plan.conflicts) == (3, 0, ())
    assert store.counting(query_set.id) == {key("e1"): 2}
    again = records_of(store.grades.all(query_set.id), store.settled.all(query_set.id).values())
    assert {(one.reviewer, one.grade, one.settled, one.at) for one in again} == {
        (one.reviewer, one.grade, one.settled, one.at) for one in records
    }
    assert store.importer.plan(query_set, records).same == 3


def test_a_conflict_must_be_decided_and_either_side_can_win(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 3)
    store.grades.give(query_set.id, key("e2"), "Ann", 3)
    records = [record("e1", 0), record("e2", 0), record("e3", 1)]
    plan = store.importer.plan(query_set, records)
    first, second = plan.conflicts
    for decisions in ({}, {first.id: "theirs"}):
        with pytest.raises(UsageError, match="Nothing was imported"):
            store.importer.apply(query_set, records, decisions)
    assert len(store.grades.all(query_set.id)) == 2
    store.importer.apply(query_set, records, {first.id: "theirs", second.id: "mine"})
    assert store.counting(query_set.id) == {key("e1"): 0, key("e2"): 3, key("e3"): 1}
    assert [grade.grade for grade, _ in store.grades.history(query_set.id, key("e1"), "Ann")] == [3, 0]


def test_a_decision_is_about_what_was_shown(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 3)
    records = [record("e1", 0)]
    (shown,) = store.importer.plan(query_set, records).conflicts
    store.grades.give(query_set.id, key("e1"), "Ann", 2)
    with pytest.raises(UsageError, match="not decided"):
        store.importer.apply(query_set, records, {shown.id: "theirs"})
    assert store.counting(query_set.id) == {key("e1"): 2}


def test_two_people_are_no_conflict_and_a_skipped_card_neither(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ben", 3)
    store.grades.skip(query_set.id, key("e1"), "Ann")
    plan = store.importer.plan(query_set, [record("e1", 0)])
    assert (len(plan.new), plan.conflicts) == (1, ())


def test_settled_grades_conflict_whoever_settled(store, query_set, key):
    store.settled.settle(query_set.id, key("e1"), 1, "Dee")
    records = [record("e1", 2, "Eve", settled=True)]
    (conflict,) = store.importer.plan(query_set, records).conflicts
    store.importer.apply(query_set, records, {conflict.id: "theirs"})
    assert (store.settled.all(query_set.id)[key("e1")].settler, store.counting(query_set.id)) == ("Eve", {key("e1"): 2})


def test_unknown_queries_are_listed(store, query_set):
    with pytest.raises(BundleError) as caught:
        store.importer.plan(
            query_set, [record("e1", 1), record("e1", 1, query_id="q8"), record("e1", 1, query_id="q9")]
        )
    assert len(caught.value.problems) == 2
    assert "'q8'" in caught.value.problems[0]


def test_kinds_come_from_the_memory():
    given = [record("e1", 1), record("d1", 1), record("gone", 1)]
    kinds = [one.item_kind for one in with_kinds(given, {"d1": ItemKind.DOCUMENT, "e1": ItemKind.EPISODE})]
    assert kinds == [ItemKind.EPISODE, ItemKind.DOCUMENT, ItemKind.EPISODE]
