"""The trace of one search: plain data with a version, and the one recorder that makes it (SPEC 4).

Stages stand always in the order of `STAGES` and always all of them. Every item that enters a stage is one
ledger entry, kept or dropped with a code; the counts `in`, `out` and `dropped` are counted from the ledger.
`handle` has an entry per path and item, so that an item found twice is joined visibly in `merge`. Entities,
facets and voice statements are answers beside the ranking: they leave at `handle` with `detail.beside` true.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from pydantic import AwareDatetime, Field

from core_search.errors import redact
from core_search.models import ItemKind, Value

TRACE_VERSION = 1
STAGES = (
    "route",
    "gate",
    "handle",
    "merge",
    "backstop",
    "rerank",
    "compact",
    "budget",
    "fallback",
)


class Status(StrEnum):
    OK = "ok"
    SKIPPED = "skipped"
    FAILED = "failed"


class Fate(StrEnum):
    KEPT = "kept"
    DROPPED = "dropped"


class DropCode(StrEnum):
    """Why an item left: the closed list of SPEC 4."""

    BELOW_THRESHOLD = "below_threshold"
    OUTSIDE_TIME = "outside_time"
    OUT_OF_SCOPE = "out_of_scope"
    INVALIDATED = "invalidated"
    HANDLER_LIMIT = "handler_limit"
    DUPLICATE = "duplicate"
    BELOW_RELEVANCE = "below_relevance"
    RERANK_CUT = "rerank_cut"
    COMPACTED = "compacted"
    OVER_BUDGET = "over_budget"
    GATE_CLOSED = "gate_closed"
    STAGE_FAILED = "stage_failed"


class StepItem(Value):
    """One row that a step found. `score_name` says what the score is: cosine, bm25, rrf, rerank."""

    id: str
    kind: ItemKind
    score: float | None = None
    score_name: str | None = None


class Step(Value):
    """One call inside a stage. `detail` has what applies: query, parameters, threshold, model."""

    name: str
    status: Status = Status.OK
    note: str = ""
    start_ms: float = 0.0
    duration_ms: float = 0.0
    detail: dict[str, Any] = Field(default_factory=dict)
    items: tuple[StepItem, ...] = ()


class Entry(Value):
    """What became of one item in one stage. Ranks count from 1; scores carry the name of what they are."""

    id: str
    kind: ItemKind
    fate: Fate
    code: DropCode | None = None
    rank_in: int | None = None
    rank_out: int | None = None
    scores: dict[str, float] = Field(default_factory=dict)
    sources: tuple[str, ...] = ()
    detail: dict[str, Any] = Field(default_factory=dict)


class Stage(Value):
    name: str
    status: Status
    note: str = ""
    start_ms: float = 0.0
    duration_ms: float = 0.0
    in_: int = Field(default=0, alias="in")
    out: int = 0
    dropped: int = 0
    steps: tuple[Step, ...] = ()
    ledger: tuple[Entry, ...] = ()

    def step(self, name: str) -> Step | None:
        return next((step for step in self.steps if step.name == name), None)

    def kept(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.ledger if entry.fate is Fate.KEPT)


class Trace(Value):
    version: int = TRACE_VERSION
    id: str
    started_at: AwareDatetime
    duration_ms: float = 0.0
    stages: tuple[Stage, ...]

    def stage(self, name: str) -> Stage:
        """The stage of that name; a trace has all of `STAGES`."""
        return next(stage for stage in self.stages if stage.name == name)


class StepDraft:
    """A step while it runs. Fill `detail`, `items` and `note`; it freezes when its context ends."""

    def __init__(self, name: str):
        self.name = name
        self.status = Status.OK
        self.note = ""
        self.detail: dict[str, Any] = {}
        self.items: list[StepItem] = []
        self.start_s = time.perf_counter()
        self.end_s: float | None = None

    def found(self, kind: ItemKind, rows: Iterable[tuple[str, float | None]], score_name: str | None) -> None:
        """Record rows `(id, score)` in the order in which they were found."""
        self.items.extend(
            StepItem(id=id_, kind=kind, score=score, score_name=score_name if score is not None else None)
            for id_, score in rows
        )

    def frozen(self, origin_s: float) -> Step:
        end_s = self.end_s if self.end_s is not None else time.perf_counter()
        return Step(
            name=self.name,
            status=self.status,
            note=self.note,
            start_ms=max(0.0, (self.start_s - origin_s) * 1000),
            duration_ms=(end_s - self.start_s) * 1000,
            detail=self.detail,
            items=tuple(self.items),
        )


@contextmanager
def step_of(name: str) -> Iterator[StepDraft]:
    """Time one step. An error marks it failed and goes on upwards."""
    draft = StepDraft(name)
    try:
        yield draft
    except Exception as error:
        draft.status, draft.note = Status.FAILED, redact(str(error))
        raise
    finally:
        draft.end_s = time.perf_counter()


class StageDraft:
    """A stage while it runs: collects steps and ledger entries."""

    def __init__(self, name: str):
        self.name = name
        self.status = Status.OK
        self.note = ""
        self.steps: list[StepDraft] = []
        self.ledger: list[Entry] = []
        self.start_s = time.perf_counter()
        self.end_s: float | None = None

    @contextmanager
    def step(self, name: str) -> Iterator[StepDraft]:
        """Time one step of this stage, recorded also when it fails."""
        with step_of(name) as draft:
            self.steps.append(draft)
            yield draft

    def skip_step(self, name: str, reason: str) -> None:
        draft = StepDraft(name)
        draft.status, draft.note, draft.end_s = Status.SKIPPED, reason, draft.start_s
        self.steps.append(draft)

    def skip(self, reason: str) -> None:
        """Say that this stage had nothing to do, and why."""
        self.status, self.note = Status.SKIPPED, reason

    def enter(self, entry: Entry) -> None:
        self.ledger.append(entry)

    def frozen(self, origin_s: float) -> Stage:
        kept = sum(entry.fate is Fate.KEPT for entry in self.ledger)
        end_s = self.end_s if self.end_s is not None else time.perf_counter()
        return Stage(
            name=self.name,
            status=self.status,
            note=self.note,
            start_ms=(self.start_s - origin_s) * 1000,
            duration_ms=(end_s - self.start_s) * 1000,
            in_=len(self.ledger),
            out=kept,
            dropped=len(self.ledger) - kept,
            steps=tuple(step.frozen(origin_s) for step in self.steps),
            ledger=tuple(self.ledger),
        )


class Recorder:
    """Makes the trace of one search. Not shared between searches."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex[:12]
        self.started_at = datetime.now(UTC)
        self.origin_s = time.perf_counter()
        self._stages: dict[str, Stage] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[StageDraft]:
        """Record one stage. An error marks it failed, is recorded, and goes on upwards."""
        if name not in STAGES or name in self._stages:
            raise ValueError(f"stage {name!r} is unknown or was recorded already")
        draft = StageDraft(name)
        try:
            yield draft
        except Exception as error:
            draft.status, draft.note = Status.FAILED, redact(str(error))
            raise
        finally:
            draft.end_s = time.perf_counter()
            self._stages[name] = draft.frozen(self.origin_s)

    def take_over(self, stage: Stage) -> None:
        """Take a stage of an earlier trace as it is (replay)."""
        self._stages[stage.name] = stage

    def trace(self) -> Trace:
        """What was recorded so far; stages that did not run are marked skipped."""
        failed = next((s.name for s in self._stages.values() if s.status is Status.FAILED), None)
        reason = f"not reached: {failed} failed" if failed else "did not run"
        return Trace(
            id=self.id,
            started_at=self.started_at,
            duration_ms=(time.perf_counter() - self.origin_s) * 1000,
            stages=tuple(
                self._stages.get(name) or Stage(name=name, status=Status.SKIPPED, note=reason) for name in STAGES
            ),
        )
