from __future__ import annotations

from pathlib import Path

from core_search.options import SearchOptions
from core_search.presets import Presets
from core_search.ui.settings_panel import GROUPS, HELP

ROOT = Path(__file__).resolve().parent.parent.parent


def run_with(page, **state):
    """Run again with panels open: the runner without a browser forgets which are."""
    for name, value in state.items():
        page.session_state[name] = value
    return page.run()


def open_settings(page):
    return run_with(page, settings_panel=True)


def test_every_setting_is_in_the_panel_once():
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(SearchOptions.model_fields)
    assert set(HELP) == set(names)


def test_a_changed_setting_counts_acts_and_can_be_reset(open_page, records):
    page = open_settings(open_page())
    page.number_input(key="setting_limit").set_value(2)
    open_settings(page)
    page.toggle(key="setting_rerank").set_value(False)
    open_settings(page)
    assert page.session_state["changes"] == {"limit": 2, "rerank": False}
    page.text_input(key="query_text").set_value("code review again")
    page.button(key="FormSubmitter:ask-Search").click().run()
    options = records.load("".join(page.query_params["run"])).options
    assert (options.limit, options.rerank) == (2, False)
    page.button(key="reset_settings").click()
    open_settings(page)
    assert page.session_state["changes"] == {}
    assert not page.exception


def test_a_value_that_is_its_default_is_no_change(open_page):
    page = open_settings(open_page())
    page.number_input(key="setting_limit").set_value(2)
    open_settings(page)
    page.number_input(key="setting_limit").set_value(20)
    open_settings(page)
    assert page.session_state["changes"] == {}


def test_settings_of_every_type_are_read(open_page):
    page = open_settings(open_page())
    page.text_input(key="setting_label_ids").set_value("l-food, l-review")
    open_settings(page)
    page.text_input(key="setting_start").set_value("2026-01-01")
    open_settings(page)
    page.selectbox(key="setting_sort").set_value("recency")
    open_settings(page)
    page.number_input(key="setting_rerank_floor").set_value(0.25)
    open_settings(page)
    assert page.session_state["changes"] == {
        "label_ids": ("l-food", "l-review"),
        "start": "2026-01-01",
        "sort": "recency",
        "rerank_floor": 0.25,
    }
    assert not page.exception


def test_presets_are_saved_loaded_and_deleted(open_page, records):
    page = open_settings(open_page())
    page.number_input(key="setting_limit").set_value(3)
    open_settings(page)
    page.text_input(key="preset_name").set_value("three")
    open_settings(page)
    assert Presets(records.database).load("three") == {"limit": 3}
    page.button(key="reset_settings").click()
    open_settings(page)
    page.selectbox(key="preset_choice").set_value("three")
    open_settings(page)
    assert page.session_state["changes"] == {"limit": 3}
    page.button(key="delete_preset").click()
    open_settings(page)
    assert Presets(records.database).names() == []
    assert not page.exception


def test_the_settings_of_a_run_can_be_taken_over(open_page, kept_run):
    page = open_page(run=kept_run("code review", limit=1, backstop=False))
    page.button(key="adopt_settings").click().run()
    assert page.session_state["changes"] == {"limit": 1, "backstop": False}


def test_recent_runs_open_again(open_page, kept_run):
    run = kept_run("mornings")
    page = open_page()
    page.button(key=f"run_{run}").click().run()
    assert "".join(page.query_params["run"]) == run
    assert page.text_input(key="query_text").value == "mornings"


def test_another_workspace_starts_with_an_empty_page(open_page):
    page = open_page()
    page.selectbox(key="workspace_choice").set_value("hostile").run()
    assert not page.exception
    assert "run" not in page.query_params


def test_a_read_only_installation_changes_no_settings(open_page, environment):
    environment.setenv("CORE_SEARCH_READ_ONLY", "1")
    page = open_settings(open_page())
    assert not page.exception
    assert page.number_input(key="setting_limit").disabled
    assert "read-only" in page.sidebar.caption[0].value


def test_runs_are_managed_in_a_dialog(open_page, kept_run, records):
    run = kept_run("managed query")
    page = open_page()
    page.button(key="manage_runs").click().run()
    page.selectbox(key="managed_run").set_value(run)
    run_with(page, manage=True)
    page.text_input(key=f"rename_{run}").set_value("named")
    run_with(page, manage=True)
    page.button(key="pin_managed").click()
    run_with(page, manage=True)
    head = records.load(run).head
    assert (head.name, head.pinned) == ("named", True)
    page.button(key="delete_managed").click()
    run_with(page, manage=True)
    assert run not in [head.id for head in records.recent()]
    assert not page.exception
