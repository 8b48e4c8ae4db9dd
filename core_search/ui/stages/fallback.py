"""The fallback on the page: the V1 search, when V2 came back empty."""

from __future__ import annotations

from core_search.ui.stages import backstop
from core_search.ui.view import View


def draw(view: View) -> None:
    backstop.draw(view, "fallback")
