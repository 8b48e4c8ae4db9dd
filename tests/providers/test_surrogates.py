import pytest

from core_search.providers.surrogates import without_surrogates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Zoë 漢 🎂", "Zoë 漢 🎂"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83c\udf82", "🎂"),
        ("\ufeffx\udc00", "\ufeffx\ufffd"),
    ],
)
def test_every_text_becomes_valid(text, expected):
    assert without_surrogates(text) == expected
