"""One side of a comparison: a search that was run, or that failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core_search.evaluation.variants import RANKED
from core_search.models import RouterOutput
from core_search.options import SearchOptions
from core_search.records import RunRecord
from core_search.results import SearchResult
from core_search.trace import Trace

LETTERS = "ABCDEF"  # names of the sides, in their order
MOST_SIDES = len(LETTERS)


@dataclass(frozen=True)
class Side:
    """A search with everything that decided it. Without a `result` it did not run, for the reason in `error`."""

    name: str
    query: str
    workspace: str
    now: datetime | None
    options: SearchOptions
    providers: Mapping[str, str]
    fingerprint: str
    trace: Trace
    result: SearchResult | None
    error: str = ""
    run_id: str = ""

    @property
    def router(self) -> RouterOutput | None:
        return self.result.router if self.result else None


def side_of_run(run: RunRecord, name: str) -> Side:
    """A kept run."""
    return Side(
        name=name,
        query=run.head.query,
        workspace=run.head.workspace,
        now=run.now,
        options=run.options,
        providers=run.providers,
        fingerprint=run.fingerprint,
        trace=run.trace,
        result=run.result,
        error=run.failure.error if run.failure else "",
        run_id=run.id,
    )


def side_of_result(result: SearchResult, name: str) -> Side:
    """A search that was not kept."""
    return Side(
        name=name,
        query=result.query,
        workspace=result.workspace,
        now=result.now,
        options=result.options,
        providers=result.providers,
        fingerprint=result.fingerprint,
        trace=result.trace,
        result=result,
    )


def name_of(options: SearchOptions, defaults: SearchOptions, known: Mapping[str, SearchOptions] | None = None) -> str:
    """What a configuration is called: the name of an equal known one, else what it changes.

    >>> name_of(SearchOptions(rerank=False, limit=5), SearchOptions())
    'limit 5, rerank off'
    """
    for name, configuration in (known or {}).items():
        if configuration == options:
            return name
    ranked = defaults.with_changes(RANKED)
    if all(getattr(options, key) == getattr(ranked, key) for key in RANKED) and options != defaults:
        changed = changes_in_words(options, ranked)
        return f"whole ranking, {changed}" if changed else "whole ranking"
    return changes_in_words(options, defaults) or "defaults"


def changes_in_words(options: SearchOptions, defaults: SearchOptions) -> str:
    """The settings that are not the defaults, as `name value`."""
    names = [name for name in type(options).model_fields if getattr(options, name) != getattr(defaults, name)]
    return ", ".join(f"{name} {value_in_words(getattr(options, name))}" for name in names)


def value_in_words(value: object) -> str:
    """A setting's value as people write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, datetime):
        return value.isoformat()
    return "none" if value is None or value == "" else str(value)
