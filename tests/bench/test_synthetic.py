"""What the synthetic memory promises: the same each time, and as skewed as a real one."""

from __future__ import annotations

from collections import Counter

import pytest

from core_search.bench.synthetic import CLOCK, synthetic_bundle
from core_search.bench.world import World, zipf
from core_search.ingest.values import Bundle


def test_equal_sizes_give_equal_memories():
    assert synthetic_bundle("a", 120).memory == synthetic_bundle("b", 120).memory


def test_sizes_lengths_and_shares():
    memory = synthetic_bundle("a", 1_000).memory
    words = [len(episode.content.split()) for episode in memory.episodes]
    assert len(memory.episodes) == 1_000
    assert len(memory.statements) == 3_000
    assert min(words) >= 20
    assert max(words) <= 120
    assert len(memory.documents) == len({episode.session_id for episode in memory.episodes})
    assert 0.05 < sum(s.invalid_at is not None for s in memory.statements) / 3_000 < 0.1
    assert all(episode.valid_at < CLOCK for episode in memory.episodes)


def test_the_owner_is_a_hub():
    bundle = synthetic_bundle("a", 1_000)
    ((entity, count),) = Counter(s.subject for s in bundle.memory.statements).most_common(1)
    assert entity == bundle.header.owner
    assert count > 0.2 * 3_000


def test_it_is_a_valid_bundle():
    bundle = synthetic_bundle("a", 100)
    assert Bundle.model_validate(bundle.model_dump()) == bundle
    known = {entity.uuid for entity in bundle.memory.entities}
    ends = {end for s in bundle.memory.statements for end in (s.subject, s.predicate, s.object) if end}
    assert ends <= known
    assert len(World(100).labels) == len({label.name for label in World(100).labels})


def test_zipf_halves_from_the_first_to_the_second():
    shares = zipf(4)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] / shares[1] == pytest.approx(2)
