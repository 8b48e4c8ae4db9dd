"""A memory of 200 episodes with vectors that take no model to make, and the engine that searches it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core_search import SearchEngine, Settings
from core_search.bench.stored import offline, workspace_name
from core_search.bench.synthetic import synthetic_bundle
from core_search.bench.vectors import SyntheticEmbedder
from core_search.providers.build import build_providers

EPISODES = 200


@pytest.fixture(scope="session")
def bench_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return offline(Settings(), tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="session")
def bench_engine(bench_settings: Settings) -> Iterator[SearchEngine]:
    providers = build_providers(bench_settings)
    made_up = replace(providers, embedder=SyntheticEmbedder(providers.embedder))
    with SearchEngine(bench_settings, made_up) as engine:
        engine.load(synthetic_bundle(workspace_name(EPISODES), EPISODES))
    with SearchEngine(bench_settings, providers) as engine:
        yield engine


@pytest.fixture(scope="session")
def bench_home(bench_engine: SearchEngine) -> Path:
    """The home folder, with the memory in it."""
    return bench_engine.settings.home
