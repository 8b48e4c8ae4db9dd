"""The sample memory answers what the seed and the issue ask of it."""

from __future__ import annotations

from collections import Counter

import pytest

from core_search import SearchRequest
from core_search.engine import SAMPLE_DATA
from core_search.ingest import read_bundle
from core_search.models import Aspect, EntityType


@pytest.fixture(scope="module")
def ask(engine):
    def call(query, **rest):
        return engine.search(SearchRequest(query=query, workspace="sample", **rest))

    return call


def labels(result):
    return {label.label_name for label in result.router.matched_labels}


def test_worked_example_aspect_query(ask):
    result = ask("what is my view on code review")
    assert result.router.query_type == "aspect_query"
    assert {"Preference", "Belief"} <= set(result.router.aspects)
    assert "code-review" in labels(result)
    handle = result.trace.stage("handle")
    assert handle.step("entity_hints").status == "skipped"
    assert handle.step("episode_vectors").status == "skipped"  # labels matched
    assert len(result.episodes) >= 10
    assert all("review" in episode.content.lower() for episode in result.episodes[:3])
    assert result.voice_statements


def test_worked_example_attribute_look_up(ask):
    result = ask("what is my wife's birthday")
    assert (result.router.query_type, result.router.lookup_mode) == ("entity_lookup", "attribute")
    assert result.router.entity_hints == ("wife",)
    assert result.entity.name == "Inês Carvalho"
    assert (result.entity.attribute.key, result.entity.attribute.value) == ("birthday", "1988-04-12")


def test_worked_example_temporal(ask):
    result = ask("what did I work on last week")
    assert result.router.query_type == "temporal"
    assert (result.router.temporal.type, result.router.temporal.days) == ("recent", 7)
    assert "work" in labels(result)
    assert len(result.episodes) >= 5
    assert all((result.now - episode.valid_at).total_seconds() <= 7 * 86_400 for episode in result.episodes)


def test_a_relationship_directly_and_through_a_third(ask):
    direct = ask("how do Zoë and Jürgen know each other")
    assert direct.statements
    assert direct.chain == ()
    chain = ask("how do Inês and Rui know each other")
    assert len(chain.chain) == 2
    ends = [{s.subject.name, s.object.name} for s in chain.statements]
    assert ends[0] & ends[1]  # the third whom both know


def test_topics_of_a_month_are_counted(ask):
    result = ask("what topics did I discuss in February")
    assert result.router.query_type == "temporal_facets"
    assert result.facets.stats.episodes > 20
    assert result.facets.topics[0].episode_count >= result.facets.topics[-1].episode_count
    assert result.episodes == ()


@pytest.mark.parametrize(
    ("query", "query_type", "word"),
    [
        ("summarize recent work", "exploratory", ""),
        ("what are my rules for commit messages", "aspect_query", "commit"),
        ("who is Zoë", "entity_lookup", "Zoë"),
        ("what did we decide about the database", "aspect_query", "PostgreSQL"),
        ("who is 田中健", "entity_lookup", "Ken"),
    ],
)
def test_answers_well(ask, query, query_type, word):
    result = ask(query)
    assert result.router.query_type == query_type
    assert any(word in episode.content for episode in result.episodes[:3])


def test_small_talk_closes_the_gate(ask):
    result = ask("hello there")
    assert not result.gate.open
    assert result.is_empty
    assert {stage.status for stage in result.trace.stages[2:]} == {"skipped"}


def test_the_long_episode_is_left_out_of_a_small_budget(ask):
    result = ask("post-mortem of the Beacon outage", set={"token_budget": 2000})
    assert result.budget.used <= 2000
    giants = [e for e in result.trace.stage("budget").ledger if e.detail["tokens"] > 2000]
    assert [entry.code for entry in giants] == ["over_budget"]
    assert result.episodes


def test_the_sample_is_as_rich_as_promised():
    bundle = read_bundle(SAMPLE_DATA)
    memory = bundle.memory
    assert len(memory.episodes) >= 150
    assert len({e.session_id for e in memory.episodes}) >= 35
    assert len(memory.labels) == 18
    assert len(memory.entities) >= 90
    assert {e.type for e in memory.entities} == set(EntityType)
    assert len(memory.statements) >= 500
    assert {s.aspect for s in memory.statements} == set(Aspect)
    assert sum(s.invalid_at is not None for s in memory.statements) >= 40
    assert {d.session_id for d in memory.documents} == {e.session_id for e in memory.episodes}
    assert len({e.end_user_id for e in memory.episodes}) >= 3
    types = Counter(query.type for query in bundle.queries)
    assert len(bundle.queries) >= 70
    assert len([kind for kind in types if kind]) == 6
    assert {qrel.grade for qrel in bundle.qrels} == {0, 1, 2, 3}


def test_every_sample_query_is_understood(engine):
    """Type and gate of each judged query of the sample, as its author meant it."""
    wrong = []
    for query in read_bundle(SAMPLE_DATA).queries:
        output = engine.route(SearchRequest(query=query.query, workspace="sample", now=query.now))
        is_open = output.should_search and output.confidence >= 0.2
        if is_open != (query.type is not None) or (query.type and output.query_type != query.type):
            wrong.append((query.id, query.query, query.type, output.query_type))
    assert wrong == []
