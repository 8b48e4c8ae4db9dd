"""Point 3: a memory of another embedding model, another dimension, a newer program. Never a mixture, never silence."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from core_search import SearchEngine, Settings
from core_search.errors import StampMismatch
from core_search.providers.build import build_providers
from core_search.workspace import META
from tests.small import ask, route, uuids


class Another:
    """A model of another dimension."""

    model, dimension = "another", 16

    def __init__(self, profile):
        self.profile = profile

    def embed(self, texts):
        return np.full((len(texts), self.dimension), 0.25, dtype=np.float32)


def test_another_model_with_another_dimension_is_refused_until_reembedded(copied):
    settings = Settings(home=copied)
    providers = build_providers(settings)
    providers = dataclasses.replace(providers, embedder=Another(providers.embedder.profile))
    with SearchEngine(settings, providers) as engine:
        with pytest.raises(StampMismatch) as refused:
            ask(engine, "small", "soup")
        for word in ("'all-MiniLM-L6-v2-int8' (384 dimensions)", "'another' (16)", "core-search reembed"):
            assert word in str(refused.value)
        engine.rebuild("small")
        assert ask(engine, "small", "soup", route("exploratory")).episodes
    with SearchEngine(settings) as engine:  # and back
        with pytest.raises(StampMismatch):
            ask(engine, "small", "soup")
        engine.rebuild("small")
        assert uuids(ask(engine, "small", "soup", route("exploratory")))[0] == "e4"


def test_a_newer_schema_is_told_whatever_else_it_has(generation, engine):
    stamp = json.loads((generation / META).read_bytes())
    stamp |= {"schemaVersion": 7, "fieldOfTheFuture": [1]}
    (generation / META).write_text(json.dumps(stamp), "utf-8")
    with pytest.raises(StampMismatch, match=r"'small' has schema version 7, this program reads 1.*export it there"):
        ask(engine, "small", "soup")
    assert [meta.name for meta in engine.workspaces()] == ["other"]
    assert ask(engine, "other", "soup", route("exploratory")).episodes


def test_a_model_that_lies_about_its_dimension_is_refused(copied):
    settings = Settings(home=copied)
    providers = build_providers(settings)

    class Lies(Another):
        model, dimension = providers.embedder.model, providers.embedder.dimension

        def embed(self, texts):
            return np.full((len(texts), 16), 0.25, dtype=np.float32)

    with SearchEngine(settings, dataclasses.replace(providers, embedder=Lies(providers.embedder.profile))) as engine:
        from core_search.errors import SearchFailed

        with pytest.raises(SearchFailed, match="core-search reembed") as failed:
            ask(engine, "small", "soup")
        assert failed.value.trace.stage("route").status == "failed"
