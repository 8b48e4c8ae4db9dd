from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

WELCOME = "what is my view on code review"
STAGES = (
    "overview", "route", "gate", "handle", "merge", "backstop", "rerank", "compact", "budget", "fallback", "result",
)  # fmt: skip


def texts(page: AppTest) -> str:
    """Everything that is written on the page."""
    shown = [str(getattr(element, "value", "")) for element in page.main]
    shown += [element.proto.body for element in page.get("html")]
    return "\n".join(shown)


def test_the_first_visit_loads_the_sample_and_answers_a_question(open_page):
    page = open_page()
    assert not page.exception
    assert page.text_input(key="query_text").value == WELCOME
    assert len(page.query_params["run"][0]) == 8
    assert "aspect_query" in texts(page)


def test_the_second_visit_shows_the_same_run(open_page):
    assert open_page().query_params["run"] == open_page().query_params["run"]


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_draws(open_page, stage):
    page = open_page(stage=stage)
    assert not page.exception
    assert not page.error
