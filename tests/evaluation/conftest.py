"""A memory of eight episodes with judged queries, loaded once into a real engine."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from core_search.evaluation.judged_set import JudgedSet, stored_set
from core_search.ingest.values import Bundle, Header, Qrel, Query
from core_search.models import Aspect, Entity, EntityType, Episode, Label, Memory, Statement

CLOCK = datetime(2026, 3, 1, 12, tzinfo=UTC)
TEXTS = {
    "bread": ("food", "Anna bakes sourdough bread with rye flour every Sunday morning."),
    "oven": ("food", "The new oven gets hot enough for pizza and flat bread."),
    "sail": ("sea", "The sailing boat needs a new mast before the regatta in May."),
    "tide": ("sea", "High tide comes at six, so the harbour is deep enough for the ferry."),
    "tax": ("money", "The tax return is due at the end of April; the accountant wants receipts."),
    "rent": ("money", "Rent goes up by forty euros from the summer on."),
    "piano": ("music", "Bruno practises a Schubert sonata on the piano each evening."),
    "choir": ("music", "The choir meets on Thursdays and sings Bach this winter."),
}
QUERIES = (
    Query(id="q1", query="who bakes bread with rye flour?", tags=("food",), type="aspect_query"),
    Query(id="q2", query="what does the sailing boat need?", tags=("sea", "boats"), type="aspect_query"),
    Query(id="q3", query="what does Bruno practise on the piano?", tags=("music",), type="entity_lookup"),
    Query(id="q4", query="what is the weather on Mars?", tags=("nothing",)),
    Query(id="q5", query="this one has the tag that is left out by default", tags=("category-5",)),
    Query(id="q6", query="this one is not judged"),
)
QRELS = (
    Qrel(query_id="q1", doc_id="bread", grade=2),
    Qrel(query_id="q1", doc_id="oven", grade=1),
    Qrel(query_id="q1", doc_id="tide", grade=0),
    Qrel(query_id="q2", doc_id="sail", grade=2),
    Qrel(query_id="q3", doc_id="piano", grade=2),
    Qrel(query_id="q4", doc_id="rent", grade=0),
    Qrel(query_id="q5", doc_id="tax", grade=1),
)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    """An engine with the workspace `small`. Do not write to it."""
    topics = sorted({topic for topic, _ in TEXTS.values()})
    episodes = tuple(
        Episode(
            uuid=uuid,
            content=text,
            session_id=topic,
            label_ids=(f"label-{topic}",),
            valid_at=CLOCK - timedelta(days=20 + place),
            created_at=CLOCK - timedelta(days=20 + place),
        )
        for place, (uuid, (topic, text)) in enumerate(TEXTS.items())
    )
    memory = Memory(
        labels=tuple(Label(id=f"label-{topic}", name=topic) for topic in topics),
        episodes=episodes,
        entities=(
            Entity(uuid="anna", name="Anna Kowalska", type=EntityType.PERSON, attributes={"role": "baker"}),
            Entity(uuid="bruno", name="Bruno Marchetti", type=EntityType.PERSON, aliases=("the pianist",)),
        ),
        statements=(
            Statement(
                uuid="s1",
                fact="Anna bakes bread on Sundays.",
                aspect=Aspect.HABIT,
                valid_at=episodes[0].valid_at,
                subject="anna",
                episode_uuids=("bread",),
            ),
            Statement(
                uuid="s2",
                fact="Bruno plays Schubert.",
                aspect=Aspect.KNOWLEDGE,
                valid_at=episodes[6].valid_at,
                subject="bruno",
                episode_uuids=("piano",),
            ),
        ),
    )
    bundle = Bundle(header=Header(name="small", clock=CLOCK), memory=memory, queries=QUERIES, qrels=QRELS)
    home: Path = tmp_path_factory.mktemp("evaluation")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle)
        yield engine


@pytest.fixture(scope="session")
def judged(small: SearchEngine) -> JudgedSet:
    return stored_set(small, "small")
