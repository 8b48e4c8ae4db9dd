"""On generated memories, in every handler: nothing gets lost between two stages without a code (SPEC 4)."""

from __future__ import annotations

import json
from collections import Counter

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from core_search import SearchEngine, SearchRequest, Settings, Trace
from core_search.models import ItemKind
from core_search.trace import STAGES, DropCode, Fate, Stage, Status
from tests.generated import NO_SHRINKING, bundles, searches

SCHEMA = jsonschema.Draft202012Validator(Trace.model_json_schema(by_alias=True))
RANKED = STAGES[STAGES.index("handle") :]
# A row that a stage adds itself names that stage as its source; the fallback starts afresh.
ADDS = {"backstop", "compact"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with SearchEngine(Settings(home=tmp_path_factory.mktemp("home"))) as engine:
        yield engine


@settings(max_examples=6, deadline=None, phases=NO_SHRINKING, suppress_health_check=list(HealthCheck))
@given(bundles(), searches())
def test_what_goes_in_comes_out_or_is_dropped_with_a_code(engine, bundle, asked):
    engine.load(bundle, replace=True)
    for fields in asked:
        result = engine.search(SearchRequest(workspace=bundle.header.name, **fields))
        wire = json.loads(json.dumps(result.trace.wire()))
        SCHEMA.validate(wire)
        assert Trace.model_validate(wire) == result.trace
        assert [stage.name for stage in result.trace.stages] == list(STAGES)
        for stage in result.trace.stages:
            check_counts(stage)
        check_flow(result.trace)
        assert answers(result) == Counter(kept(result.trace.stage("fallback")) + beside(result.trace))


def check_counts(stage: Stage) -> None:
    assert stage.in_ == len(stage.ledger) == stage.out + stage.dropped
    assert stage.out == len(stage.kept())
    for entry in stage.ledger:
        assert (entry.fate is Fate.DROPPED) == isinstance(entry.code, DropCode)
        assert (entry.fate is Fate.KEPT) == (entry.rank_out is not None)
    ranks = [entry.rank_out for entry in stage.kept()]
    assert len(ranks) == len(set(ranks))
    if stage.name in RANKED:
        assert sorted(ranks) == list(range(1, len(ranks) + 1))
    if stage.status is Status.SKIPPED:
        assert stage.note
        assert not stage.dropped or stage.name == "rerank"  # where the limit falls also when nothing is reranked


def check_flow(trace: Trace) -> None:
    before = [(e.kind, e.id) for e in trace.stage("handle").kept() if not e.detail.get("beside")]
    for name in RANKED[1:]:
        stage = trace.stage(name)
        if name == "fallback" and stage.status is Status.OK:
            assert not before  # V1 answers only where V2 found nothing
            continue
        taken = [(e.kind, e.id) for e in stage.ledger if not (name in ADDS and e.sources == (name,))]
        assert Counter(taken) == Counter(before), name
        before = kept(stage)


def kept(stage: Stage) -> list[tuple[ItemKind, str]]:
    return [(entry.kind, entry.id) for entry in stage.kept()]


def beside(trace: Trace) -> list[tuple[ItemKind, str]]:
    return [(e.kind, e.id) for e in trace.stage("handle").kept() if e.detail.get("beside")]


def answers(result) -> Counter[tuple[ItemKind, str]]:
    """Every item of the result, as often as it stands there."""
    found = [(ItemKind(episode.kind), episode.uuid) for episode in result.episodes]
    found += [(ItemKind.STATEMENT, s.uuid) for s in (*result.statements, *result.voice_statements)]
    if result.entity:
        found.append((ItemKind.ENTITY, result.entity.uuid))
    if result.facets:
        found += [(ItemKind.LABEL, topic.label_id) for topic in result.facets.topics]
        found += [(ItemKind.ENTITY, entity.entity_uuid) for entity in result.facets.entities]
    return Counter(found)
