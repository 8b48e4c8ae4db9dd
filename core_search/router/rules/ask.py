"""Where in a long prompt the ask stands: at its begin or its end; what lies between is material."""

from __future__ import annotations

# Agents paste diffs, logs and mails behind or before their question; those have names and dates of their own.
LONG_TEXT = 1_200  # characters
ASK_LENGTH = 500


def windows(text: str) -> list[tuple[int, int]]:
    """The parts of `text` that are read, as character ranges: all of it, or its two ends."""
    if len(text) <= LONG_TEXT:
        return [(0, len(text))]
    return [(0, ASK_LENGTH), (len(text) - ASK_LENGTH, len(text))]


def ask_of(text: str) -> str:
    """The parts of `text` that are read."""
    return "\n".join(text[begin:end] for begin, end in windows(text))
