"""The Evaluate page without a browser: first visit, every view, stop and resume, sets of people, the router."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core_search import SearchEngine, Settings
from core_search.evaluation.history import History
from core_search.evaluation.judged_set import stored_set
from core_search.evaluation.losses import losses
from core_search.evaluation.recorded import resume, setup_of
from core_search.evaluation.router_history import RouterHistory
from core_search.ingest.values import Qrel, Query
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import ItemKey
from core_search.models import ItemKind
from core_search.records import Records
from core_search.ui import session
from core_search.ui.evaluate import router
from core_search.ui.evaluate.words import code_words
from tests.small import bundle, episode

ROOT = Path(__file__).resolve().parent.parent.parent
HOSTILE = "<script>alert(1)</script> ![x](https://example.com/p.png) **bold** :red[red] $x$"
QUERIES = (
    Query(id="q1", query="my view on code review", tags=("work",), type="aspect_query"),
    Query(id="q2", query=f"reviewers of code {HOSTILE}", tags=("work", HOSTILE)),
    Query(id="q3", query="what is the weather on Mars"),
    Query(id="q4", query="nobody judged this one"),
)
QRELS = (
    Qrel(query_id="q1", doc_id="e1", grade=2),
    Qrel(query_id="q1", doc_id="e3", grade=1),
    Qrel(query_id="q2", doc_id="e3", grade=2),
    Qrel(query_id="q2", doc_id="gone", grade=1),
    Qrel(query_id="q3", doc_id="e4", grade=0),
)
TABS = ("results", "losses", "queries", "history", "router")
OpenEvaluate = Callable[..., AppTest]


@pytest.fixture(scope="module")
def judged_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("evaluate_home")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample").model_copy(update={"queries": QUERIES, "qrels": QRELS}))
        texts = (episode("h1", HOSTILE, 2),)
        hostile = bundle("unjudged", episodes=texts, statements=())
        engine.load(hostile.model_copy(update={"memory": hostile.memory.model_copy(update={"documents": ()})}))
    yield home
    st.cache_resource.clear()


@pytest.fixture
def here(judged_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.setenv("CORE_SEARCH_HOME", str(judged_home))
    monkeypatch.chdir(ROOT)
    yield monkeypatch
    monkeypatch.delenv("CORE_SEARCH_READ_ONLY", raising=False)
    history = History(session.records().database)
    for record in history.recent("sample"):
        history.delete(record.id)


@pytest.fixture
def engine(here: pytest.MonkeyPatch) -> SearchEngine:
    return session.engine()


@pytest.fixture
def history(engine: SearchEngine) -> History:
    return History(Records(engine.settings).database)


@pytest.fixture
def open_evaluate(here: pytest.MonkeyPatch) -> OpenEvaluate:
    """`open_evaluate(tab=…, eval=…)` runs the Evaluate page at that address."""

    def open_at(workspace: str = "sample", changes: dict[str, object] | None = None, **address: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        page.switch_page("pages/3_Evaluate.py")
        page.session_state["workspace"] = workspace
        page.session_state["changes"] = changes or {}
        for name, value in address.items():
            page.query_params[name] = value
        return page.run()

    return open_at


def evaluated(engine: SearchEngine, history: History, most: int = 99, **changes: object) -> str:
    """The id of an evaluation of the sample, stopped after `most` queries."""
    judged = stored_set(engine, "sample")
    evaluation = history.start(setup_of(engine, judged, changes, set_name="sample, as loaded"))
    for done, _, _ in resume(engine, history, evaluation, judged):
        if done == most:
            break
    return evaluation


def calm(page: AppTest) -> AppTest:
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


def written(page: AppTest) -> str:
    shown = [str(getattr(element, "value", "")) for element in page.main] + [button.label for button in page.button]
    return "\n".join(shown + [element.proto.body for element in page.get("html")])


def rows(page: AppTest, table: int = 0) -> list[dict[str, object]]:
    return page.dataframe[table].value.to_dict("records")


# ------------------------------------------------------------ evaluating


def test_a_first_visit_offers_the_evaluation_and_one_press_makes_it(open_evaluate, history):
    page = calm(open_evaluate())
    button = page.button(key="start_evaluation")
    assert "Evaluate 3 judged queries of sample" in button.label
    assert "about 1 s" in button.label
    calm(button.click().run())
    (record,) = history.recent("sample")
    assert record.finished
    assert page.query_params["eval"] in (record.id, [record.id])
    text = written(page)
    assert f"{record.summaries[10].means['R@10']:.3f}" in text
    assert "Means of 2 queries" in text


def test_the_newest_evaluation_is_shown_at_once(open_evaluate, engine, history):
    evaluated(engine, history)
    newest = evaluated(engine, history, token_budget=0)
    page = calm(open_evaluate())
    assert page.query_params["eval"] in (newest, [newest])
    assert page.selectbox(key="evaluate_record").value == newest


def test_the_settings_of_the_sidebar_are_evaluated(open_evaluate, history):
    calm(open_evaluate(changes={"token_budget": 0}).button(key="start_evaluation").click().run())
    (record,) = history.recent("sample")
    assert record.setup.changes == {"token_budget": 0}
    assert all(not query.losses.returned for query in history.queries(record.id) if query.losses)


def test_what_was_stopped_says_so_and_is_resumed(open_evaluate, engine, history):
    evaluation = evaluated(engine, history, most=1)
    page = calm(open_evaluate())
    assert "1 of 3 queries are done" in page.warning[0].value
    calm(page.button(key="resume_evaluation").click().run())
    assert not page.warning
    record = history.load(evaluation)
    assert (record.done, record.finished) == (3, True)


def test_a_read_only_installation_shows_and_does_not_evaluate(open_evaluate, engine, history, here):
    evaluated(engine, history)
    here.setenv("CORE_SEARCH_READ_ONLY", "1")
    page = calm(open_evaluate())
    assert page.button(key="start_evaluation").disabled
    assert "Means of 2 queries" in written(page)


def test_a_link_to_no_evaluation_says_so(open_evaluate):
    page = open_evaluate(eval="nowhere")
    assert not page.exception
    assert "nowhere" in page.error[0].value
    assert page.button(key="start_evaluation")


def test_a_memory_without_judged_queries_leads_on(open_evaluate):
    page = calm(open_evaluate("unjudged"))
    assert "no judged queries" in page.info[0].value
    assert page.button(key=router.GO)


def test_a_set_that_people_judged_is_evaluated(open_evaluate, engine, history):
    store = JudgmentStore.of(Records(engine.settings).database)
    made = store.sets.create("by hand", "sample", QUERIES[:1])
    try:
        store.grades.give(made.id, ItemKey("q1", ItemKind.EPISODE, "e2"), "Ann", 3)
        store.grades.give(made.id, ItemKey("q1", ItemKind.DOCUMENT, "d1"), "Ann", 3)
        page = calm(open_evaluate(set=made.id))
        assert page.selectbox(key="evaluate_set").value == made.id
        calm(page.button(key="start_evaluation").click().run())
        assert "1 judged documents and statements" in written(page)
        (record,) = history.recent("sample", made.id)
        assert history.queries(record.id)[0].outcome.grades == {"e2": 3}
        store.sets.delete(made.id)
        page = calm(open_evaluate(eval=record.id))
        assert "is gone" in page.warning[0].value
    finally:
        if store.sets.named("by hand"):
            store.sets.delete(made.id)


# ------------------------------------------------------------ the views


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("k", ["1", "10", "no number"])
def test_every_view_draws(open_evaluate, engine, history, tab, k):
    evaluated(engine, history, rerank=False)
    evaluated(engine, history)
    page = calm(open_evaluate(tab=tab, k=k))
    assert page.segmented_control(key="evaluate_strip").value == tab


def test_a_query_without_relevant_items_is_in_no_mean(open_evaluate, engine, history):
    evaluated(engine, history)
    text = written(calm(open_evaluate()))
    assert "1, in no mean: q3" in text
    table = {row["id"]: row for row in rows(open_evaluate(tab="queries"))}
    assert table["q3"]["returned"] == "none relevant"
    assert table["q3"]["judged"] == "–"
    assert "q4" not in table  # nobody judged it


def test_unjudged_places_stand_beside_the_value(open_evaluate, engine, history):
    evaluation = evaluated(engine, history)
    scores = history.load(evaluation).summaries[10]
    low, high = scores.ranges["P@10"]
    assert low < high
    text = written(calm(open_evaluate()))
    assert f"unjudged: {low:.3f} to {high:.3f}" in text
    assert f"{scores.judged['P@10']:.0%} of its places judged".replace("%", " %") in text


def test_the_losses_of_one_query(open_evaluate, engine, history):
    evaluated(engine, history)
    page = calm(open_evaluate(tab="losses", q="q2"))
    bars = page.selectbox(key="evaluate_bar").options
    assert any("not in the memory (1)" in bar for bar in bars)
    whole = calm(open_evaluate(tab="losses"))
    assert "the whole set, 2 queries" in whole.selectbox(key="evaluate_losses_of").options[0]


def test_the_loss_table_is_that_of_the_command_line(open_evaluate, engine, history):
    evaluated(engine, history, token_budget=5)
    text = written(calm(open_evaluate(tab="losses")))
    report = losses(engine, [stored_set(engine, "sample")], {"token_budget": 5})
    assert f"{report.lost} of {report.relevant} relevant items lost" in text
    shown = re.findall(r"<tr><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(\d+)</td>", text)
    assert report.table
    assert [(stage.lower(), reason, int(count)) for stage, reason, count in shown[: len(report.table)]] == [
        (row.stage, code_words(row.code), row.count) for row in report.table
    ]


def test_a_chosen_query_shows_its_ranking_with_grades(open_evaluate, engine, history):
    evaluated(engine, history)
    page = calm(open_evaluate(tab="queries", q="q1"))
    labels = [button.label for button in page.button if (button.key or "").startswith("fate_ranking")]
    assert any("grade 2" in label for label in labels)
    assert any("not judged" in label for label in labels)
    page = calm(page.button(key="close_query").click().run())
    assert not [button for button in page.button if (button.key or "").startswith("fate_ranking")]


def test_what_moved_since_another_evaluation(open_evaluate, engine, history):
    before = evaluated(engine, history)
    evaluated(engine, history, episode_limit=0, backstop=False, fallback=False)
    page = calm(open_evaluate(tab="history"))
    assert page.selectbox(key="evaluate_since").value == before
    text = written(page)
    assert "backstop True → False" in text
    moved = {row["id"]: row["change"] for row in rows(page, 1)}
    assert moved
    assert all(str(change).startswith("-") for change in moved.values())


def test_an_evaluation_is_removed(open_evaluate, engine, history):
    evaluation = evaluated(engine, history)
    page = calm(open_evaluate(tab="history").button(key="remove_evaluation").click().run())
    assert evaluation not in [record.id for record in history.recent("sample")]
    assert page.button(key="start_evaluation")


# ------------------------------------------------------------ the router


def test_the_router_is_evaluated_and_stays(open_evaluate, here, tmp_path):
    lines = [
        {"id": "a", "query": "what is my view on code review", "expected": {"queryType": "aspect_query"}},
        {"id": "b", "query": "hello", "expected": {"queryType": None, "shouldSearch": False}},
        {"id": "c", "query": "summarize recent work", "expected": {"queryType": "relationship"}},
    ]
    file = tmp_path / "labelled.jsonl"
    file.write_text("\n".join(json.dumps({**line, "now": "2026-03-01T18:00:00+00:00"}) for line in lines))
    here.setattr(router, "LABELLED", file)
    page = calm(open_evaluate(tab="router"))
    assert "3 labelled queries" in page.button(key=router.GO).label
    calm(page.button(key=router.GO).click().run())
    for shown in (page, calm(open_evaluate(tab="router"))):
        text = written(shown)
        assert "2 of 3" in text  # whole routes
        assert "expected relationship" in text


def test_an_uploaded_file_of_labelled_queries_is_evaluated_instead(open_evaluate, history):
    page = calm(open_evaluate(tab="router"))
    lines = [
        {"id": "a", "query": "what is my view on code review", "expected": {"queryType": "aspect_query"}},
        {"id": "b", "query": "thanks!", "expected": {"queryType": None, "shouldSearch": False}},
    ]
    data = "\n".join(json.dumps({**line, "now": "2026-03-01T18:00:00+00:00"}) for line in lines).encode()
    calm(page.file_uploader(key="router_upload").upload("mine.jsonl", data, "application/json").run())
    assert "2 labelled queries" in page.button(key=router.GO).label
    calm(page.button(key=router.GO).click().run())
    assert "mine.jsonl" in written(page)
    kept = RouterHistory(history._database).latest("sample")
    assert [route.id for route in kept.report.routes] == ["a", "b"]


def test_a_faulty_file_of_labelled_queries_is_told_with_its_line(open_evaluate):
    page = open_evaluate(tab="router")
    page.file_uploader(key="router_upload").upload("mine.jsonl", b'{"id": "a"}\n', "application/json").run()
    assert not page.exception
    assert "mine.jsonl:1: query" in written(page)
