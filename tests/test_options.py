import pytest

from core_search.errors import SettingError
from core_search.options import SearchOptions, parse_settings


def test_reads_text_as_a_command_line_gives_it():
    options = SearchOptions().with_changes(
        parse_settings(["limit=5", "rerank=off", "label_ids=a, b", "start=2026-01-01", "end=none", "sort=recency"])
    )
    assert (options.limit, options.rerank, options.label_ids) == (5, False, ("a", "b"))
    assert (options.start, options.end, options.sort) == ("2026-01-01", None, "recency")


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        ("token_budget=-1", "token_budget"),
        ("limit=many", "limit"),
        ("rerank=perhaps", "rerank"),
        ("label_threshold=2", "label_threshold"),
        ("colour=red", "known are limit, token_budget"),
        ("limit", "not key=value"),
    ],
)
def test_refuses_what_it_does_not_know_and_says_why(pair, says):
    with pytest.raises(SettingError, match=says):
        SearchOptions().with_changes(parse_settings([pair]))
