"""LoCoMo's references to turns: usually "D8:6", sometimes "D8:6; D9:17", "D:11:26" or "D30:05", sometimes none."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

# Session and turn, however they are punctuated: at most an opening colon, then a colon, full stop or dash between.
_REFERENCE = re.compile(r"[Dd]\s*:?\s*([0-9]{1,6})\s*[:.\-]\s*([0-9]{1,6})")


def resolve(evidence: Any, dia_ids: Collection[str]) -> tuple[list[str], list[str]]:
    """The cited turns among `dia_ids`, each once in their order, and a note for every repair and leave-out."""
    found: dict[str, None] = {}
    notes: list[str] = []
    for given in _texts(evidence):
        if given in dia_ids:
            found[given] = None
            continue
        cited = [f"D{int(session)}:{int(turn)}" for session, turn in _REFERENCE.findall(given)]
        known = [dia_id for dia_id in cited if dia_id in dia_ids]
        found.update(dict.fromkeys(known))
        if known:
            notes.append(f"evidence {given!r} read as {', '.join(known)}")
        if unknown := [dia_id for dia_id in cited if dia_id not in dia_ids]:
            notes.append(f"evidence {given!r} left out: there is no turn {', '.join(unknown)}")
        elif not cited:
            notes.append(f"evidence {given!r} left out: it names no turn")
    return list(found), notes


def _texts(evidence: Any) -> Iterator[str]:
    if evidence is None:
        return
    for item in evidence if isinstance(evidence, list) else [evidence]:
        yield item if isinstance(item, str) else repr(item)
