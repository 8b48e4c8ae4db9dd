import pytest

from core_search.models import Aspect, QueryType
from core_search.router import vocabulary
from core_search.router.vocabulary import member, plain


@pytest.mark.parametrize(
    ("written", "read"),
    [("Action Items", "action_items"), ("actionItems", "action_items"), (" To-Do ", "to_do"), ("ALL", "all"), ("", "")],
)
def test_plain(written, read):
    assert plain(written) == read


def test_words_are_written_plain_and_never_hide_a_name():
    for words in (
        vocabulary.QUERY_TYPE_WORDS,
        vocabulary.ASPECT_WORDS,
        vocabulary.TEMPORAL_WORDS,
        vocabulary.LOOKUP_MODE_WORDS,
        vocabulary.FACET_WORDS,
    ):
        assert all(plain(word) == word for word in words)
    assert not {plain(aspect) for aspect in Aspect} & set(vocabulary.ASPECT_WORDS)


def test_a_name_comes_before_other_words():
    assert member(QueryType, {"temporal": QueryType.EXPLORATORY}, "Temporal") is QueryType.TEMPORAL
    assert member(QueryType, {}, "poem") is None
