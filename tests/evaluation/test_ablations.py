from __future__ import annotations

from dataclasses import replace

import pytest

from core_search import SearchEngine
from core_search.evaluation.ablations import ablate
from core_search.evaluation.judged_set import JudgedSet
from core_search.evaluation.variants import FULL, Variant


def test_the_first_variant_is_what_the_others_are_compared_with(small: SearchEngine, judged: JudgedSet) -> None:
    nothing = Variant("nothing", "no candidate at all", {"episode_limit": 0, "backstop": False, "session_limit": 0})
    queries = tuple(query for query in judged.queries if query.id in ("q1", "q2"))
    full, none = ablate(small, [replace(judged, queries=queries)], variants=[FULL, nothing])
    assert full.difference["R@10"] == 0
    assert full.evaluation.bm25 is not None
    assert none.evaluation.search.overall.means["R@10"] == 0
    assert none.difference["R@10"] == pytest.approx(-full.evaluation.search.overall.means["R@10"])
    assert none.difference_interval["R@10"][1] <= 0
