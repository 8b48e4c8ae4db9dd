"""Point 6: eight threads search while another loads. Every answer is of one memory, and none costs memory for good."""

from __future__ import annotations

import gc
import resource
import sys
import threading
import time
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from tests.small import ask, bundle, episode, route

THREADS = 8
GROWTH_BYTES = 120_000_000  # what allocators keep for threads; a plan kept per query would be several times that


def soups(load: int):
    return bundle(
        episodes=tuple(episode(f"e{i}", f"Soup {i} of load-{load}", i, label_ids=("l-food",)) for i in range(4)),
        statements=(),
        documents=(),
    )


def rss() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("seconds", [6, pytest.param(60, marks=pytest.mark.measure)])
def test_searches_while_another_thread_loads(tmp_path, record_property, seconds):
    wrong: list[object] = []
    done = threading.Event()
    counts = [0] * THREADS
    outputs = [
        route("exploratory"),
        route("aspect_query", selectedLabels=["cooking"]),
        route("temporal", temporal={"type": "recent", "days": 30}),
        route("temporal_facets", temporal={"type": "all"}),
        None,
    ]
    with SearchEngine(Settings(home=tmp_path)) as engine:
        engine.load(soups(0))
        for output in outputs:
            ask(engine, "small", "soup", output, episode_threshold=-1, rerank_floor=0, exploratory_floor=0)

        def search(number: int) -> None:
            while not done.is_set():
                output = outputs[counts[number] % len(outputs)]
                try:
                    result = ask(engine, "small", "soup", output, episode_threshold=-1, rerank=number % 2 == 0)
                    loads = {found.content.rpartition("-")[2] for found in result.episodes}
                    if len(loads) > 1 or (result.facets and result.facets.stats.episodes != 4):
                        wrong.append(result)
                except BaseException as error:
                    wrong.append(error)
                counts[number] += 1

        threads = [threading.Thread(target=search, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + seconds
        engine.load(soups(1), replace=True)
        gc.collect()
        before, loads = rss(), 1
        while time.monotonic() < end:
            loads += 1
            engine.load(soups(loads), replace=True)
        done.set()
        for thread in threads:
            thread.join()
        last = ask(engine, "small", "soup", outputs[0], episode_threshold=-1, exploratory_floor=0)
        assert {found.content.rpartition("-")[2] for found in last.episodes} == {str(loads)}
        assert len([path for path in engine.folder("small").folder.iterdir() if path.is_dir()]) == 1
        assert not engine._retired
    assert wrong == []
    assert all(counts)
    gc.collect()
    growth = rss() - before
    told = f"{sum(counts)} searches, {loads} loads, {growth / 1e6:.0f} MB more at the end"
    record_property(f"measured: eight threads in {seconds} seconds", told)
    assert growth < GROWTH_BYTES
