import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core_search.providers.once import Once


def test_many_threads_make_one_value():
    made = []
    start = threading.Barrier(8)
    once = Once(lambda: made.append(1) or object())

    def take(_: int) -> object:
        start.wait()
        return once()

    with ThreadPoolExecutor(8) as pool:
        values = list(pool.map(take, range(8)))
    assert len(made) == 1
    assert len(set(map(id, values))) == 1


def test_a_failure_is_not_kept():
    answers = iter([ValueError("first"), "second"])

    def make() -> str:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    once = Once(make)
    with pytest.raises(ValueError, match="first"):
        once()
    assert once() == "second"
