from __future__ import annotations

import dataclasses
import time

import pytest

from core_search import SearchEngine, Settings
from core_search.deadline import Deadline, DeadlinePassed
from core_search.providers.build import build_providers
from tests.small import ask, bundle, route


def test_a_late_call_is_not_waited_for_and_a_timely_one_keeps_its_answer_or_its_error():
    assert Deadline(5).run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        Deadline(5).run(lambda: 1 / 0)
    started = time.monotonic()
    with pytest.raises(DeadlinePassed, match="deadline_s"):
        Deadline(0.05).run(lambda: time.sleep(2))
    assert time.monotonic() - started < 1


class Slow:
    """A provider that answers after the search should have ended."""

    name, model, wants_signals, floor, exploratory_floor = "slow", "none", False, 0.1, 0.2

    def extract(self, question):
        time.sleep(3)

    def rerank(self, query, items):
        time.sleep(3)


def test_what_is_there_at_the_deadline_is_returned_and_marked(tmp_path):
    settings = Settings(home=tmp_path)
    providers = dataclasses.replace(build_providers(settings), extractor=Slow(), reranker=Slow())
    with SearchEngine(settings, providers) as engine:
        engine.load(bundle())
        ask(engine, "small", "warm up", route("aspect_query"), deadline_s=1)
        slow_route = ask(engine, "small", "what is my view on code review", deadline_s=0.5)
        slow_rerank = ask(engine, "small", "code review", route("aspect_query"), deadline_s=1)
    assert slow_route.router.query_type == "aspect_query"
    assert any("local rules" in reason for reason in slow_route.degraded)
    assert slow_rerank.episodes
    assert any("rerank" in reason and "deadline_s" in reason for reason in slow_rerank.degraded)
