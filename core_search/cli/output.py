"""What commands print: one JSON document, or text for people."""

from __future__ import annotations

import json
from typing import Any


def print_json(data: Any) -> None:
    """One document, ASCII only so that any terminal and any pipe takes it, lone surrogates included."""
    print(json.dumps(data, indent=2))


def one_line(text: str, width: int) -> str:
    """Text on one line of at most `width` characters, control characters shown as blanks."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= width else line[: width - 1] + "…"
