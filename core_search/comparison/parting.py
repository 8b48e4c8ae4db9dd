"""Where two searches part: the first stage that decided otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from core_search.comparison.side import Side
from core_search.models import Value
from core_search.replay import extraction_of
from core_search.trace import STAGES, Entry, Stage, Status


class Parting(Value):
    """The stage, and in words what it decided otherwise."""

    stage: str
    text: str


class StageDifference(Value):
    """One stage on both sides. `text` is empty when it decided the same."""

    stage: str
    text: str


def parting(first: Side, second: Side) -> Parting | None:
    """The first stage whose decisions differ; None when every stage decided the same."""
    for stage in STAGES:
        if text := stage_difference(first, second, stage):
            return Parting(stage=stage, text=text)
    return None


def stage_differences(first: Side, second: Side) -> tuple[StageDifference, ...]:
    """Every stage in its order."""
    return tuple(StageDifference(stage=stage, text=stage_difference(first, second, stage)) for stage in STAGES)


def stage_difference(first: Side, second: Side, name: str) -> str:
    """What a stage decided otherwise, in words; empty when nothing. Times and scores are no decisions."""
    one, two = first.trace.stage(name), second.trace.stage(name)
    failed = [Status.FAILED is stage.status for stage in (one, two)]
    if failed[0] != failed[1]:
        return f"failed in {first.name if failed[0] else second.name} only"
    if name == "route":
        return "; ".join(filter(None, (_routes(first, second), _scopes(one, two), _entries(one, two, "label"))))
    if name == "gate" and first.result and second.result and first.result.gate.open != second.result.gate.open:
        return " and ".join(
            f"{'open' if s.result and s.result.gate.open else 'closed'} in {s.name}" for s in (first, second)
        )
    return _entries(one, two, "item")


def _routes(first: Side, second: Side) -> str:
    if first.router is None or second.router is None:
        return ""
    one, two = (extraction_of(router).wire() for router in (first.router, second.router))
    return "; ".join(f"{key} {_said(one[key])}, then {_said(two[key])}" for key in one if one[key] != two[key])


def _said(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items() if part is not None) or "none"
    return "none" if value is None else str(value)


def _scopes(one: Stage, two: Stage) -> str:
    """The labels that the search is held to."""
    scopes = [(step.detail.get("labelIds") or []) if (step := stage.step("extract")) else [] for stage in (one, two)]
    if set(scopes[0]) == set(scopes[1]):
        return ""
    return f"label scope {_said(list(scopes[0]))}, then {_said(list(scopes[1]))}"


def _entries(one: Stage, two: Stage, noun: str) -> str:
    """How many items had another way through the stage, and in what."""
    ways = [_ways(stage) for stage in (one, two)]
    keys = ways[0].keys() | ways[1].keys()
    counts: Counter[str] = Counter()
    for key in keys:
        before, after = ways[0].get(key), ways[1].get(key)
        if before == after:
            continue
        if before is None or after is None:
            counts["only came in after the change" if before is None else "no longer came in"] += 1
        elif _fates(before) != _fates(after):
            counts["had another fate"] += 1
        elif _ranks(before) != _ranks(after):
            counts["ranked otherwise"] += 1
        else:
            counts["found by other paths"] += 1
    return ", ".join(f"{count} {noun}{'' if count == 1 else 's'} {what}" for what, count in counts.most_common())


_Way = tuple[tuple[str, str, int | None, tuple[str, ...]], ...]


def _ways(stage: Stage) -> dict[Hashable, _Way]:
    """By item what the stage did with it; an item found by several paths has several entries."""
    ways: dict[Hashable, list[Entry]] = {}
    for entry in stage.ledger:
        ways.setdefault((entry.kind, entry.id), []).append(entry)
    return {
        key: tuple(sorted((e.fate.value, e.code or "", e.rank_out, e.sources) for e in entries))
        if len(entries) == 1
        else tuple(sorted(((e.fate.value, e.code or "", None, e.sources) for e in entries), key=repr))
        for key, entries in ways.items()
    }


def _fates(way: _Way) -> list[tuple[str, str]]:
    return [(fate, code) for fate, code, _, _ in way]


def _ranks(way: _Way) -> list[int | None]:
    return [rank for _, _, rank, _ in way]
