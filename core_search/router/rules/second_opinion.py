"""A second opinion on a query: linear models over its embedding, its words, and what the rules saw in it.

Multinomial logistic regression gives the probability of each kind and of a closed gate; ridge regression scores
aspects and properties. Both are fitted on `opinion_examples.txt` for the local model; the weights lie beside this
file, written by `python -m core_search.router.rules.second_opinion`. Words and signs are hashed into buckets
(Weinberger et al., "Feature hashing for large scale multitask learning", 2009), so that no vocabulary is kept.
"""

from __future__ import annotations

import hashlib
import re
import threading
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core_search.models import Aspect, QueryType
from core_search.providers.base import Embedder
from core_search.router.rules.attributes import noun_asked
from core_search.router.rules.examples import EXAMPLES, Example, read_examples
from core_search.router.rules.few_names import FewNames
from core_search.router.rules.gate_words import speaks_of_owner
from core_search.router.rules.sighting import Sighting, see

WEIGHTS = Path(__file__).with_name("opinion_weights.npz")
WORD_BUCKETS, SIGN_BUCKETS = 2048, 512
# A sign beside the unit vectors of the text and of its words; and the strengths of the penalties. All of them were
# chosen by cross-validation over sets of different authors; twice or half changes little.
SIGN, PENALTY, RIDGE = 0.3, 0.5, 1.0
# Penalised probabilities are too careful: on sets whose author the weights had not seen, odds to this power are right
# as often as they say.
SHARPNESS = 1.6
# An aspect is asked for from this score on ("soup" has 0.02 for its best, "who bakes bread" 0.12; none means any), and
# so are those that score this close to the best one.
ASPECT_SCORE, ASPECT_MARGIN = 0.2, 0.1
MOST_ASPECTS = 2
# A property is asked for from this score on.
PROPERTY_SCORE = 0.3
KINDS: tuple[QueryType | None, ...] = (None, *QueryType)  # None: closed
ASPECTS = tuple(Aspect)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_ASKS = re.compile(
    r"\W*(?:what|who|when|where|why|how|which|is|are|do|does|did|can|should|wer|was|wie|wo|wann|warum|welche\w*|qu[eé]|qui"
    r"|quel(?:le)?s?|qu[ée]m|qui[eé]n|comment|pourquoi|où|quand|combien|c[uú][aá]l|c[oó]mo|d[oó]nde|cu[aá]nd?t?[oa]s?|por\s?qu[eéê]"
    r"|chi|che|qual[ei]?|come|dove|quando|perché|quant[oaie])\b",
    re.IGNORECASE,
)
_FEW_WORDS = 4

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Opinion:
    """Probabilities of the kinds and of a closed gate, together 1; the likeliest aspects should it be an aspect query,
    and the property should it be a look-up of one."""

    scores: dict[QueryType, float]
    closed: float
    aspects: tuple[Aspect, ...]
    attribute: str | None

    def best(self) -> QueryType:
        return max(self.scores, key=lambda kind: self.scores[kind])


class SecondOpinion:
    """The models over the local embedder; any other has no weights and gives no opinion."""

    def __init__(self, embedder: Embedder):
        self._embedder = embedder
        self._lock = threading.Lock()
        self._weights: Matrix | None = None
        self._is_loaded = False

    def of(self, query: str, seen: Sighting) -> Opinion | None:
        with self._lock:
            if not self._is_loaded:
                self._weights, self._is_loaded = stored(self._embedder), True
        if self._weights is None:
            return None
        return opinion_from(features(self._embedder, [(query, seen)])[0] @ self._weights)


def opinion_from(scores: Matrix) -> Opinion:
    """The opinion that the outputs of the models say, shape (kinds + aspects + attributes,)."""
    logits, by_aspect, by_property = np.split(scores, [len(KINDS), len(KINDS) + len(ASPECTS)])
    odds = np.exp(SHARPNESS * (logits - logits.max()))
    chances = odds / odds.sum()
    likeliest = int(by_property.argmax())
    order = np.argsort(-by_aspect)[:MOST_ASPECTS]
    least = max(ASPECT_SCORE, by_aspect[order[0]] - ASPECT_MARGIN)
    near = [index for index in order if by_aspect[index] >= least]
    return Opinion(
        scores={kind: float(chance) for kind, chance in zip(KINDS, chances, strict=True) if kind},
        closed=float(chances[0]),
        aspects=tuple(ASPECTS[index] for index in near),
        attribute=attributes()[likeliest] if by_property[likeliest] >= PROPERTY_SCORE else None,
    )


@lru_cache(maxsize=1)
def attributes() -> tuple[str, ...]:
    """The properties that the examples ask for."""
    return tuple(sorted({example.attribute for example in read_examples() if example.attribute}))


def features(embedder: Embedder, seen: Sequence[tuple[str, Sighting]]) -> Matrix:
    """One row a query: its vector, its words and pairs of words with the names masked, and the signs."""
    # The text that the search embeds as well, so that its vector is computed once.
    vectors = embedder.embed([sighting.dates.text_without_dates or query for query, sighting in seen])
    words = np.array([_hashed(_words(sighting.facts.masked), WORD_BUCKETS) for _, sighting in seen], dtype=np.float32)
    words /= np.maximum(np.linalg.norm(words, axis=1, keepdims=True), 1)
    signs = np.array([_hashed(_signs(sighting), SIGN_BUCKETS) for _, sighting in seen], dtype=np.float32)
    return np.hstack([vectors, words, SIGN * signs]).astype(np.float32)


def asks(text: str) -> bool:
    """Whether the text begins as a question."""
    return bool(_ASKS.match(text))


def are_key_words(text: str) -> bool:
    """Whether the text is a few words and no question."""
    return len(text.split()) <= _FEW_WORDS and not asks(text)


def _words(masked: str) -> set[str]:
    words = _TOKEN.findall(masked.lower())
    pairs = zip(["^", *words], [*words, "$"], strict=True)
    return {*words, *(f"{left} {right}" for left, right in pairs)}


def _signs(seen: Sighting) -> set[str]:
    facts = seen.facts
    signs = {
        "always": True,
        "names one": bool(facts.hints),
        "names two": len(facts.hints) > 1,
        "known": any(hint.how != "new" for hint in seen.hints),
        "owner": speaks_of_owner(facts.masked),
        "scope": facts.has_date_words,
        "date": bool(seen.dates.spans),
        "property": bool(facts.attribute),
        "noun": noun_asked(facts.masked) is not None,
        "asks": asks(seen.text),
        "closed": seen.closed is not None,
        "few words": len(seen.text.split()) <= _FEW_WORDS,
        f"rule {seen.kind.rule} {seen.kind.query_type}": True,
        **{f"aspect {aspect}": True for aspect in facts.aspects},
    }
    return {sign for sign, holds in signs.items() if holds}


def _hashed(tokens: Iterable[str], buckets: int) -> NDArray[np.float32]:
    row = np.zeros(buckets, dtype=np.float32)
    row[[zlib.crc32(token.encode("utf-8", "surrogatepass")) % buckets for token in tokens]] = 1
    return row


# ---------------------------------------------------------------- fitting


def sightings(examples: Sequence[Example]) -> list[tuple[str, Sighting]]:
    """The examples as the rules see them. Relative dates need some day to stand on: any will do."""
    keys, now = frozenset(attributes()), datetime(2026, 3, 1, 18, tzinfo=UTC)
    found = []
    for example in examples:
        seen = see(example.text, now, FewNames(example.names, keys))
        if example.dated:
            seen = replace(seen, facts=replace(seen.facts, has_date_words=True))
        found.append((example.text, seen))
    return found


def fit(rows: Matrix, examples: Sequence[Example]) -> Matrix:
    """The weights, shape (features, kinds + aspects + attributes). Rare kinds weigh more."""
    from sklearn.linear_model import LogisticRegression  # a second to import, and only fitting needs it

    kinds = np.array([KINDS.index(example.kind) for example in examples])
    shares = (len(kinds) / len(KINDS) / np.bincount(kinds, minlength=len(KINDS))) ** 0.5
    model = LogisticRegression(C=1 / PENALTY, fit_intercept=False, max_iter=300)
    model.fit(rows, kinds, sample_weight=shares[kinds])
    targets = np.array(
        [
            [aspect in example.aspects for aspect in ASPECTS]
            + [example.attribute == attribute for attribute in attributes()]
            for example in examples
        ],
        dtype=np.float64,
    )
    wide = rows.astype(np.float64)
    dual = np.linalg.solve(wide @ wide.T + RIDGE * np.eye(len(wide)), targets)
    return np.hstack([model.coef_.T, wide.T @ dual]).astype(np.float32)


def stored(embedder: Embedder) -> Matrix | None:
    """The weights beside this file; None when there are none, or those of another model or of other examples."""
    if not WEIGHTS.exists():
        return None
    with np.load(WEIGHTS) as file:
        if str(file["model"]) != embedder.model or str(file["examples"]) != _digest():
            return None
        weights: Matrix = file["weights"].astype(np.float32)
    return weights


def _digest() -> str:
    return hashlib.sha256(EXAMPLES.read_bytes()).hexdigest()


def _write() -> None:
    from core_search.providers.local_embeddings import LocalEmbedder

    local, examples = LocalEmbedder(), read_examples()
    weights = fit(features(local, sightings(examples)), examples)
    np.savez_compressed(WEIGHTS, weights=weights.astype(np.float16), model=local.model, examples=_digest())


if __name__ == "__main__":
    _write()
