from __future__ import annotations

from pathlib import Path

from core_search import Settings
from core_search.bench.loading import measure_loading, raw_parts
from core_search.bench.stored import offline
from core_search.bench.synthetic import synthetic_bundle
from core_search.bench.vectors import SyntheticEmbedder
from core_search.models import Memory, Namespace
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.stores.chroma_vectors import ChromaVectors
from core_search.stores.kuzu_graph import KuzuGraph


def test_the_whole_and_its_parts(tmp_path: Path):
    loading = measure_loading(offline(Settings(), tmp_path), 10)
    assert (loading.episodes, loading.statements) == (10, 30)
    assert set(loading.raw_s) == {"embedding", "kuzu", "chroma", "bm25s"}
    assert all(seconds > 0 for seconds in (loading.load_s, *loading.raw_s.values()))


def test_the_raw_parts_write_everything(tmp_path: Path):
    memory: Memory = synthetic_bundle("a", 100).memory
    raw_parts(memory, SyntheticEmbedder(LocalEmbedder()), "kuzu", tmp_path)
    with KuzuGraph.open(tmp_path / "graph.db") as graph:
        assert graph.memory() == memory.model_copy(
            update={
                name: tuple(sorted(getattr(memory, name), key=lambda item: getattr(item, "uuid", None) or item.id))
                for name in ("labels", "episodes", "entities", "statements", "documents")
            }
        )
    vectors = ChromaVectors.open(tmp_path / "vectors")
    assert vectors.count(Namespace.STATEMENT) == 300
    vectors.close()
