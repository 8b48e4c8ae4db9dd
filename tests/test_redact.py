from __future__ import annotations

import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_search.errors import redact

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"
WORDS = [
    "co-founder",
    "co_authors",
    "co-founders2020",
    "co-ordination",
    "co-operatively",
    "key-results-2024",
    "key_value_pairs",
    "key-signature",
    "api-version-2024-10-21",
    "api_endpoints",
    "api-documentation",
    "pk_episode_id",
    "pk_judgments",
    "SK-Innovation",
    "sk-transition",
    "task-0123456789",
    "desk-arrangement",
    "monkey-business2000",
    "keynote",
    "bearer-certificates",
]
SENTENCES = (
    "the bearer certificates of 2024",
    "our co-founder Ann and the co-founders of two companies",
    "see key-results-2024-final and api-version-2024-10-21-preview",
)
KEYS = (
    "sk-proj-Zz98Yy76Xx54Ww32Vv10Uu98",
    "sk-abcdefghijklmnopqrstuvwxyz",
    "sk-verys***********cdef",
    "sk_live_0123456789abcdef",
    "pk_live_51H8x2KZvKYlo2C9",
    "co-secret-1234567",
    "co_9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "key-3ax6xnjp29jd6fds4gc373sgvjxteol0",
    "api_0a1b2c3d4e5f",
    "key-123456789012",
)


@pytest.mark.parametrize("text", [*WORDS, *SENTENCES])
def test_words_stay(text):
    assert redact(text) == text


@pytest.mark.parametrize("file", ["episodes.jsonl", "statements.jsonl", "entities.jsonl", "queries.jsonl"])
def test_texts_of_the_sample_stay(file):
    for line in (SAMPLE / file).read_text("utf-8").splitlines():
        for text in map(str, json.loads(line).values()):
            assert redact(text) == text


@given(st.sampled_from(["co", "key", "api", "pk", "sk"]), st.text(string.ascii_letters, min_size=1, max_size=30))
def test_no_word_of_letters_alone_is_struck(prefix, word):
    if prefix != "sk" or len(word) < 20:
        assert redact(f"a {prefix}-{word} b") == f"a {prefix}-{word} b"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("around", ["{}", "'{}'", "key {}, refused", "x={}&y", "Bearer {}", "({})."])
def test_keys_are_struck(key, around):
    assert key not in redact(around.format(key))


@given(
    st.sampled_from(["sk-", "sk-proj-", "sk_", "pk_live_", "co-", "co_", "key-", "api_"]),
    st.text(string.ascii_letters + string.digits, min_size=8, max_size=40),
    st.text(string.ascii_letters + string.digits, max_size=20),
)
def test_generated_keys_are_struck(prefix, start, rest):
    key = f"{prefix}{start}7k{rest}"
    assert redact(f"refused: {key}.") == "refused: [secret]."


@given(st.text(string.ascii_letters + string.digits + "-._~+/", min_size=20, max_size=60))
def test_bearer_tokens_are_struck(token):
    assert token not in redact(f"authorization: Bearer {token}")
