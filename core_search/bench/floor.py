"""The floor of a search: the raw engine calls that it cannot do without, read off its trace and issued directly.

Every statement goes to Kùzu with the text and the parameters that the trace shows, over a bare connection that has it
prepared; every vector search and look-up goes to Chroma's own collection; BM25 to the index of bm25s; the query and
unknown names to the embedding model. A list of BM25 scores that two stages need counts once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core_search.bench.engines import RawEngines
from core_search.legacy import STATEMENTS_PER_HOP as PER_HOP
from core_search.models import ItemKind, Namespace
from core_search.results import SearchResult, StatementResult
from core_search.stores.base import LexicalField, Scope
from core_search.stores.kuzu_connection import Session
from core_search.trace import Stage, Status, Step

AROUND = "around"  # before the first stage and after the last: embedding the query, assembling the answer


@dataclass(frozen=True)
class Call:
    """One raw call: the stage and the step that it serves, the engine, the ids that it found, and what it took."""

    stage: str
    step: str
    engine: str  # kuzu, chroma, bm25s or embedding
    ids: list[str]
    duration_ms: float
    cpu_ms: float  # of all threads of this process


def floor_of(engines: RawEngines, result: SearchResult) -> list[Call]:
    """Issue the raw calls of a search, one after the other, and time each."""
    with engines.connect() as session:
        return list(_Calls(engines, result, session))


class _Calls:
    """The calls of one search. Each is made when it is asked for, as later ones use what earlier ones found."""

    def __init__(self, engines: RawEngines, result: SearchResult, session: Session):
        self._engines, self._result, self._session = engines, result, session
        self._text = _query_text(result)
        self._vector: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self._scored: set[LexicalField] = set()

    def __iter__(self) -> Iterator[Call]:
        yield self._embed(AROUND, "embed")
        for stage in self._result.trace.stages:
            for step in stage.steps:
                if step.status is Status.OK:
                    yield from self._of_step(stage, step)
            if stage.name == "budget":
                yield from self._texts(stage)
        yield from self._answer()

    def _timed(self, stage: str, step: str, engine: str, run: Callable[[], list[str]]) -> Call:
        started_s, cpu_s = time.perf_counter(), time.process_time()
        ids = run()
        used_s = time.process_time() - cpu_s
        return Call(stage, step, engine, ids, (time.perf_counter() - started_s) * 1000, used_s * 1000)

    def _embed(self, stage: str, step: str, hint: str | None = None) -> Call:
        def run() -> list[str]:
            self._vector_of_hint = self._engines.embed(hint or self._text)
            return []

        call = self._timed(stage, step, "embedding", run)
        if hint is None:
            self._vector = self._vector_of_hint
        return call

    def _of_step(self, stage: Stage, step: Step) -> Iterator[Call]:
        detail, engines = step.detail, self._engines
        timed = partial(self._timed, stage.name, step.name)
        for resolution in detail.get("resolutions", ()):
            near = [m for m in (*resolution["matches"], *resolution["nearMisses"]) if m["cosine"] is not None]
            if near:
                yield self._embed(stage.name, step.name, resolution["hint"])
                vector = self._vector_of_hint
                yield timed("chroma", partial(engines.nearest, Namespace.ENTITY, vector, len(near)))
        for query in detail.get("queries", ()):
            yield timed("kuzu", partial(engines.cypher, self._session, query["query"], query["parameters"]))
        if detail.get("statements"):
            yield timed("chroma", partial(engines.vectors, Namespace.STATEMENT, self._traversed(detail["entities"])))
        if step.name == "resolve_hints" and step.items:
            yield timed("kuzu", partial(engines.by_key, self._session, "entities", [i.id for i in step.items]))
        if namespace := detail.get("namespace"):
            count = detail.get("depth", len(step.items))
            yield timed("chroma", partial(engines.nearest, Namespace(namespace), self._vector, count))
        if field := detail.get("field"):
            yield from self._words(stage.name, step.name, LexicalField(field), detail["depth"])
        if detail.get("reranker"):
            yield from self._evidence(stage, step)

    def _traversed(self, seeds: Sequence[str]) -> list[str]:
        """The statements about the entities, whose vectors the traversal compares; those of the second hop are not
        in the trace, and left out."""
        catalog, scope = self._engines.catalog, Scope(at=self._result.now)
        return list(dict.fromkeys(id_ for seed in seeds for id_ in catalog.statements_about([seed], scope, PER_HOP)))

    def _words(self, stage: str, step: str, field: LexicalField, depth: int = 0) -> Iterator[Call]:
        if depth or field not in self._scored:
            self._scored.add(field)
            yield self._timed(stage, step, "bm25s", partial(self._engines.words, field, self._text, depth))

    def _evidence(self, stage: Stage, step: Step) -> Iterator[Call]:
        """The vectors and the BM25 scores of what is reranked, and of the current statements of its episodes."""
        ids = {kind: [item.id for item in step.items if item.kind is kind] for kind in ItemKind}
        facts = list(ids[ItemKind.STATEMENT])
        for episode in ids[ItemKind.EPISODE]:
            facts += self._engines.catalog.statements_of(episode, self._result.now)
        for known, namespace, fields in (
            (ids[ItemKind.EPISODE], Namespace.EPISODE, (LexicalField.EPISODE, LexicalField.WINDOW)),
            (list(dict.fromkeys(facts)), Namespace.STATEMENT, (LexicalField.STATEMENT,)),
            (ids[ItemKind.DOCUMENT], Namespace.COMPACTED_SESSION, (LexicalField.DOCUMENT,)),
        ):
            if known:
                run = partial(self._engines.vectors, namespace, known)
                yield self._timed(stage.name, step.name, "chroma", run)
                for field in fields:
                    yield from self._words(stage.name, step.name, field)

    def _texts(self, stage: Stage) -> Iterator[Call]:
        for table, kind in (("episodes", ItemKind.EPISODE), ("documents", ItemKind.DOCUMENT)):
            ids = [entry.id for entry in stage.ledger if entry.kind is kind]
            yield from self._rows(stage.name, "count_tokens", table, ids)

    def _answer(self) -> Iterator[Call]:
        """What the answer shows beside the episodes: the entity, statements with the names of their ends, facets."""
        result, facets = self._result, self._result.facets
        entities = [result.entity.uuid] if result.entity else []
        statements = (*result.statements, *result.voice_statements, *result.invalidated_facts)
        yield from self._rows(AROUND, "statements", "statements", [statement.uuid for statement in statements])
        entities += _ends(statements)
        if facets:
            entities += [count.entity_uuid for count in facets.entities]
        yield from self._rows(AROUND, "entities", "entities", list(dict.fromkeys(entities)))

    def _rows(self, stage: str, step: str, table: str, keys: Sequence[str]) -> Iterator[Call]:
        if keys:
            yield self._timed(stage, step, "kuzu", partial(self._engines.by_key, self._session, table, keys))


def _query_text(result: SearchResult) -> str:
    """What was embedded: the query without its date words."""
    labels = result.trace.stage("route").step("labels")
    return str(labels.detail["query"]) if labels else result.query


def _ends(statements: Sequence[StatementResult]) -> list[str]:
    ends = (end for s in statements for end in (s.subject, s.predicate, s.object) if end)
    return [end.uuid for end in ends]
