"""The time that one search may take in all. What is there when it passes is returned, and marked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TypeVar

from core_search.errors import ProviderError

T = TypeVar("T")


class DeadlinePassed(ProviderError):
    """A provider did not answer within the time of the search."""


class Deadline:
    """Counts from when it is made."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self._end_s = time.monotonic() + seconds

    @property
    def left_s(self) -> float:
        return max(0.0, self._end_s - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.left_s == 0.0

    def reason(self) -> str:
        return f"the search had {self.seconds:g} s in all (deadline_s); raise it, or look at what was slow in the trace"

    def run(self, call: Callable[[], T]) -> T:
        """The result of `call`, if it comes in time. A call that comes too late goes on unheard until it ends."""
        future: Future[T] = Future()

        def answer() -> None:
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)

        if self.passed:
            raise DeadlinePassed(self.reason())
        threading.Thread(target=answer, name="provider", daemon=True).start()
        try:
            return future.result(timeout=self.left_s)
        except FutureTimeout:
            if future.done():
                raise  # the call's own time-out, not ours
            raise DeadlinePassed(self.reason()) from None
