"""Text that can be encoded. JSON such as `"\\ud800"` gives Python strings that UTF-8 cannot hold."""

from __future__ import annotations


def without_surrogates(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced by U+FFFD; valid text as it is."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
