"""Every page, opened by its own address in a fresh browser."""

from __future__ import annotations

import pytest

PAGES = ("", "Compare", "Review", "Evaluate", "Memory")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opened_cold_is_whole_and_calm(visit, path):
    visitor = visit().open(path)
    assert visitor.page.title() == f"{path or 'Inspect'} · core_search"
    assert visitor.page.locator(".st-key-nav a").count() == len(PAGES)
    for width in (1440, 800):
        visitor.page.set_viewport_size({"width": width, "height": 900})
        assert visitor.settled().page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    visitor.is_calm()


def test_a_link_to_a_sub_page_opens_cold_and_a_refresh_loses_nothing(visit):
    visitor = visit().open("Memory?workspace=hostile&tab=episodes&item=episode:h1")
    before = visitor.page.url
    for _ in range(2):
        assert visitor.parameter("item") == "episode:h1"
        assert visitor.parameter("workspace") == "hostile"
        assert "<script>document.title='broken'</script>" in visitor.text
        assert visitor.page.url == before
        visitor.reload()
    visitor.is_calm()


def test_a_run_stays_in_the_address_from_page_to_page(visit):
    visitor = visit().open()
    run = visitor.parameter("run")
    for title in ("Compare", "Inspect"):
        visitor.page.locator(".st-key-nav a").filter(has_text=title).click()
        visitor.page.wait_for_function("title => document.title.startsWith(title)", arg=title)
        visitor.settled()
        assert run in visitor.page.url
    visitor.is_calm()
