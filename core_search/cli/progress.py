"""A progress bar on stderr for work that reports `what, done, total`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from core_search.stores.base import Progress


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """One bar for each kind of work, in the order in which the kinds come."""
    bars: dict[str, tqdm] = {}

    def report(what: str, done: int, total: int) -> None:
        if what not in bars:
            bars[what] = tqdm(total=total, desc=f"{title}: {what}", file=sys.stderr, unit="", dynamic_ncols=True)
        bar = bars[what]
        bar.update(done - bar.n)
        if done >= total:
            bar.close()

    try:
        yield report
    finally:
        for bar in bars.values():
            bar.close()
