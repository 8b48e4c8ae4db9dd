"""The error tree. Everything that this package raises on purpose is a `CoreSearchError`.

CoreSearchError
├── UsageError            the caller asked for something that does not exist or does not fit
│   ├── SettingError      an unknown setting, or a value that it cannot take
│   └── UnknownItem       no item with that id in this workspace
├── WorkspaceError        a memory cannot be opened, made or replaced
│   ├── UnknownWorkspace  no workspace of that name
│   ├── WorkspaceLocked   another process holds it
│   ├── StampMismatch     made with another embedding model, dimension, engine or schema
│   └── WorkspaceDamaged  its files cannot be read
├── BundleError           what was to be loaded is not valid; carries every problem found
├── StoreError            the graph or the vector engine refused a call
├── ProviderError         a model behind a provider failed or answered nonsense
│   └── MissingKey        a provider was asked for by name and has no key
└── SearchFailed          a stage of a search failed; carries the trace up to there

Every message names the thing with `!r` and says what to do next. No message contains a secret:
messages of outside libraries pass `redact` at the border.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core_search.trace import Trace

# What tells the rest of a key from a word: stars in it, seven digits in a row, or ten letters and digits in a row of
# which a letter follows a digit. "co-founders2020" and "api-version-2024-10-21" have none of that.
_DENSE = r"(?=[a-z0-9_*-]*(?:\*\*|\d{7}|(?=[a-z0-9]{10})[a-z]*\d+[a-z]))"
# Keys as OpenAI, Cohere and HTTP servers write them: a bearer token, or a prefix and the characters of a key.
_SECRET = re.compile(
    r"(?i)(bearer\s+)(?=[^\s'\"]*\d|[^\s'\"]{20})[^\s'\"]{6,}"
    r"|\bsk[-_](?=[a-z_-]*[\d*]|[a-z_-]*[a-z]{20})[a-z0-9_*-]{8,}"
    rf"|\b(?:pk|co|api|key)[-_]{_DENSE}[a-z0-9_*-]{{8,}}"
)
SHORTEST_SECRET = 8  # a shorter text is no key, and would tear holes into every message


class CoreSearchError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(CoreSearchError):
    """The caller asked for something that does not exist or does not fit."""


class SettingError(UsageError):
    """An unknown setting, or a value that the setting cannot take."""


class UnknownItem(UsageError):
    """No item with that id is stored in this workspace."""


class WorkspaceError(CoreSearchError):
    """A memory cannot be opened, made or replaced."""


class UnknownWorkspace(WorkspaceError):
    """There is no workspace of that name."""


class WorkspaceLocked(WorkspaceError):
    """Another process holds the workspace."""


class StampMismatch(WorkspaceError):
    """The workspace was made with another embedding model, dimension, engine or schema version."""


class WorkspaceDamaged(WorkspaceError):
    """The files of the workspace cannot be read."""


class BundleError(CoreSearchError):
    """What was to be loaded is not valid. `problems` has every one, as `file:line: field: reason`.

    `more` counts those that were found and are not listed.
    """

    def __init__(self, problems: tuple[str, ...] | list[str], more: int = 0):
        self.problems = tuple(problems)
        self.more = more
        count = len(self.problems) + more
        lines = [*self.problems, f"and {more} more"] if more else self.problems
        super().__init__(f"{count} problem{'s' if count != 1 else ''}; nothing was loaded:\n" + "\n".join(lines))


class StoreError(CoreSearchError):
    """The graph or the vector engine refused a call."""


class ProviderError(CoreSearchError):
    """A model behind a provider failed or gave no usable answer."""


class MissingKey(ProviderError):
    """A provider was asked for by name and its key is not set."""


class SearchFailed(CoreSearchError):
    """A stage of a search failed. `trace` tells everything up to there."""

    def __init__(self, message: str, trace: Trace):
        self.trace = trace
        super().__init__(message)


def redact(text: str, *secrets: str | None) -> str:
    """`text` without the given secrets and without anything that looks like a key."""
    for secret in secrets:
        if secret and len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "[secret]")
    return _SECRET.sub(lambda match: f"{match.group(1) or ''}[secret]", text)
