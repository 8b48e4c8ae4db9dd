"""The contract of `LexicalStore`, held by bm25s."""

from __future__ import annotations

import math
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from core_search.errors import StoreError, WorkspaceDamaged
from core_search.stores.base import LexicalField
from core_search.stores.bm25_lexical import K1, B, Bm25Lexical

EPISODE, STATEMENT = LexicalField.EPISODE, LexicalField.STATEMENT

# Every text has three terms, so that length plays no part: a term that n of N texts have once adds idf / (1 + k1).
TEXTS = {
    "t1": "Maria plays tennis",
    "t2": "Maria plays chess",
    "t3": "Maria cooked pasta",
    "t4": "Omar cooked rice",
}


def write(path: Path, texts: Mapping[str, str] | None = None) -> Bm25Lexical:
    texts = TEXTS if texts is None else texts
    store = Bm25Lexical.create(path / "words")
    store.write({EPISODE: (list(texts), list(texts.values()))})
    return store


@pytest.fixture
def store(tmp_path: Path) -> Bm25Lexical:
    return write(tmp_path)


def idf(having: int, texts: int) -> float:
    return math.log(1 + (texts - having + 0.5) / (having + 0.5))


def ids(hits: Sequence[tuple[str, float]]) -> list[str]:
    return [id for id, _ in hits]


def test_scores_are_those_of_the_formula(store: Bm25Lexical) -> None:
    hits = store.search(EPISODE, "maria tennis", 10)
    assert ids(hits) == ["t1", "t2", "t3"]
    assert [score for _, score in hits] == pytest.approx(
        [(idf(3, 4) + idf(1, 4)) / (1 + K1), idf(3, 4) / (1 + K1), idf(3, 4) / (1 + K1)], rel=1e-6
    )


def test_length_counts_as_in_the_formula(tmp_path: Path) -> None:
    store = write(tmp_path, {"short": "tennis", "long": "tennis chess rice"})
    average = (1 + 3) / 2
    expected = {
        id: idf(2, 2) / (1 + K1 * (1 - B + B * length / average)) for id, length in {"short": 1, "long": 3}.items()
    }
    assert dict(store.search(EPISODE, "tennis", 10)) == pytest.approx(expected, rel=1e-6)


def test_words_are_stemmed_and_case_does_not_matter(store: Bm25Lexical) -> None:
    assert ids(store.search(EPISODE, "COOKING", 10)) == ["t3", "t4"]


def test_ties_by_id_and_the_limit(store: Bm25Lexical) -> None:
    assert ids(store.search(EPISODE, "maria", 2)) == ["t1", "t2"]
    assert store.search(EPISODE, "maria", 0) == []


def test_ids_are_sorted_whatever_their_order(tmp_path: Path) -> None:
    store = write(tmp_path, {"z": "tennis", "a": "tennis", "会": "tennis", "M": "tennis"})
    assert ids(store.search(EPISODE, "tennis", 10)) == ["M", "a", "z", "会"]


def test_the_filter_does_not_act_on_a_cut_list(tmp_path: Path) -> None:
    count = 3_000  # several pages of hits, all alike
    store = write(tmp_path, {f"e{row:04d}": "tennis" for row in range(count)})
    assert ids(store.search(EPISODE, "tennis", 5, accepts=lambda id: id >= "e2997")) == ["e2997", "e2998", "e2999"]
    assert ids(store.search(EPISODE, "tennis", count)) == [f"e{row:04d}" for row in range(count)]
    assert store.search(EPISODE, "tennis", 5, accepts=lambda id: False) == []


def test_pages_are_in_order(tmp_path: Path) -> None:
    store = write(tmp_path, {f"e{row:04d}": "tennis " + "word " * (row * 7 % 1_000) for row in range(1_000)})
    hits = store.search(EPISODE, "tennis", 1_000)
    assert hits == sorted(hits, key=lambda hit: (-hit[1], hit[0]))
    assert len(hits) == 1_000


def test_scores_of_known_ids(store: Bm25Lexical) -> None:
    scores = store.scores(EPISODE, "tennis", ["t4", "t1", "unknown", ""])
    assert scores == pytest.approx({"t4": 0.0, "t1": idf(1, 4) / (1 + K1)}, rel=1e-6)
    assert store.scores(EPISODE, "nothing known", ["t1"]) == {"t1": 0.0}
    assert dict(store.search(EPISODE, "maria tennis", 10)) == store.scores(EPISODE, "maria tennis", ["t1", "t2", "t3"])


def test_the_bound_is_the_sum_of_idfs(store: Bm25Lexical) -> None:
    assert store.best_possible(EPISODE, "maria tennis unheard of") == pytest.approx(idf(3, 4) + idf(1, 4))
    assert store.best_possible(EPISODE, "tennis tennis") == pytest.approx(idf(1, 4))
    assert store.best_possible(EPISODE, "unheard of") == 0


def test_no_score_passes_the_bound_and_one_nears_it(tmp_path: Path) -> None:
    texts = {f"t{row}": "chess " * 400 for row in range(50)} | {"full": "tennis " * 200 + "rice " * 200}
    store = write(tmp_path, texts)
    bound = store.best_possible(EPISODE, "tennis rice")
    ((_, best),) = store.search(EPISODE, "tennis rice", 1)
    assert 0.99 * bound < best < bound


def test_a_repeated_word_counts_once(store: Bm25Lexical) -> None:
    assert store.search(EPISODE, "tennis tennis Tennis", 5) == store.search(EPISODE, "tennis", 5)


@pytest.mark.parametrize(
    "query",
    ["", " ", "the of and", "unheard", "\0", "\ud800", "🐍🐍", "?!", "会議", "a" * 1_000_000, "x y " * 250_000],
    ids=lambda query: repr(query[:12]),
)
def test_queries_that_find_nothing(store: Bm25Lexical, query: str) -> None:
    assert store.search(EPISODE, query, 5) == []
    assert store.best_possible(EPISODE, query) == 0
    assert store.scores(EPISODE, query, ["t1"]) == {"t1": 0.0}


@pytest.mark.parametrize("query", ["tennis\0", "\ud800 tennis 🐍", "tennis " + "chess " * 200_000])
def test_queries_that_find_in_spite_of_themselves(store: Bm25Lexical, query: str) -> None:
    assert "t1" in ids(store.search(EPISODE, query, 5))


def test_writing_without_spaces(tmp_path: Path) -> None:
    store = write(
        tmp_path, {"ja": "明日は東京で会議があります", "zh": "我喜欢网球", "ko": "회의가 있습니다", "en": "tennis"}
    )
    assert ids(store.search(EPISODE, "会議", 5)) == ["ja"]
    assert ids(store.search(EPISODE, "网球", 5)) == ["zh"]
    assert ids(store.search(EPISODE, "회의가", 5)) == ["ko"]


def test_marks_of_latin_letters_make_no_difference(tmp_path: Path) -> None:
    texts = {"composed": "café", "decomposed": "cafe\u0301", "plain": "cafe", "wide": "ｃａｆｅ"}
    store = write(tmp_path, {**texts, "polish": "Łukasz", "danish": "Østergaard", "greek": "Ελένη"})
    assert sorted(id_ for id_, _ in store.search(EPISODE, "CAFÉ", 9)) == sorted(texts)
    assert ids(store.search(EPISODE, "lukasz", 5)) == ["polish"]
    assert ids(store.search(EPISODE, "ostergaard", 5)) == ["danish"]
    assert ids(store.search(EPISODE, "Ελένη", 5)) == ["greek"]


def test_the_words_that_make_a_question_find_nothing(tmp_path: Path) -> None:
    store = write(tmp_path, {"a": "what did you do with my phone", "b": "the runbook"})
    assert store.search(EPISODE, "who did what to whom, and why", 5) == []
    assert ids(store.search(EPISODE, "what is my runbook", 5)) == ["b"]


@pytest.mark.parametrize("texts", [{}, {"a": ""}, {"a": "the of", "b": "?"}], ids=["no text", "empty", "stop words"])
def test_nothing_to_index(tmp_path: Path, texts: dict[str, str]) -> None:
    write(tmp_path, texts).close()
    store = Bm25Lexical.open(tmp_path / "words")
    assert store.search(EPISODE, "tennis", 5) == []
    assert store.best_possible(EPISODE, "tennis") == 0
    assert store.scores(EPISODE, "tennis", ["a", "z"]) == dict.fromkeys(texts.keys() & {"a"}, 0.0)


def test_an_empty_text_among_others(tmp_path: Path) -> None:
    store = write(tmp_path, {"a": "", "b": "tennis", "c": "the"})
    assert ids(store.search(EPISODE, "tennis", 5)) == ["b"]


def test_fields_are_apart_and_one_that_is_not_given_is_empty(tmp_path: Path) -> None:
    store = Bm25Lexical.create(tmp_path / "words")
    assert store.search(EPISODE, "tennis", 5) == []
    store.write({EPISODE: (["a"], ["tennis"]), STATEMENT: (["b"], ["Maria plays tennis"])})
    assert ids(store.search(EPISODE, "tennis", 5)) == ["a"]
    assert ids(store.search(STATEMENT, "tennis", 5)) == ["b"]
    assert store.search(LexicalField.WINDOW, "tennis", 5) == []
    store.write({STATEMENT: (["b"], ["chess"])})
    assert store.search(EPISODE, "tennis", 5) == []


def test_writing_tells_how_far_it_is(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    texts = {EPISODE: (["a", "b"], ["one", "two"]), LexicalField.STATEMENT: (["c"], ["three"])}
    Bm25Lexical.create(tmp_path / "words").write(texts, lambda *call: calls.append(call))
    assert calls == [("words", 2, 3), ("words", 3, 3)]


def test_what_was_written_is_there_when_opened(tmp_path: Path) -> None:
    texts = {"'; DROP": "tennis", "x" * 512: "tennis chess", "会議 🐍": "chess"}
    before = write(tmp_path, texts).search(EPISODE, "tennis chess", 5)
    after = Bm25Lexical.open(tmp_path / "words").search(EPISODE, "tennis chess", 5)
    assert after == before
    assert set(ids(after)) == set(texts)
    assert [entry.name for entry in tmp_path.iterdir()] == ["words"]


def test_a_reader_goes_on_while_another_writes(tmp_path: Path) -> None:
    write(tmp_path)
    reader = Bm25Lexical.open(tmp_path / "words")
    write(tmp_path, {"new": "tennis"})
    assert ids(reader.search(EPISODE, "tennis", 5)) == ["t1"]
    assert ids(Bm25Lexical.open(tmp_path / "words").search(EPISODE, "tennis", 5)) == ["new"]


def test_ids_and_texts_must_fit(tmp_path: Path) -> None:
    store = write(tmp_path)
    with pytest.raises(StoreError, match="2 ids, 1 of them distinct"):
        store.write({EPISODE: (["a", "a"], ["x", "y"])})
    with pytest.raises(StoreError, match="1 ids"):
        store.write({EPISODE: (["a"], [])})
    assert ids(store.search(EPISODE, "tennis", 5)) == ["t1"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["words"]


def test_many_threads_read_the_same(store: Bm25Lexical) -> None:
    expected = store.search(EPISODE, "maria cooked", 5)
    answers: list[list[tuple[str, float]]] = []

    def search() -> None:
        answers.extend(store.search(EPISODE, "maria cooked", 5) for _ in range(50))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 200


def test_a_closed_store_says_so(store: Bm25Lexical) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.search(EPISODE, "tennis", 5)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceDamaged, match="core-search rebuild"):
        Bm25Lexical.open(tmp_path / "words")


@pytest.mark.parametrize(
    "name",
    [
        "ids.json",
        "data.csc.index.npy",
        "indices.csc.index.npy",
        "indptr.csc.index.npy",
        "vocab.index.json",
        "params.index.json",
    ],
)
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "garbage"])
def test_damaged_files_name_the_remedy(tmp_path: Path, name: str, damage: str) -> None:
    write(tmp_path).close()
    file = tmp_path / "words" / EPISODE.value / name
    size = file.stat().st_size
    if damage == "missing":
        file.unlink()
    elif damage == "garbage":
        file.write_bytes(b"\xff" * size)
    else:
        os.truncate(file, 0 if damage == "empty" else size - 5)
    with pytest.raises(WorkspaceDamaged, match="core-search rebuild") as caught:
        Bm25Lexical.open(tmp_path / "words")
    assert str(tmp_path) in str(caught.value)


def test_files_of_two_writes_do_not_mix(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path / "other", {"a": "tennis"})
    shutil.copy(tmp_path / "other/words/episode/ids.json", tmp_path / "words/episode/ids.json")
    with pytest.raises(WorkspaceDamaged):
        Bm25Lexical.open(tmp_path / "words")
