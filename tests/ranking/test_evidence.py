"""The signals of the local reranker as a search shows them, on the sample."""

from __future__ import annotations

import pytest

from core_search.engine import SearchEngine
from core_search.models import ItemKind
from core_search.providers.local_reranker import WEIGHTS
from core_search.ranking.evidence import SIGNALS
from core_search.results import SearchRequest


@pytest.mark.parametrize("query", ["who is Lukasz", "summarize recent work", "what did I decide about sign-in"])
def test_every_score_is_the_weighted_sum_of_the_signals_beside_it(engine: SearchEngine, query: str) -> None:
    entries = engine.search(SearchRequest(query=query)).trace.stage("rerank").ledger
    texts = [entry for entry in entries if entry.kind is not ItemKind.STATEMENT]
    assert texts
    for entry in texts:
        total = sum(weight * entry.scores[name] for name, weight in WEIGHTS.items())
        assert entry.scores["rerank"] == pytest.approx(min(total, 1.0))


def test_signals_stay_between_0_and_1(engine: SearchEngine) -> None:
    assert set(WEIGHTS) == set(SIGNALS)
    for entry in engine.search(SearchRequest(query="Beacon outage")).trace.stage("rerank").ledger:
        assert all(0 <= entry.scores[name] <= 1 for name in SIGNALS)


def test_what_the_answer_came_from_stands_on_top(engine: SearchEngine) -> None:
    result = engine.search(SearchRequest(query="how do Inês and Rui know each other"))
    sources = {episode for statement in result.statements for episode in statement.episode_uuids}
    entries = [e for e in result.trace.stage("rerank").ledger if e.kind is ItemKind.EPISODE]
    assert {e.id for e in entries if e.scores["answer_source"]} == sources & {e.id for e in entries}
    assert result.episodes[0].uuid in sources


def test_episodes_of_a_session_share_what_its_compacted_text_says(engine: SearchEngine) -> None:
    result = engine.search(SearchRequest(query="everything about the Beacon outage"))
    by_session: dict[str, set[float]] = {}
    with engine.memory("sample") as memory:
        for entry in result.trace.stage("rerank").ledger:
            if entry.kind is ItemKind.EPISODE:
                session = memory.stores.catalog.session(entry.id)
                by_session.setdefault(session, set()).add(entry.scores["session_bm25"])
    assert all(len(values) == 1 for values in by_session.values())
    assert len(set().union(*by_session.values())) > 3
