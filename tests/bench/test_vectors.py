"""Synthetic vectors lie where real ones would."""

from __future__ import annotations

import numpy as np
import pytest

from core_search.bench.vectors import NOISE, SyntheticEmbedder
from core_search.providers.local_embeddings import LocalEmbedder

RUNNING = "the marathon of the year needs a training that we with all of them can only now begin."
GARDEN = "the tomato of the year needs a compost that we with all of them can only now begin."


@pytest.fixture(scope="module")
def real() -> LocalEmbedder:
    return LocalEmbedder()


def test_a_real_query_is_nearest_to_the_text_about_it(real: LocalEmbedder):
    texts = SyntheticEmbedder(real).embed([RUNNING, GARDEN])
    queries = real.embed(["my marathon training", "compost for the tomato"])
    assert (texts @ queries.T).argmax(axis=0).tolist() == [0, 1]
    np.testing.assert_allclose(np.linalg.norm(texts, axis=1), 1, atol=1e-6)


def test_names_are_embedded_for_real(real: LocalEmbedder):
    np.testing.assert_allclose(SyntheticEmbedder(real).embed(["Anna Barberg"]), real.embed(["Anna Barberg"]), atol=1e-6)


def test_texts_of_one_topic_differ_by_their_noise(real: LocalEmbedder):
    one, same, other = SyntheticEmbedder(real).embed([RUNNING, RUNNING, RUNNING.replace("year", "week")])
    assert one @ same == pytest.approx(1)
    assert one @ other == pytest.approx(1 / (1 + NOISE**2), abs=0.15)  # independent noises are nearly at right angles
