"""BM25 over the texts of a memory, by bm25s, kept on disk and mapped into memory when opened.

The variant is Lucene's (Kamphuis et al., "Which BM25 Do You Mean?", 2020): a term contributes
idf * tf / (tf + k1 * (1 - b + b * length / average)), without the factor k1 + 1 of the original. A text's score
therefore stays below the sum of the idfs of the query's terms, which is what `best_possible` returns.
Words are NFKC-normalised, case folded, Latin letters without their marks, without the English stop words of questions
too (what, who, did, my: on LoCoMo the recall at 10 is 2 points higher), stemmed by Snowball's English stemmer. Writing
without spaces (Han, kana) has one token a character, so that a word is found inside a longer run.
A word that a query repeats counts once.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import Stemmer
from numpy.typing import NDArray

from core_search.errors import StoreError, WorkspaceDamaged
from core_search.stores.base import LexicalField, Progress
from core_search.stores.id_filter import IdFilter, Mask, Places

# The values of the library, inside the usual range (Robertson and Zaragoza 2009: k1 1.2 to 2, b 0.5 to 0.8).
K1, B = 1.5, 0.75
_UNSPACED = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKENS = rf"[{_UNSPACED}]|[^\W{_UNSPACED}]{{2,}}"
_MARKS = re.compile(r"([a-z])[\u0300-\u036f]+")
_FIRST_PAGE = 200  # hits sorted at first; more than most searches read, far fewer than a common word has


class Bm25Lexical:
    """The `LexicalStore` on bm25s: one folder, an index a field. Reads are safe from several threads."""

    def __init__(self, path: Path, indexes: Mapping[LexicalField, _Index]):
        self._path = path
        self._indexes: Mapping[LexicalField, _Index] | None = indexes
        self._places: dict[LexicalField, Places] = {}

    @classmethod
    def create(cls, path: Path) -> Bm25Lexical:
        """An empty store in the folder `path`, in place of what is there."""
        store = cls(path, {})
        store.write({})
        return store

    @classmethod
    def open(cls, path: Path) -> Bm25Lexical:
        """The store that was written to `path`. Raises `WorkspaceDamaged` when a file is missing or not readable."""
        return cls(path, {field: _Index.load(path / field.value) for field in LexicalField})

    def write(
        self, texts: Mapping[LexicalField, tuple[Sequence[str], Sequence[str]]], progress: Progress | None = None
    ) -> None:
        """Index ids and texts by field, in place of all that was there; a field that is not given becomes empty.

        The new folder is complete before it takes the place of the old one. Files that a reader has mapped
        are never written over: it goes on with the old ones.
        """
        for field, (ids, of_field) in texts.items():
            _check(field, ids, of_field)
        fresh = self._path.with_name(self._path.name + ".new")
        done, total = 0, sum(len(ids) for ids, _ in texts.values())
        try:
            shutil.rmtree(fresh, ignore_errors=True)
            for field in LexicalField:
                ids, of_field = texts.get(field, ((), ()))
                _write_index(fresh / field.value, ids, of_field)
                done += len(ids)
                if progress and ids:
                    progress("words", done, total)
            if self._path.exists():
                shutil.rmtree(self._path)
            fresh.rename(self._path)
        except OSError as error:
            raise StoreError(
                f"cannot write the word index {str(self._path)!r}: {error.strerror or error}; "
                "free the disk or the folder's rights, then run: core-search rebuild"
            ) from error
        self._indexes = Bm25Lexical.open(self._path)._indexes
        self._places.clear()

    def search(
        self, field: LexicalField, query: str, limit: int, accepts: Callable[[str], bool] | None = None
    ) -> list[tuple[str, float]]:
        """The `limit` best ids with a score above zero that `accepts` takes, best first, ties by id."""
        index = self._index(field)
        scores = index.scores(index.terms(query))
        found: list[tuple[str, float]] = []
        if scores is None or limit <= 0:
            return found
        if isinstance(accepts, IdFilter):
            scores = np.where(self._mask(field, index, accepts), scores, np.float32(0))
            accepts = None
        for row in _best_first(scores, max(limit, _FIRST_PAGE)):
            id = index.ids[row]
            if accepts is None or accepts(id):
                found.append((id, float(scores[row])))
                if len(found) == limit:
                    break
        return found

    def scores(self, field: LexicalField, query: str, ids: Sequence[str]) -> dict[str, float]:
        """The BM25 score of each known id; 0 for those without a word of the query."""
        index = self._index(field)
        scores = index.scores(index.terms(query))
        rows = {id: row for id in ids if (row := index.row(id)) is not None}
        return {id: 0.0 if scores is None else float(scores[row]) for id, row in rows.items()}

    def best_possible(self, field: LexicalField, query: str) -> float:
        """The bound of any text's score for the query: sum of the idf of its known terms; 0 without any."""
        index = self._index(field)
        return index.bound(index.terms(query))

    def engine_index(self, field: LexicalField) -> tuple[Sequence[str], Any]:
        """Ids in the order of the rows and the index of bm25s (None without texts): to measure what it alone takes."""
        index = self._index(field)
        return index.ids, index.bm25

    def query_terms(self, field: LexicalField, query: str) -> list[int]:
        """The numbers of the query's distinct known terms in the index of bm25s."""
        return self._index(field).terms(query)

    def close(self) -> None:
        """Let go of the mapped files."""
        self._indexes = None

    def _mask(self, field: LexicalField, index: _Index, accepts: IdFilter) -> Mask:
        """For each row whether the filter takes it."""
        places = self._places.get(field)
        if places is None or not places.fits(accepts):
            places = self._places[field] = Places(index.ids, accepts)
        return places.mask(accepts)

    def _index(self, field: LexicalField) -> _Index:
        indexes = self._indexes
        if indexes is None:
            raise StoreError(f"the word index {str(self._path)!r} is closed; open the workspace again")
        return indexes[field]


@dataclass(frozen=True, slots=True)
class _Index:
    """One field. Rows stand in the order of `ids`, which is sorted: equal scores in row order are ties by id."""

    path: Path
    ids: list[str]
    bm25: Any  # None when no text has a word: bm25s has no index without terms

    @classmethod
    def load(cls, path: Path) -> _Index:
        try:
            ids: list[str] = json.loads((path / "ids.json").read_text(encoding="utf-8"))
            bm25 = None
            if (path / "empty").exists():
                return cls(path, ids, None)
            bm25 = bm25s.BM25.load(path, mmap=True, show_progress=False)
            stored = bm25.scores
            fits = (
                stored["num_docs"] == len(ids)
                and len(stored["indptr"]) == len(bm25.vocab_dict) + 1
                and len(stored["data"]) == len(stored["indices"]) == stored["indptr"][-1]
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError) as error:
            raise _damaged(path) from error
        if not fits:
            raise _damaged(path)
        return cls(path, ids, bm25)

    def row(self, id: str) -> int | None:
        row = bisect_left(self.ids, id)
        return row if row < len(self.ids) and self.ids[row] == id else None

    def terms(self, query: str) -> list[int]:
        """The distinct terms of the query that some text has."""
        if self.bm25 is None:
            return []
        known: list[int] = self.bm25.get_tokens_ids(_stems(query))
        return known

    def scores(self, terms: list[int]) -> NDArray[np.float32] | None:
        """A score for every row; None without terms."""
        if not terms:
            return None
        try:
            scores: NDArray[np.float32] = self.bm25.get_scores_from_ids(terms)
        except (IndexError, ValueError) as error:  # a posting beyond the last row
            raise _damaged(self.path) from error
        return scores

    def bound(self, terms: list[int]) -> float:
        """Sum of Lucene's idf, ln(1 + (N - n + 0.5) / (n + 0.5)), with n texts of N having the term."""
        if not terms:
            return 0.0
        starts = self.bm25.scores["indptr"]
        rows = np.asarray(terms)
        having = (starts[rows + 1] - starts[rows]).astype(np.float64)
        return float(np.log1p((len(self.ids) - having + 0.5) / (having + 0.5)).sum())


def _check(field: LexicalField, ids: Sequence[str], texts: Sequence[str]) -> None:
    if len(ids) != len(texts) or len(set(ids)) != len(ids):
        raise StoreError(
            f"the field {field.value!r} has {len(ids)} ids, {len(set(ids))} of them distinct, for {len(texts)} texts; "
            "give one distinct id a text"
        )


def _write_index(path: Path, ids: Sequence[str], texts: Sequence[str]) -> None:
    order = sorted(range(len(ids)), key=ids.__getitem__)
    tokens = _tokenize([texts[row] for row in order], as_ids=True)
    path.mkdir(parents=True)
    (path / "ids.json").write_text(json.dumps([ids[row] for row in order]), encoding="utf-8")
    if not tokens.vocab:
        (path / "empty").touch()
        return
    bm25 = bm25s.BM25(k1=K1, b=B, method="lucene")
    bm25.index(tokens, create_empty_token=False, show_progress=False)
    bm25.save(path, show_progress=False)


@lru_cache(maxsize=64)  # one search asks for the same query in several fields
def _stems(query: str) -> tuple[str, ...]:
    """The distinct terms of a query, in its order."""
    return tuple(dict.fromkeys(_tokenize([query], as_ids=False)[0]))


def _tokenize(texts: Sequence[str], as_ids: bool) -> Any:
    """Terms of each text: with their vocabulary to index (`as_ids`), as stems to search."""
    return bm25s.tokenize(
        [_folded(text) for text in texts],
        token_pattern=_TOKENS,
        stopwords="en_plus",
        stemmer=Stemmer.Stemmer("english"),  # one a call: a stemmer must not be shared between threads
        return_ids=as_ids,
        show_progress=False,
    )


# Letters that Unicode does not take apart into a base and a mark.
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


def _folded(text: str) -> str:
    """Lower case without the marks of Latin letters, so that "Inês" is found by "ines"."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if text.isascii():
        return text
    return _MARKS.sub(r"\1", unicodedata.normalize("NFD", text)).translate(_LETTERS)


def _best_first(scores: NDArray[np.float32], page: int) -> Iterator[int]:
    """Rows with a score above zero, best first, ties by row; sorted page by page, since few are ever read."""
    rest = np.flatnonzero(scores > 0)
    while rest.size:
        head = rest
        if rest.size > page:
            values = scores[rest]
            edge = np.partition(values, -page)[-page]
            head, rest = rest[values >= edge], rest[values < edge]
        else:
            rest = rest[:0]
        yield from head[np.argsort(-scores[head], kind="stable")].tolist()
        page *= 4


def _damaged(path: Path) -> WorkspaceDamaged:
    return WorkspaceDamaged(
        f"the word index {str(path)!r} cannot be read; make it anew from the graph: core-search rebuild"
    )
