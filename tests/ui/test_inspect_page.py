from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from core_search import SearchEngine
from core_search.errors import SearchFailed, StoreError
from tests.small import route

WELCOME = "what is my view on code review"
STAGES = (
    "overview", "route", "gate", "handle", "merge", "backstop", "rerank", "compact", "budget", "fallback", "result",
)  # fmt: skip
QUERIES = {
    "aspect_query": (WELCOME, route("aspect_query", aspects=["Preference"], selectedLabels=["code-review"])),
    "attribute": (
        "Ann Lee's birthday",
        route("entity_lookup", entityHints=["Ann Lee"], lookupMode="attribute", attributeHint="birthday"),
    ),
    "broad": ("who is Bobby", route("entity_lookup", entityHints=["Bobby"])),
    "temporal": ("what happened last week", route("temporal", temporal={"type": "recent", "days": 7})),
    "temporal_facets": ("topics this month", route("temporal_facets", temporal={"type": "recent", "days": 31})),
    "exploratory": ("summarize recent work", route("exploratory")),
    "relationship": ("how do Ann and Bob know each other", route("relationship", entityHints=["Ann Lee", "Bob Stone"])),
    "chain": ("how are Ann and Cy connected", route("relationship", entityHints=["Ann Lee", "Cy Young"])),
    "closed": ("hello", route("exploratory", shouldSearch=False)),
}


def written(page: AppTest) -> str:
    """Everything that is written on the page."""
    shown = [str(getattr(element, "value", "")) for element in page.main]
    return "\n".join(shown + [element.proto.body for element in page.get("html")])


def calm(page: AppTest) -> AppTest:
    """The page, after checking that it shows no error."""
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


def test_the_first_visit_answers_a_question(open_page):
    page = calm(open_page())
    assert page.text_input(key="query_text").value == WELCOME
    assert len("".join(page.query_params["run"])) == 8
    assert "aspect_query" in written(page)


def test_the_second_visit_shows_the_same_run(open_page):
    assert open_page().query_params["run"] == open_page().query_params["run"]


# The other stages draw their ledger, which has the same columns whatever was asked.
DIFFERENT_BY_KIND = ("overview", "route", "handle", "rerank", "result")


@pytest.mark.parametrize(
    ("kind", "stage"),
    [(kind, stage) for kind in QUERIES for stage in (STAGES if kind == "aspect_query" else DIFFERENT_BY_KIND)],
)
def test_every_stage_draws_for_every_kind_of_query(open_page, kept_run, kind, stage):
    query, output = QUERIES[kind]
    page = calm(open_page(run=kept_run(query, output), stage=stage))
    assert page.text_input(key="query_text").value == query


def test_a_closed_gate_is_an_empty_result_and_no_error(open_page, kept_run):
    run = kept_run(*QUERIES["closed"])
    page = calm(open_page(run=run, stage="result"))
    assert "No search was run" in page.info[0].value
    page = calm(open_page(run=run, stage="gate"))
    assert "The gate is closed" in [heading.value for heading in page.subheader]
    assert "no handler runs" in written(page)


def test_a_fused_list_is_drawn_when_it_is_opened(open_page, kept_run):
    page = calm(open_page(run=kept_run(*QUERIES["aspect_query"]), stage="backstop"))
    charts = len(page.get("plotly_chart"))
    page.session_state["backstop_bm25_episodes"] = True
    assert len(calm(page.run()).get("plotly_chart")) == charts + 1


def test_the_dropped_items_are_a_tab_away(open_page, kept_run):
    run = kept_run(*QUERIES["aspect_query"], limit=1)
    page = calm(open_page(run=run, stage="rerank"))
    assert [set(table.value["fate"]) for table in page.dataframe] == [{"kept"}]
    tabs = [tab.label for tab in page.tabs]
    page.session_state[f"rerank_tabs_{run}"] = tabs[1]
    assert "kept" not in set(calm(page.run()).dataframe[0].value["fate"])


@pytest.mark.parametrize(("tab", "start"), [("Markdown", "# Memory: "), ("JSON", "{")])
def test_the_answer_as_an_agent_gets_it(open_page, kept_run, tab, start):
    page = open_page(run=kept_run(*QUERIES["aspect_query"]), stage="result")
    page.session_state["result_tabs"] = tab
    assert calm(page.run()).code[-1].value.startswith(start)
    assert "tokens as the agent gets it" in written(page)


def test_enter_asks_and_keeps_the_run(open_page):
    page = open_page()
    before = page.query_params["run"]
    page.text_input(key="query_text").set_value("who is Ann Lee")
    page.button(key="FormSubmitter:ask-Search").click().run()
    calm(page)
    assert page.query_params["run"] != before
    assert "entity_lookup" in written(page)


def test_an_example_is_one_click_away(open_page):
    page = open_page()
    page.button(key="try_5").click().run()
    assert page.text_input(key="query_text").value == page.button(key="try_5").label.replace("\\", "")


def test_a_link_restores_stage_and_item(open_page, kept_run):
    run = kept_run(*QUERIES["aspect_query"])
    page = calm(open_page(run=run, stage="rerank", item="episode:e1"))
    assert page.session_state["stage_strip"] == "rerank"
    assert "Small pull requests get better code reviews." in written(page)


def test_an_item_that_nobody_knows_is_shown_by_its_id(open_page, kept_run):
    page = calm(open_page(run=kept_run(*QUERIES["aspect_query"]), item="episode:nowhere"))
    assert "Not among the candidates" in written(page)


def test_a_link_chooses_the_memory_of_its_run(open_page, kept_run):
    page = calm(open_page(run=kept_run("soup", workspace="hostile")))
    assert page.selectbox(key="workspace_choice").value == "hostile"
    page.text_input(key="query_text").set_value("soup again")
    page.button(key="FormSubmitter:ask-Search").click().run()
    assert page.selectbox(key="workspace_choice").value == "hostile"


def test_a_link_may_name_a_memory(open_page):
    page = calm(open_page(workspace="hostile"))
    assert page.selectbox(key="workspace_choice").value == "hostile"
    assert "run" not in page.query_params


def test_an_unknown_run_in_the_link_is_named(open_page):
    page = open_page(run="zzzzzzzz")
    assert not page.exception
    assert "zzzzzzzz" in page.error[0].value


def test_nonsense_in_the_link_changes_nothing(open_page):
    calm(open_page(stage="nonsense", item="nonsense"))


@pytest.mark.parametrize("stage", STAGES)
def test_a_failed_search_says_where_and_what_to_do(open_page, failed_run, stage):
    page = open_page(run=failed_run, stage=stage)
    assert not page.exception
    assert "handle failed" in page.error[0].value
    assert "core-search doctor" in page.error[0].value
    assert "the disk is gone" in page.error[0].value.replace("\\", "")


def test_a_search_that_fails_now_is_kept_and_drawn(open_page, monkeypatch, shared, failed_run, records):
    trace = records.load(failed_run).trace
    page = open_page()

    def fail(self, request):
        raise SearchFailed("the disk is gone", trace)

    monkeypatch.setattr(SearchEngine, "search", fail)
    page.text_input(key="query_text").set_value("my view")
    page.button(key="FormSubmitter:ask-Search").click().run()
    assert not page.exception
    assert records.recent(1)[0].status == "failed"
    assert "handle failed" in page.error[0].value


def test_what_stops_a_search_before_it_begins_is_said(open_page, monkeypatch):
    page = open_page()

    def fail(self, request):
        raise StoreError("the store is locked; close the other program")

    monkeypatch.setattr(SearchEngine, "search", fail)
    page.text_input(key="query_text").set_value("my view")
    page.button(key="FormSubmitter:ask-Search").click().run()
    assert not page.exception
    assert "locked" in page.error[0].value


@pytest.mark.parametrize("stage", STAGES)
def test_a_degraded_search_has_a_banner(open_page, kept_run, monkeypatch, shared, stage):
    from core_search.errors import ProviderError

    def refuse(query, items):
        raise ProviderError("the reranker is away")

    monkeypatch.setattr(shared.providers.reranker, "rerank", refuse, raising=False)
    page = calm(open_page(run=kept_run(*QUERIES["aspect_query"]), stage=stage))
    assert "Degraded" in page.warning[0].value


def test_an_empty_memory_answers_nothing(open_page, kept_run):
    for stage in STAGES:
        calm(open_page(run=kept_run("anything about tea", workspace="empty"), stage=stage))


@pytest.mark.parametrize("stage", STAGES)
def test_hostile_texts_are_shown_as_text(open_page, kept_run, stage):
    run = kept_run("broken bold picture", route("exploratory"), workspace="hostile")
    page = calm(open_page(run=run, stage=stage, item="episode:h1"))
    for html in page.get("html"):
        assert "<script>document.title" not in html.proto.body
        assert "<img" not in html.proto.body
    for markdown in page.markdown:
        assert "![picture]" not in markdown.value


def test_a_run_without_its_memory_draws_every_stage(open_page, kept_run, shared):
    from tests.small import bundle

    shared.load(bundle("leaving"))
    run = kept_run(*QUERIES["aspect_query"], workspace="leaving")
    shared.remove("leaving")
    for stage in STAGES:
        page = calm(open_page(run=run, stage=stage))
    assert "is not on this installation" in written(page)
    assert "Small pull requests get better code reviews." in written(page)


def test_without_any_memory_the_page_says_how_to_get_one(open_page, monkeypatch, tmp_path):
    monkeypatch.setenv("CORE_SEARCH_HOME", str(tmp_path))
    monkeypatch.setattr("core_search.library.SAMPLE_DATA", tmp_path / "nowhere")
    page = open_page()
    assert not page.exception
    assert "sample data" in page.error[0].value


def test_prompt_raw_answers_and_repairs_of_a_model_are_shown(open_page, kept_run, records):
    file = json.loads(records.export(kept_run(*QUERIES["aspect_query"])))
    file["id"] = "m0del000"
    steps = file["body"]["result"]["trace"]["stages"][0]["steps"]
    detail = next(step["detail"] for step in steps if step["name"] == "extract")
    detail |= {
        "extractor": "openai",
        "model": "small-model",
        "prompt": [{"role": "system", "content": "the rules <b>"}, {"role": "user", "content": "the query"}],
        "answers": [{"text": '{"queryType": 7}', "tokens": 12}],
        "repairs": ["queryType 7 was dropped"],
    }
    page = calm(open_page(run=records.import_run(json.dumps(file)), stage="route"))
    shown = [code.value for code in page.code]
    assert "the rules <b>" in shown
    assert '{"queryType": 7}' in shown
    assert "queryType 7 was dropped" in written(page)
    assert "tokens: 12" in written(page)
