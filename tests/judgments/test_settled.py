"""The grade that counts: the settled one, else the lower median of what people said."""

from __future__ import annotations

import pytest

from core_search.errors import UsageError
from core_search.judgments.settled import qrels_of_set


def test_the_lower_median_counts_until_it_is_settled(store, query_set, key):
    for reviewer, grade in (("Ann", 0), ("Ben", 3), ("Cy", 2), ("Dee", 3)):
        store.grades.give(query_set.id, key("e1"), reviewer, grade)
    assert store.counting(query_set.id) == {key("e1"): 2}  # of 0 2 3 3
    store.settled.settle(query_set.id, key("e1"), 3, "Eve", "read again")
    assert store.counting(query_set.id) == {key("e1"): 3}
    store.settled.settle(query_set.id, key("e1"), 1, "Eve")
    assert store.settled.all(query_set.id)[key("e1")].grade == 1
    assert sorted(grade.grade for grade in store.grades.all(query_set.id)) == [0, 2, 3, 3]
    store.settled.reopen(query_set.id, key("e1"))
    assert store.counting(query_set.id) == {key("e1"): 2}


def test_qrels_are_by_query_and_item(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 2)
    store.grades.give(query_set.id, key("e2", "q2"), "Ann", 0)
    grades, settled = store.grades.all(query_set.id), store.settled.all(query_set.id)
    assert qrels_of_set(grades, settled) == {"q1": {"e1": 2}, "q2": {"e2": 0}}


def test_a_settled_grade_is_a_grade(store, query_set, key):
    with pytest.raises(UsageError, match="no grade"):
        store.settled.settle(query_set.id, key("e1"), 7, "Eve")
