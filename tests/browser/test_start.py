"""How long it takes from the start of the app to the first result."""

from __future__ import annotations

import time

import pytest

from tests.browser.server import served

pytestmark = pytest.mark.measure


def test_start_to_first_result(visit, small_home, record_property):
    """A new server and a new person; the memory is loaded already, and the libraries are in the system's cache."""
    started_s = time.monotonic()
    with served(small_home) as address:
        visitor = visit(address)
        visitor.page.goto(address)
        visitor.page.wait_for_selector(".st-key-stage_strip")
        taken_s = time.monotonic() - started_s
        visitor.settled()
        visitor.is_calm()
        visitor.context.close()
    record_property("measured: seconds from the start of the app to the first result (target 5)", f"{taken_s:.2f}")
