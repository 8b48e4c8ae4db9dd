"""Keys that somebody pasted where a query or a setting belongs: struck out before anything sees or records them.

The keys in use are struck out everywhere. What only looks like a key is struck out of settings, where no text of a
memory stands; ids that look a little like one (`key-2024-notes`) stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from core_search.errors import SHORTEST_SECRET
from core_search.results import SearchRequest

STRUCK = "[secret]"
# As OpenAI writes them. Shorter and plainer ones cannot be told from ids.
_KEY = re.compile(r"\b(?:sk|pk)-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{20,}")


def without_keys(request: SearchRequest, secrets: tuple[str, ...]) -> SearchRequest:
    """The request, the same one when there is nothing to strike out."""
    secrets = tuple(secret for secret in secrets if len(secret) >= SHORTEST_SECRET)

    def known(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, STRUCK)
        return text

    clean = {
        "query": known(request.query),
        "set": _mapped(request.set, lambda text: _KEY.sub(STRUCK, known(text))),
        "router_output": _mapped(request.router_output, known),
    }
    if all(getattr(request, name) == value for name, value in clean.items()):
        return request
    return request.model_copy(update=clean)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key) if isinstance(key, str) else key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(item, change) for item in value)
    return value
