"""The command that explains a search: why one item is, or is not, in its result."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from core_search.cli.memory import instant
from core_search.cli.output import print_json
from core_search.cli.progress import progress_bar
from core_search.cli.tables import table
from core_search.engine import SAMPLE, SearchEngine
from core_search.fate import ItemFate, ScoreComparison, Verdict, compare_scores, explain
from core_search.forks import DECISIONS
from core_search.models import ItemKind
from core_search.options import parse_settings
from core_search.results import SearchRequest


def _why_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query")
    parser.add_argument("item", help="the id of an episode, document, statement, entity or label")
    parser.add_argument("--kind", choices=tuple(ItemKind), help="when several kinds of items have that id")
    parser.add_argument("--against", metavar="OTHER", help="also: why this item stands above or below that one")
    parser.add_argument("--workspace", default=SAMPLE)
    parser.add_argument("--now", help="the instant to search as of, ISO 8601 with offset")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting")
    parser.add_argument("--json", action="store_true", help="print the whole fate")


def _why(given: argparse.Namespace) -> int:
    request = SearchRequest(
        query=given.query,
        workspace=given.workspace,
        now=instant(given.now) if given.now else None,
        set=parse_settings(given.set),
    )
    with SearchEngine() as engine:
        with progress_bar(given.workspace) as progress, engine.memory(given.workspace, progress):
            pass
        result = engine.search(request)
        fate = explain(engine, result, request, given.item, ItemKind(given.kind) if given.kind else None)
    against = compare_scores(result, given.item, given.against) if given.against else None
    if given.json:
        print_json({**fate.wire(), **({"against": against.wire()} if against else {})})
    elif fate.verdict is not Verdict.LOOKUP_FAILED:
        _print_fate(fate)
        if against:
            _print_against(against)
    if fate.verdict is not Verdict.LOOKUP_FAILED:
        return 0
    print(f"core-search: {fate.text}", file=sys.stderr)
    return 1


def _print_fate(fate: ItemFate) -> None:
    print(f"{fate.item.kind or 'item'} {fate.item.id}: {fate.verdict.replace('_', ' ')}")
    print(fate.text)
    if margin := fate.margin:
        print(f"margin: {margin.name}, {_shown(margin.value)} vs {_shown(margin.threshold)}")
    if fate.path:
        rows = [(s.stage, s.fate, s.rank, ", ".join(f"{n} {v:.3f}" for n, v in s.scores.items())) for s in fate.path]
        print("\n" + table(("stage", "fate", "rank", "scores"), rows))
    if fate.conditions:
        print("\nconditions of each path")
        for condition in fate.conditions:
            mark = "holds" if condition.holds else "FAILS"
            print(f"  {condition.path:18} {condition.condition:10} {mark}  {condition.text}")
    if fate.verdict in (Verdict.RETURNED, Verdict.NOT_STORED):
        return
    if fate.remedy is None:
        print("\nno change that was tried brings it back")
        return
    others = f"{fate.remedy.also_changes} other item{'' if fate.remedy.also_changes == 1 else 's'} would change"
    print(f"\nbrought back as number {fate.remedy.returned_at} by {_settings(fate.remedy.set)}; {others}")


def _print_against(found: ScoreComparison) -> None:
    print(f"\n{found.text}")
    rows = [(term.name, term.a, term.b, term.weight, term.difference) for term in found.terms]
    rows.insert(0, (found.score_name or "order", found.a.score, found.b.score, None, found.difference))
    print(table(("term", found.a.id, found.b.id, "weight", "adds"), rows))


def _settings(changes: Mapping[str, Any]) -> str:
    """As they are given to `--set`; what edits a decision is named in words."""
    words = [f"--set {key}={_value(value)}" for key, value in changes.items() if key not in DECISIONS]
    return " ".join([*words, *(f"{key} {_value(value)}" for key, value in changes.items() if key in DECISIONS)])


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value)


def _shown(value: float | str | None) -> str:
    return "nothing" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


COMMANDS = (("why", "why an item is, or is not, in the result of a search", _why_arguments, _why),)
