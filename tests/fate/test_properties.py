"""On generated memories every stored item has one verdict, and each remedy, applied, returns the item (SPEC 4)."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core_search import SearchEngine, SearchRequest, Settings
from core_search.fate import Verdict, explain
from core_search.fate.ledger import place_of
from core_search.forks import DECISIONS, fork
from core_search.models import ItemKind, Memory
from core_search.trace import DropCode
from tests.generated import NO_SHRINKING, bundles, searches

VERDICTS = {Verdict.RETURNED, Verdict.DROPPED, Verdict.NEVER_CANDIDATE, Verdict.GATE_CLOSED}


def few(examples: int):
    """Loading a memory takes half a second: few memories, and everything that can be asked of each."""
    return settings(max_examples=examples, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))


def stored(memory: Memory) -> list[tuple[ItemKind, str]]:
    return [
        *((ItemKind.EPISODE, episode.uuid) for episode in memory.episodes),
        *((ItemKind.DOCUMENT, document.id) for document in memory.documents),
        *((ItemKind.STATEMENT, statement.uuid) for statement in memory.statements),
        *((ItemKind.ENTITY, entity.uuid) for entity in memory.entities),
        *((ItemKind.LABEL, label.id) for label in memory.labels),
    ]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        yield engine


@few(4)
@given(bundles(), searches())
def test_every_stored_item_has_one_verdict_that_agrees_with_the_result(engine, bundle, asked):
    engine.load(bundle, replace=True)
    for fields in asked:
        request = SearchRequest(workspace=bundle.header.name, **fields)
        result = engine.search(request)
        for kind, id_ in stored(bundle.memory):
            fate = explain(engine, result, request, id_, kind, remedies=False)
            assert fate.verdict in VERDICTS
            assert (fate.verdict is Verdict.GATE_CLOSED) == (not result.gate.open)
            if result.gate.open:
                place = place_of(result, (kind, id_))
                assert (fate.verdict is Verdict.RETURNED) == (place is not None)
                assert fate.rank == (place[1] if place else None)
            if fate.verdict is Verdict.DROPPED:
                assert isinstance(fate.code, DropCode)
                assert fate.path[-1].stage == fate.stage
            if fate.verdict is Verdict.NEVER_CANDIDATE:
                assert not all(condition.holds for condition in fate.conditions), fate
            assert fate.text.endswith(".")
        missing = explain(engine, result, request, "no such thing")
        assert missing.verdict is Verdict.NOT_STORED


@few(4)
@given(bundles(), searches(), st.data())
def test_each_remedy_applied_returns_the_item_and_nothing_stored_changes(engine, bundle, asked, data):
    meta = engine.load(bundle, replace=True)
    for fields in asked:
        request = SearchRequest(workspace=bundle.header.name, **fields)
        result = engine.search(request)
        kind, id_ = data.draw(st.sampled_from(stored(bundle.memory)))
        remedy = explain(engine, result, request, id_, kind).remedy
        if remedy is None:
            continue
        after = engine.search(fork(result, request, remedy.set))
        assert place_of(after, (kind, id_))[1] == remedy.returned_at
        if not DECISIONS.keys() & remedy.set.keys():
            whole = engine.search(request.model_copy(update={"set": {**request.set, **remedy.set}}))
            assert place_of(whole, (kind, id_))[1] == remedy.returned_at
    with engine.memory(meta.name) as memory:
        assert memory.stores.graph.counts() == meta.counts
        assert memory.stores.graph.memory() == bundle.memory or memory.meta.fingerprint == meta.fingerprint
