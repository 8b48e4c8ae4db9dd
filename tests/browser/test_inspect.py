from __future__ import annotations

import pytest

from core_search.records import Records
from core_search.settings import Settings
from core_search.ui.theme import STAGE_TITLES

WELCOME = "what is my view on code review"


def test_first_start_to_first_result(visit):
    visitor = visit().open()
    visitor.page.wait_for_selector(".st-key-stage_strip")
    assert visitor.asked == WELCOME
    assert "aspect_query" in visitor.text
    visitor.is_calm()


def test_each_stage_opens_and_stands_in_the_address(visit):
    visitor = visit().open()
    for name, title in STAGE_TITLES.items():
        visitor.stage(title)
        assert visitor.parameter("stage") in (name, "" if name == "overview" else name)
    visitor.is_calm()


def test_enter_asks(visit):
    visitor = visit().open().ask("when is the birthday of Ann Lee")
    assert "entity_lookup" in visitor.text
    assert "1990-05-01" in visitor.text
    visitor.is_calm()


def test_examples_are_one_click_away(visit):
    visitor = visit().open()
    before = visitor.parameter("run")
    visitor.page.locator(".st-key-try button").last.click()
    visitor.settled()
    assert visitor.parameter("run") != before
    visitor.is_calm()


def test_the_budget_slider_cuts_again_without_searching(visit):
    visitor = visit().open().stage("Budget")
    run, before = visitor.parameter("run"), visitor.text
    thumb = visitor.page.locator('[data-testid="stSlider"] input[type="range"]').first
    thumb.focus()
    thumb.press("Home")
    visitor.settled()
    assert "0 of 0 tokens" in visitor.text
    assert visitor.text != before
    assert visitor.parameter("run") == run
    visitor.is_calm()


def test_a_link_opens_in_a_fresh_browser(visit):
    first = visit().open().stage("Result")
    first.page.get_by_text("Why is it here").first.click()
    first.page.get_by_text("Open its details").first.click()
    first.settled()
    item = first.parameter("item")
    assert item.startswith("episode:")
    second = visit().open(first.page.url.removeprefix(f"{first.address}/"))
    assert second.parameter("item") == item
    assert second.parameter("stage") == "result"
    assert "THE CHOSEN EPISODE" in second.text.upper()
    second.is_calm()


def test_a_refresh_loses_nothing(visit):
    visitor = visit().open().ask("code review in the morning").stage("Rerank")
    address = visitor.page.url
    visitor.reload()
    assert visitor.page.url == address
    assert visitor.asked == "code review in the morning"
    visitor.is_calm()


def test_the_back_button_goes_back(visit):
    visitor = visit().open().stage("Route").stage("Gate")
    visitor.page.go_back()
    visitor.settled()
    assert visitor.parameter("stage") == "route"
    assert "Understood as" in visitor.text


def test_two_people_never_see_each_others_choice(visit):
    one, two = visit().open(), visit().open()
    one.ask("who is Bobby").stage("Route")
    two.ask("summarize recent work").stage("Gate")
    one.stage("Handle")
    assert one.asked == "who is Bobby"
    assert two.asked == "summarize recent work"
    assert (one.parameter("stage"), two.parameter("stage")) == ("handle", "gate")
    assert one.parameter("run") != two.parameter("run")


def test_eight_at_once_get_their_own_answers(visit, small_home):
    people = [visit().open() for _ in range(8)]
    runs = [person.parameter("run") for person in people]
    queries = [f"code review number {number}" for number in range(len(people))]
    for person, query in zip(people, queries, strict=True):
        person.enter(query)
    for person, before in zip(people, runs, strict=True):
        person.page.wait_for_function(
            "before => new URLSearchParams(location.search).get('run') !== before", arg=before
        )
    kept = Records(Settings(home=small_home))
    for person, query in zip(people, queries, strict=True):
        assert person.settled().asked == query
        assert kept.load(person.parameter("run")).result.query == query
        person.is_calm()
    assert len({person.parameter("run") for person in people}) == len(people)


@pytest.mark.parametrize("width", [1440, 800])
def test_hostile_texts_are_shown_as_text(visit, width):
    visitor = visit(viewport={"width": width, "height": 900}).open()
    visitor.page.locator(".st-key-workspace_choice").get_by_role("combobox").click()
    visitor.page.get_by_role("option", name="hostile").click()
    visitor.settled().ask("soup").stage("Result")
    assert "<script>document.title='broken'</script>" in visitor.text
    assert "![picture](https://example.com/pixel.png)" in visitor.text
    for title in STAGE_TITLES.values():
        visitor.stage(title)
        assert "broken" not in visitor.page.title()
        assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert visitor.page.locator('[data-testid="stMain"] img').count() == 0
    visitor.is_calm()


def test_settings_stay_open_while_they_are_changed(visit):
    visitor = visit().open()
    visitor.page.locator(".st-key-settings_panel summary").click()
    visitor.settled()
    field = visitor.page.locator(".st-key-setting_limit input")
    field.fill("2")
    field.press("Enter")
    visitor.settled()
    assert visitor.page.locator(".st-key-setting_limit input").is_visible()
    assert "1 changed" in visitor.page.locator('[data-testid="stSidebar"]').inner_text()
    visitor.is_calm()


def test_the_fate_box_finds_an_item_by_its_words(visit):
    visitor = visit().open()
    visitor.page.get_by_text("Where is …?").click()
    visitor.settled()
    box = visitor.page.locator(".st-key-fate_text input")
    box.fill("salt")
    box.press("Enter")
    visitor.settled()
    visitor.page.get_by_role("button", name="soup recipe").click()
    visitor.settled()
    assert visitor.parameter("item") == "episode:e4"
    visitor.is_calm()
