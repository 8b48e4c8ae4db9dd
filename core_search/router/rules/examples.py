"""The labelled examples of the second opinion: `opinion_examples.txt`, a question a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core_search.models import Aspect, QueryType

EXAMPLES = Path(__file__).with_name("opinion_examples.txt")
CLOSED = "closed"  # in the place of a kind: nothing to search for
_NAME = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its kind; None for one that needs no memory. `dated`: its date words are left out.

    `names` are those of its words that a memory knows.
    """

    text: str
    kind: QueryType | None
    aspects: tuple[Aspect, ...] = ()
    dated: bool = False
    attribute: str | None = None
    names: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def read_examples() -> tuple[Example, ...]:
    """Every example, in the order of the file."""
    return tuple(_example(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines() if line[:1] not in "#")


def _example(line: str) -> Example:
    label, _, text = line.partition(" | ")
    kind, _, aspects = label.lstrip("@").partition(":")
    kind, _, attribute = kind.partition("=")
    return Example(
        text=_NAME.sub(r"\1", text),
        kind=None if kind == CLOSED else QueryType(kind),
        aspects=tuple(Aspect(aspect) for aspect in aspects.split(",")) if aspects else (),
        dated=label.startswith("@"),
        attribute=attribute or None,
        names=tuple(dict.fromkeys(_NAME.findall(text))),
    )
