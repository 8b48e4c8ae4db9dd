"""Every press is kept, the last one of a reviewer counts, undo brings back the one before."""

from __future__ import annotations

import threading

import pytest

from core_search.database import Database
from core_search.errors import UnknownItem, UsageError
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import Verdict


def test_the_last_press_counts_and_the_others_are_history(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 1)
    store.grades.give(query_set.id, key("e1"), "Ann", 3)
    mine = store.grades.of_reviewer(query_set.id, "Ann")
    assert mine[key("e1")].grade == 3
    history = store.grades.history(query_set.id, key("e1"), "Ann")
    assert [(grade.grade, undone) for grade, undone in history] == [(1, False), (3, False)]


def test_undo_goes_back_press_by_press(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 1)
    store.grades.give(query_set.id, key("e1"), "Ann", 3)
    store.grades.skip(query_set.id, key("e2"), "Ann")
    assert store.grades.undo(query_set.id, "Ann").key == key("e2")
    assert store.grades.undo(query_set.id, "Ann").grade == 3
    assert store.grades.of_reviewer(query_set.id, "Ann")[key("e1")].grade == 1
    assert store.grades.undo(query_set.id, "Ann").grade == 1
    assert store.grades.undo(query_set.id, "Ann") is None
    assert store.grades.of_reviewer(query_set.id, "Ann") == {}
    assert len(store.grades.history(query_set.id, key("e1"), "Ann")) == 2


def test_undo_leaves_other_reviewers_alone(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), "Ann", 1)
    store.grades.give(query_set.id, key("e1"), "Ben", 2)
    store.grades.undo(query_set.id, "Ann")
    assert [(grade.reviewer, grade.grade) for grade in store.grades.all(query_set.id)] == [("Ben", 2)]


def test_cannot_judge_is_no_zero(store, query_set, key):
    said = store.grades.cannot_judge(query_set.id, key("e1"), "Ann", "I cannot read it")
    assert (said.verdict, said.grade, said.judged) == (Verdict.CANNOT_JUDGE, None, True)
    assert store.counting(query_set.id) == {}
    with pytest.raises(UsageError, match="reason"):
        store.grades.cannot_judge(query_set.id, key("e1"), "Ann", " ")


def test_a_note_keeps_the_grade_and_a_grade_keeps_the_note(store, query_set, key):
    store.grades.note(query_set.id, key("e1"), "Ann", "old news\0")
    assert not store.grades.of_reviewer(query_set.id, "Ann")[key("e1")].judged
    store.grades.give(query_set.id, key("e1"), "Ann", 2)
    said = store.grades.note(query_set.id, key("e1"), "Ann", "replaced in May")
    assert (said.grade, said.note) == (2, "replaced in May")
    store.grades.undo(query_set.id, "Ann")
    assert store.grades.of_reviewer(query_set.id, "Ann")[key("e1")].note == "old news"


@pytest.mark.parametrize("grade", [-1, 4, 1.5])
def test_only_the_four_grades(store, query_set, key, grade):
    with pytest.raises(UsageError, match="0, 1, 2 and 3"):
        store.grades.give(query_set.id, key("e1"), "Ann", grade)


def test_nothing_is_kept_for_a_query_that_is_not_there(store, query_set, key):
    with pytest.raises(UnknownItem, match="q9"):
        store.grades.give(query_set.id, key("e1", "q9"), "Ann", 1)
    store.sets.delete(query_set.id)
    with pytest.raises(UnknownItem):
        store.grades.give(query_set.id, key("e1"), "Ann", 1)


def test_one_name_is_one_reviewer_however_it_is_spaced(store, query_set, key):
    store.grades.give(query_set.id, key("e1"), " Ann   Lee ", 1)
    assert len(store.grades.of_reviewer(query_set.id, "Ann Lee")) == 1
    with pytest.raises(UsageError, match="1 to 80"):
        store.grades.give(query_set.id, key("e1"), "  ", 1)


def test_reviewers_who_press_at_once_lose_nothing(settings, store, query_set, key):
    cards, people, problems = 25, 4, []

    def judge(person: int) -> None:
        own = JudgmentStore.of(Database(settings))
        try:
            for number in range(cards):
                own.grades.give(query_set.id, key(f"e{number}"), f"reviewer {person}", (number + person) % 4)
        except Exception as error:
            problems.append(error)

    threads = [threading.Thread(target=judge, args=(person,)) for person in range(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    kept = {(grade.reviewer, grade.key.item_id): grade.grade for grade in store.grades.all(query_set.id)}
    assert kept == {
        (f"reviewer {person}", f"e{number}"): (number + person) % 4
        for person in range(people)
        for number in range(cards)
    }


def test_the_version_changes_with_press_and_undo(store, query_set, key):
    seen = [store.grades.version(query_set.id)]
    store.grades.give(query_set.id, key("e1"), "Ann", 1)
    seen.append(store.grades.version(query_set.id))
    store.grades.give(query_set.id, key("e1"), "Ann", 2)
    seen.append(store.grades.version(query_set.id))
    store.grades.undo(query_set.id, "Ann")
    seen.append(store.grades.version(query_set.id))
    assert len(set(seen[:3])) == 3
    assert seen[3] != seen[2]
