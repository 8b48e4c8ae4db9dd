"""One view per stage, `stage name -> view`. Each takes a `View` and draws it; none of them searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from core_search.ui.stages import (
    backstop,
    budget,
    compact,
    fallback,
    gate,
    handle,
    merge,
    overview,
    rerank,
    result,
    route,
)
from core_search.ui.view import View

STAGE_VIEWS: Mapping[str, Callable[[View], None]] = MappingProxyType(
    {
        "overview": overview.draw,
        "route": route.draw,
        "gate": gate.draw,
        "handle": handle.draw,
        "merge": merge.draw,
        "backstop": backstop.draw,
        "rerank": rerank.draw,
        "compact": compact.draw,
        "budget": budget.draw,
        "fallback": fallback.draw,
        "result": result.draw,
    }
)
