"""How a call to a model over HTTP went wrong, in one sentence with the remedy and without the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from core_search.errors import ProviderError, redact

REASON_LENGTH = 300  # servers answer with whole HTML pages
# Servers that need no key are often given "x" or "none"; taking that out of a text would garble it and hide nothing.
SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True)
class Service:
    """A model behind a key, and the names of the settings that its errors point to."""

    name: str
    model: str
    key: str = field(repr=False)
    key_variable: str
    model_variable: str
    url_variable: str

    def failed(self, error: Exception) -> ProviderError:
        """The error of the SDK, of the network or of the server, as ours. Headers are left out: they hold the key."""
        status = getattr(error, "status_code", None)
        reason = f"HTTP {status}: {_said(error)}" if status else f"{type(error).__name__}: {error}"
        shown = redact(self.without_key(reason))[:REASON_LENGTH]  # redacted before the cut: half a key is not found
        return self._error(f"failed ({shown})", self._remedy(error, status))

    def unusable(self, reason: str) -> ProviderError:
        """An answer that arrived and is not what was asked for."""
        return self._error(f"gave an unusable answer: {reason}", f"try again, or set another {self.model_variable}")

    def without_key(self, text: str) -> str:
        return text.replace(self.key, "[secret]") if len(self.key) >= SHORTEST_SECRET else text

    def _error(self, what: str, remedy: str) -> ProviderError:
        return ProviderError(f"{self.name} model {self.model!r} {what}; {remedy}")

    def _remedy(self, error: Exception, status: int | None) -> str:
        if status in (401, 403) or isinstance(error, UnicodeError):  # a header takes ASCII alone
            return f"check {self.key_variable}"
        if status == 404:
            return f"check {self.model_variable} and {self.url_variable}"
        if status == 429:
            return "wait, or raise the quota of the key"
        if status is not None and status >= 500:
            return "the server is in trouble: try again later"
        if "Timeout" in type(error).__name__:
            return f"raise CORE_SEARCH_PROVIDER_TIMEOUT, or check {self.url_variable}"
        if status is None:
            return f"check the network and {self.url_variable}"
        return f"check {self.model_variable}"


def _said(error: Exception) -> str:
    """What the server said: the message inside its body where there is one, else the body."""
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        nested = body.get("error", body)
        message = nested.get("message") if isinstance(nested, Mapping) else nested
        return str(message) if message else json.dumps(body, default=str)
    return str(body) if body else "without a message"
