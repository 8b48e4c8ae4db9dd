import json
import time

import pytest

from core_search.router.json_text import find_object

WANTED = {"queryType": "temporal"}
TEXT = json.dumps(WANTED)


def found(text):
    return find_object(text, lambda value: "queryType" in value)


def test_a_bare_object_leaves_no_note():
    assert found(f"  {TEXT}\n") == (WANTED, [])


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"```json\n{TEXT}\n```", "code fence"),
        (f"```\n{TEXT}```", "code fence"),
        (f"```{TEXT}```", "code fence"),
        (f"Sure! {TEXT}", "text around"),
        (f"{TEXT}\nAnything else?", "text around"),
        (f"Here:\n```json\n{TEXT}\n```\nBye", "text around"),
        (f'<think>maybe {{"queryType": "exploratory"}}</think>{TEXT}', "think-block"),
        (f"no opening tag, {{}}</THINK>\n{TEXT}", "think-block"),
        (f"<thinking>a</thinking><think>b</think>{TEXT}", "think-block"),
        (f'{{"result": {TEXT}}}', "inside another"),
        (f"[{TEXT}]", "text around"),
        (f'{{"a": 1}} {TEXT}', "text around"),
        (f"{{'single': quotes}} {TEXT}", "text around"),
    ],
)
def test_what_is_around_is_removed_and_told(text, note):
    value, notes = found(text)
    assert value == WANTED
    assert any(note in sentence for sentence in notes)


def test_an_answer_before_the_thoughts_is_still_found():
    assert found(f"{TEXT}<think>that was easy</think>")[0] == WANTED


def test_an_object_that_is_not_wanted_is_better_than_none():
    assert found('{"a": 1}') == ({"a": 1}, [])


@pytest.mark.parametrize("text", ["", "no", "{", '{"queryType": "temp', "[1, 2]", "```json\n```", "<think>", "null"])
def test_no_object(text):
    assert found(text)[0] is None


@pytest.mark.parametrize(
    "text",
    ["{" * 300_000, '{"a":' * 300_000, "<think>" * 50_000, "`" * 300_000, " " * 300_000 + "```", "İ</think>" * 9_999],
)
def test_hostile_text_costs_nothing(text):
    start = time.perf_counter()
    found(text)
    assert time.perf_counter() - start < 2
