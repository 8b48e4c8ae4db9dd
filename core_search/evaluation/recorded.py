"""Evaluate a judged set into the history: query by query, each kept before the next one starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core_search.assemble import models_in_use
from core_search.engine import SearchEngine
from core_search.errors import UsageError
from core_search.evaluation.at_k import CUTOFFS, scores_at
from core_search.evaluation.evaluated_query import EvaluatedQuery, evaluate_query
from core_search.evaluation.history import OWN_SET, EvaluationRecord, History, Setup, judgments_fingerprint
from core_search.evaluation.judged_set import JudgedSet
from core_search.stores.base import Progress


def setup_of(
    engine: SearchEngine,
    judged: JudgedSet,
    changes: Mapping[str, Any] | None = None,
    *,
    set_id: str = OWN_SET,
    set_name: str = "",
) -> Setup:
    """What an evaluation of this set would be decided by now. `SettingError` for changes that do not exist."""
    options = engine.default_options().with_changes(changes or {})
    return Setup(
        workspace=judged.workspace,
        set_id=set_id,
        set_name=set_name,
        changes=options.model_dump(mode="json", include=set(changes or {})),
        options=options,
        providers=models_in_use(engine.providers),
        fingerprint=engine.folder(judged.workspace).meta().fingerprint,
        judgments=judgments_fingerprint(judged),
        queries=sum(1 for _ in judged.judged()),
    )


def differences(before: Setup, after: Setup) -> list[str]:
    """What is not the same, in words: settings with both values, models, data, judgments."""
    found = []
    for name in type(after.options).model_fields:
        old, new = getattr(before.options, name), getattr(after.options, name)
        if old != new:
            found.append(f"{name} {old} → {new}")
    for part in sorted({*before.providers, *after.providers}):
        models = before.providers.get(part, "none"), after.providers.get(part, "none")
        if models[0] != models[1]:
            found.append(f"{part} {models[0]} → {models[1]}")
    if before.fingerprint != after.fingerprint:
        found.append("the memory's data")
    if before.judgments != after.judgments:
        found.append("the queries or their judgments")
    return found


def resume(
    engine: SearchEngine, history: History, evaluation_id: str, judged: JudgedSet
) -> Iterator[tuple[int, int, EvaluatedQuery]]:
    """Evaluate what is not done yet; after each query how many are done, of how many, and the query.

    To stop, stop asking for the next one. `UsageError` when data, judgments, settings or models are not those that
    the evaluation began with: half of it would be about something else.
    """
    record = history.load(evaluation_id)
    now = setup_of(engine, judged, record.setup.changes, set_id=record.setup.set_id, set_name=record.setup.set_name)
    if changed := differences(record.setup, now):
        raise UsageError(
            f"evaluation {evaluation_id!r} cannot be resumed: since it began, this has changed: {'; '.join(changed)}; "
            "start a new one"
        )
    known = {query.key: query for query in history.queries(evaluation_id)}
    done = []
    for position, (query, grades) in enumerate(judged.judged()):
        kept = known.get(f"{judged.workspace}\t{query.id}")
        if kept is None:
            kept = evaluate_query(engine, judged.workspace, query, grades, record.setup.changes)
            history.keep(evaluation_id, position, kept)
            yield len(known) + 1, now.queries, kept
            known[kept.key] = kept
        done.append(kept)
    summaries = {k: scores_at([query.outcome for query in done], k, by=()).breakdown.overall for k in CUTOFFS}
    history.finish(evaluation_id, summaries)


def record(
    engine: SearchEngine,
    history: History,
    judged: JudgedSet,
    changes: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    *,
    set_id: str = OWN_SET,
    set_name: str = "",
) -> str:
    """Evaluate the whole set into the history; its id there. One that was broken off is gone on with."""
    setup = setup_of(engine, judged, changes, set_id=set_id, set_name=set_name)
    begun = (one.id for one in history.recent(setup.workspace, set_id) if not one.finished)
    evaluation = next((id_ for id_ in begun if not differences(history.load(id_).setup, setup)), None)
    evaluation = evaluation or history.start(setup)
    for done, total, _ in resume(engine, history, evaluation, judged):
        if progress:
            progress("evaluate", done, total)
    return evaluation


def same_numbers(record: EvaluationRecord, setup: Setup) -> bool:
    """Whether evaluating now would only repeat this record."""
    return record.finished and record.setup.set_id == setup.set_id and not differences(record.setup, setup)
