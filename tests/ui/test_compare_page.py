from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core_search.comparison.set_runs import KeptSets, SetRun
from core_search.errors import SearchFailed
from core_search.ingest.values import Qrel, Query
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import ItemKey
from core_search.models import ItemKind
from core_search.ui.review import keys
from tests.small import bundle, route

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = "pages/1_Compare.py"
WELCOME = "what is my view on code review"


@pytest.fixture
def open_compare(environment):
    """`open_compare(runs=…)` runs the page at that address; a workspace other than the sample can be given."""

    def open_at(workspace: str = "sample", **address: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        page.switch_page(PAGE)
        page.session_state["workspace"] = workspace
        for name, value in address.items():
            page.query_params[name] = value
        return page.run()

    return open_at


def written(page) -> str:
    shown = [str(getattr(element, "value", "")) for element in page.main]
    return "\n".join(shown + [element.proto.body for element in page.get("html")])


def calm(page):
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


def runs(page) -> list[str]:
    return "".join(page.query_params["runs"]).split(",")


def test_the_first_visit_compares_reranking_on_and_off(open_compare):
    page = calm(open_compare())
    assert page.text_input(key="compare_query").value == WELCOME
    assert page.multiselect(key="compare_configurations").value == ["defaults", "rerank off"]
    assert len(runs(page)) == 2
    assert "B against A:" in written(page)
    assert "rerank" in written(page)


def test_the_second_visit_runs_nothing_anew(open_compare):
    assert runs(open_compare()) == runs(open_compare())


def test_a_typed_configuration_is_compared(open_compare):
    page = open_compare()
    page.multiselect(key="compare_configurations").set_value(["defaults", "rerank off", "limit=1, backstop=off"])
    page.button(key="compare_now").click().run()
    calm(page)
    assert len(runs(page)) == 3
    assert "backstop" in written(page)
    assert page.button_group[0].value is not None


@pytest.mark.parametrize(
    ("chosen", "message"),
    [(["defaults"], "choose 2 to 6"), (["defaults", "no_such=1"], "no_such"), (["defaults", "limit=x"], "limit")],
)
def test_what_cannot_be_compared_says_why(open_compare, chosen, message):
    page = open_compare()
    before = runs(page)
    page.multiselect(key="compare_configurations").set_value(chosen)
    page.button(key="compare_now").click().run()
    assert not page.exception
    assert message in page.error[0].value.replace("\\", "")
    assert runs(page) == before


def test_a_link_restores_the_comparison(open_compare, kept_run):
    one = kept_run("code review", route("aspect_query"), limit=1)
    two = kept_run("code review", route("aspect_query"))
    page = calm(open_compare(runs=f"{one},{two}", item="episode:e1"))
    assert page.text_input(key="compare_query").value == "code review"
    assert "Small pull requests get better code reviews." in written(page)


def test_an_item_is_judged_in_place_and_then_shows_where_it_stood(open_compare, kept_run, records):
    output = route("aspect_query")
    one, two = kept_run("code review", output), kept_run("code review", output, limit=1)
    page = calm(open_compare(runs=f"{one},{two}", item="episode:e1"))
    calm(page.text_input(key="in_place_name").input("Ann").run())
    assert "in A" not in facts_of(page)
    calm(page.button(key="judge_grade_3").click().run())
    store = JudgmentStore.of(records.database)
    made = store.sets.named("sample, asked in passing")
    try:
        (grade,) = store.grades.all(made.id)
        assert (grade.key.item_id, grade.grade) == ("e1", 3)
        assert {"in A", "in B"} <= facts_of(page)
    finally:
        store.sets.delete(made.id)


def facts_of(page) -> set[str]:
    return set(re.findall(r'<div class="k">(.*?)</div>', written(page)))


def test_runs_of_two_queries_are_kept_runs(open_compare, kept_run):
    one, two = kept_run("code review"), kept_run("soup recipe")
    page = calm(open_compare(runs=f"{one},{two}"))
    assert page.multiselect(key="compare_kept").value == [two]
    assert "soup recipe" in written(page)


def test_the_same_runs_have_no_difference(open_compare, kept_run):
    output = route("aspect_query")
    page = calm(open_compare(runs=f"{kept_run('code review', output)},{kept_run('code review', output)}"))
    assert "Nothing changed" in written(page)
    assert "Nowhere: every stage decided the same." in written(page)


def test_a_failed_run_did_not_run(open_compare, kept_run, failed_run):
    page = calm(open_compare(runs=f"{kept_run('my view on code review')},{failed_run}"))
    assert "did not run" in written(page)
    assert "nothing to compare" in written(page)


def test_a_run_comes_with_its_parent_or_the_other_reranking(open_compare, kept_run):
    run = kept_run("soup recipe")
    page = calm(open_compare(run=run))
    assert runs(page)[0] == run
    assert "rerank" in written(page)


def test_an_unknown_run_is_named(open_compare):
    page = open_compare(runs="zzzzzzzz,yyyyyyyy")
    assert not page.exception
    assert "zzzzzzzz" in page.error[0].value


def test_hostile_texts_are_shown_as_text(open_compare, kept_run):
    one = kept_run("broken bold picture", route("exploratory"), workspace="hostile")
    two = kept_run("broken bold picture", route("exploratory"), workspace="hostile", limit=1)
    page = calm(open_compare(runs=f"{one},{two}", item="episode:h1"))
    for html in page.get("html"):
        if html.proto.unsafe_allow_javascript:
            assert html.proto.body == keys._SCRIPT  # our own constant text
            continue
        assert "<script" not in html.proto.body
        assert "<img" not in html.proto.body


def test_whole_rankings_are_called_so(open_compare, kept_run):
    from core_search.evaluation.variants import RANKED

    one, two = kept_run("code review", **RANKED), kept_run("code review", **RANKED, rerank=False)
    page = calm(open_compare(runs=f"{one},{two}"))
    assert page.multiselect(key="compare_configurations").value == ["whole ranking", "whole ranking, rerank off"]


# ---------------------------------------------------------------- a query set


@pytest.fixture(scope="module")
def judged_name(ui_home):
    """A judged memory beside the others."""
    from core_search import SearchEngine, Settings

    queries = (Query(id="q1", query="small pull requests"), Query(id="q2", query="soup recipe"))
    qrels = (Qrel(query_id="q1", doc_id="e1", grade=2), Qrel(query_id="q2", doc_id="e4", grade=2))
    with SearchEngine(Settings(home=ui_home)) as engine:
        engine.load(bundle("judged").model_copy(update={"queries": queries, "qrels": qrels}), replace=True)
    return "judged"


def test_a_memory_without_judged_queries_says_how_to_get_some(open_compare):
    page = calm(open_compare("empty", mode="set"))
    assert "no judged queries" in page.info[0].value


def test_a_query_set_is_run_and_restored_by_its_link(open_compare, judged_name):
    page = calm(open_compare(judged_name, mode="set"))
    page.multiselect(key="set_configurations").set_value(["defaults", "limit 5", "label_threshold=0.99"])
    page.button(key="set_start").click().run()
    calm(page)
    assert "over 2 judged queries" in page.subheader[0].value
    assert "equals A on every query" in written(page) or "no clear difference" in written(page)
    id_ = "".join(page.query_params["set"])
    again = calm(open_compare(judged_name, mode="set", set=id_))
    assert again.multiselect(key="set_configurations").value == ["defaults", "limit 5", "label_threshold=0.99"]
    assert "over 2 judged queries" in again.subheader[0].value


def test_a_set_that_people_judged_is_compared(open_compare, judged_name, records):
    store = JudgmentStore.of(records.database)
    made = store.sets.create("by hand", judged_name, [Query(id="q1", query="soup recipe")])
    try:
        store.grades.give(made.id, ItemKey("q1", ItemKind.EPISODE, "e4"), "Ann", 3)
        page = calm(open_compare(judged_name, mode="set"))
        page.selectbox(key="set_which").set_value(made.id).run()
        page.button(key="set_start").click().run()
        calm(page)
        assert "over 1 judged queries" in page.subheader[0].value
        kept = KeptSets(records.database).load("".join(page.query_params["set"]))
        assert kept.set_id == made.id
    finally:
        store.sets.delete(made.id)
    gone = open_compare(judged_name, mode="set", set="".join(page.query_params["set"]))
    assert not gone.exception
    assert "is gone" in gone.error[0].value


def test_a_stopped_set_offers_to_resume(open_compare, judged_name, shared, records):
    from core_search.comparison.set_spec import Configuration, SetSpec
    from core_search.evaluation.judged_set import stored_set

    spec = SetSpec(
        workspace="judged",
        configurations=(Configuration(name="defaults"), Configuration(name="limit=7", changes={"limit": 7})),
        query_ids=("q1", "q2"),
        depth=9,
    )
    kept = KeptSets(records.database)
    run = SetRun(shared, kept, spec, stored_set(shared, "judged"))
    run.run(stop=lambda: run.done == 3)
    page = calm(open_compare(judged_name, mode="set", set=kept.save(spec)))
    assert "3 of 4 searches are done" in written(page)
    assert "not run yet" in str(page.dataframe[0].value.values)
    page.button(key="set_resume").click().run()
    calm(page)
    assert "searches are done" not in written(page)


def test_a_failed_search_is_no_zero(open_compare, judged_name, shared, monkeypatch, failed_run, records):
    from core_search import SearchEngine

    trace, search = records.load(failed_run).trace, SearchEngine.search

    def fail(self, request):
        if request.set.get("limit") == 8:
            raise SearchFailed("the disk is gone", trace)
        return search(self, request)

    monkeypatch.setattr(SearchEngine, "search", fail)
    page = open_compare(judged_name, mode="set")
    page.multiselect(key="set_configurations").set_value(["defaults", "limit=8"])
    page.button(key="set_start").click().run()
    calm(page)
    assert "nothing ran" in written(page)
    assert "did not run" in str(page.dataframe[0].value.values)
