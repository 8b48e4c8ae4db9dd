"""Forks on the Inspect page: a wrong label hides an item, fate names it, the remedy brings it back."""

from __future__ import annotations

import json

import pytest

from core_search import SearchRequest
from core_search.models import ItemKind, QueryType
from core_search.ui import session
from core_search.ui.fate_box import find
from core_search.ui.fork.fate_card import change_words
from tests.small import route

QUERY = "what is my view on code review"
OUTPUT = route("aspect_query", aspects=["Preference", "Belief"], selectedLabels=["code-review"])


def written(page) -> str:
    shown = [str(getattr(element, "value", "")) for element in page.main]
    return "\n".join(shown + [element.proto.body for element in page.get("html")])


def calm(page):
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


def run_of(page) -> str:
    return "".join(page.query_params["run"])


@pytest.fixture
def forking(open_page, kept_run, environment):
    """The Inspect page with the fork form open, and the run that it shows."""
    environment.setattr("core_search.ui.fork.panel.st.expander", _open_expander)
    run = kept_run(QUERY, OUTPUT)
    return open_page(run=run), run


def _open_expander(*args, **kwargs):
    """The test client cannot open an expander; a container is one that is always open."""
    import streamlit as st

    box = st.container(key=kwargs.get("key"))
    box.open = True
    return box


def submit(page, run: str):
    return page.button(key=f"FormSubmitter:fork_{run}-Run the fork").click().run()


def test_a_fork_keeps_its_parent_and_shows_the_difference(forking, records):
    page, run = forking
    page.number_input(key=f"fork_limit_{run}").set_value(1)
    submit(calm(page), run)
    calm(page)
    forked = run_of(page)
    assert forked != run
    assert records.load(forked).head.parent == run
    assert "Against the run it was forked from:" in written(page)
    assert "limit 20 → 1" in written(page).replace("&gt;", ">")
    assert "part at Rerank" in written(page)


def test_the_extraction_is_edited_in_fields(forking, records):
    page, run = forking
    page.selectbox(key=f"fork_type_{run}").set_value(QueryType.EXPLORATORY)
    submit(page, run)
    calm(page)
    assert records.load(run_of(page)).result.router.query_type == "exploratory"
    assert "part at Route" in written(page)


def test_the_extraction_is_edited_as_json(forking, records):
    page, run = forking
    page.toggle(key="fork_as_json").set_value(True).run()
    said = json.loads(page.text_area(key=f"fork_raw_{run}").value)
    page.text_area(key=f"fork_raw_{run}").set_value(json.dumps({**said, "queryType": "temporal"}))
    submit(page, run)
    calm(page)
    assert records.load(run_of(page)).result.router.query_type == "temporal"


@pytest.mark.parametrize(("text", "message"), [("{", "not JSON"), ("[]", "one JSON object"), ('{"typo": 1}', "'typo'")])
def test_json_that_is_no_extraction_says_so(forking, text, message):
    page, run = forking
    page.toggle(key="fork_as_json").set_value(True).run()
    page.text_area(key=f"fork_raw_{run}").set_value(text)
    submit(page, run)
    assert not page.exception
    assert message in page.error[0].value.replace("\\", "")
    assert run_of(page) == run


def test_a_stage_that_is_too_late_is_refused(forking):
    page, run = forking
    page.number_input(key=f"fork_limit_{run}").set_value(1)
    page.selectbox(key=f"fork_stage_{run}").set_value("budget")
    submit(page, run)
    assert not page.exception
    assert "rerank" in page.error[0].value


def test_the_gate_can_be_shut_and_other_settings_typed(forking, records):
    page, run = forking
    page.radio(key=f"fork_gate_{run}").set_value("closed")
    page.text_input(key=f"fork_other_{run}").set_value("voice_limit=3")
    submit(page, run)
    calm(page)
    result = records.load(run_of(page)).result
    assert not result.gate.open
    assert result.options.voice_limit == 3


def test_unchanged_it_gives_the_same(forking):
    page, run = forking
    submit(page, run)
    calm(page)
    assert "Nothing changed" in written(page)


def test_the_other_handlers_side_by_side(forking, records):
    page, run = forking
    page.segmented_control(key="fork_part").set_value("handlers").run()
    page.button(key="run_shadows").click().run()
    calm(page)
    for name in ("entity_lookup", "temporal", "temporal_facets", "exploratory", "relationship"):
        assert name in written(page)
    page.button(key="shadow_temporal").click().run()
    calm(page)
    assert records.load(run_of(page)).head.parent == run


def test_how_steady_it_is(forking):
    page, _ = forking
    page.segmented_control(key="fork_part").set_value("steady").run()
    page.button(key="run_stability").click().run()
    calm(page)
    assert "returned the same items" in written(page)
    assert "100%" in written(page)


def test_a_failed_run_cannot_be_forked(open_page, failed_run, environment):
    environment.setattr("core_search.ui.fork.panel.st.expander", _open_expander)
    page = open_page(run=failed_run)
    assert not page.exception
    assert "Only a whole search can be forked" in written(page)


# ---------------------------------------------------------------- fate and remedy


def test_a_wrong_label_hides_an_item_and_the_remedy_brings_it_back(open_page, shared, records):
    request = SearchRequest(
        query=QUERY, workspace="sample", router_output=OUTPUT, set={"label_ids": ("l-food",), "backstop": False}
    )
    run = records.save(shared.search(request))
    page = calm(open_page(run=run, item="episode:e1"))
    assert "label" in written(page)
    page.button(key="find_remedy").click().run()
    calm(page)
    assert "the smallest change that brings it back" in written(page)
    page.button(key="apply_remedy").click().run()
    calm(page)
    forked = records.load(run_of(page))
    assert forked.head.parent == run
    assert "e1" in [episode.uuid for episode in forked.result.episodes]
    assert "".join(page.query_params["item"]) == "episode:e1"
    assert "Returned as number" in written(page)


def test_changes_in_words():
    assert change_words({"label_ids": ["a", "b"]}) == "label ids a, b"
    assert change_words({"force_gate": True, "query_type": "temporal"}) == "force gate on, query type temporal"


@pytest.mark.parametrize(
    ("words", "kind", "item"),
    [
        ("cooking", ItemKind.LABEL, "l-food"),
        ("chess club", ItemKind.ENTITY, "club"),
        ("bobby", ItemKind.ENTITY, "bob"),
        ("chess on Sundays", ItemKind.EPISODE, "e6"),
        ("soup needs salt", ItemKind.STATEMENT, "st9"),
        ("how max reviews code", ItemKind.DOCUMENT, "d1"),
        ("st7", ItemKind.STATEMENT, "st7"),
    ],
)
def test_any_item_is_picked_by_its_words_or_its_id(environment, kept_run, words, kind, item):
    view = session.open_run(kept_run("soup recipe", route("aspect_query"), limit=1))
    assert (kind, item) in find(view, words)
