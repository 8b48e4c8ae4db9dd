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

# Keys as OpenAI, Cohere and HTTP servers write them: a bearer token, or a prefix and key characters with a digit.
_SECRET = re.compile(
    r"(?i)(bearer\s+)[^\s'\"]{6,}|\b(?:sk|pk)[-_][a-z0-9_*-]{8,}|\b(?:co|api|key)[-_](?=[a-z_*-]*\d)[a-z0-9_*-]{10,}"
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
