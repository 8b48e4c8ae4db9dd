from __future__ import annotations

import numpy as np

from core_search.stores.id_filter import IdFilter, Places

IDS = ["a", "b", "c", "d"]
ROWS = {id_: row for row, id_ in enumerate(IDS)}


def taking(*ids: str) -> IdFilter:
    return IdFilter(IDS, ROWS, np.array([id_ in ids for id_ in IDS]))


def test_it_takes_what_the_mask_says_and_nothing_unknown():
    assert [id_ for id_ in (*IDS, "e") if taking("b", "d")(id_)] == ["b", "d"]
    assert taking("b", "d").share == 0.5


def test_both_of_two():
    assert [id_ for id_ in IDS if (taking("a", "b") & taking("b", "c"))(id_)] == ["b"]


def test_one_without_the_other():
    assert [id_ for id_ in IDS if (taking("a", "b") - taking("b", "c"))(id_)] == ["a"]


def test_places_of_a_store_in_another_order_with_an_id_of_its_own():
    places = Places(["d", "e", "a"], taking())
    assert places.mask(taking("a", "d")).tolist() == [True, False, True]
    assert places.fits(taking("b"))
    assert not places.fits(IdFilter(list(IDS), ROWS, taking("b").mask))


def test_nothing_at_all():
    nothing = IdFilter([], {}, np.empty(0, dtype=np.bool_))
    assert nothing.share == 0
    assert Places(["a"], nothing).mask(nothing).tolist() == [False]
