"""A model whose answers vary, asked through the real OpenAI client: how far that alone moves a result is measured."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core_search import SearchEngine, SearchRequest, Settings
from core_search.comparison.set_report import report
from core_search.comparison.set_runs import KeptSets, SetRun
from core_search.comparison.set_spec import Configuration, SetSpec
from core_search.evaluation.judged_set import stored_set
from core_search.ingest.values import Qrel, Query
from core_search.models import ItemKind
from core_search.records import Records
from core_search.stability import FlickeringItem, stability
from tests.scripted_server import ScriptedServer
from tests.small import bundle, route

FOUND = {**route("exploratory"), "temporal": {"type": "all"}}
COUNTS = {**route("temporal_facets"), "temporal": {"type": "all"}}  # returns no episodes: everything is lost


@pytest.fixture
def engine(server: ScriptedServer, tmp_path) -> Iterator[SearchEngine]:  # type: ignore[no-untyped-def]
    settings = Settings(
        home=tmp_path,
        router="openai",
        embeddings="local",
        reranker="local",
        openai_api_key="sk-varies-0123456789abcdef",
        openai_base_url=f"{server.url}/v1",
    )
    judged = bundle().model_copy(
        update={
            "queries": (Query(id="q1", query="small pull requests"),),
            "qrels": (Qrel(query_id="q1", doc_id="e1", grade=2),),
        }
    )
    with SearchEngine(settings) as engine:
        engine.load(judged)
        yield engine


def test_repetitions_are_the_noise_floor_of_a_comparison(engine: SearchEngine, server: ScriptedServer) -> None:
    spec = SetSpec(
        workspace="small",
        configurations=(Configuration(name="varies"), Configuration(name="steady", changes={"limit": 5})),
        query_ids=("q1",),
        repetitions=3,
    )
    # In the order of the searches: both configurations of a repetition, then the next repetition.
    server.chat(FOUND, FOUND, COUNTS, FOUND, FOUND, FOUND)
    run = SetRun(engine, KeptSets(Records(engine.settings).database), spec, stored_set(engine, "small"))
    run.run()
    varies, steady = report(spec, run.cells, "R@10").configurations
    assert len(server.requests) == 6
    assert (varies.mean, varies.noise) == (pytest.approx(2 / 3), 0.5)  # 1, 0 and 1: half of the range
    assert (steady.mean, steady.noise) == (1.0, 0.0)


def test_stability_counts_what_the_model_said_and_which_items_flicker(
    engine: SearchEngine, server: ScriptedServer
) -> None:
    server.chat(FOUND, COUNTS, FOUND, FOUND)
    found = stability(engine, SearchRequest(query="small pull requests", workspace="small"), 4)
    said = {agreement.field: agreement for agreement in found.fields}
    assert said["queryType"].values == (('"exploratory"', 3), ('"temporal_facets"', 1))
    assert said["queryType"].share == 0.75
    assert said["temporal"].share == 1
    assert (found.failed, found.degraded, found.same_results) == (0, 0, False)
    assert FlickeringItem(kind=ItemKind.EPISODE, id="e1", runs=3) in found.flickering
