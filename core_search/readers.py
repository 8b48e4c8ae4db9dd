"""Who reads a generation: each reader shares a lock on a file in it, so that nobody deletes it under them.

Nobody waits for this lock: who wants to delete a generation that is being read leaves it to the next one who comes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

FILE = "readers"


def enter(generation: Path) -> BinaryIO | None:
    """Share the lock until what is returned is closed; None when the generation is being deleted or is gone.

    A folder that cannot be written and has no such file yet is read without: nobody deletes it either.
    """
    path = generation / FILE
    file: BinaryIO
    try:
        file = path.open("rb")
    except FileNotFoundError:
        try:
            file = path.open("x+b")
        except FileExistsError:
            file = path.open("rb")
        except FileNotFoundError:
            return None
        except OSError:
            file = (generation / "workspace.json").open("rb")
    if not _lock(file, shared=True) or not path.parent.is_dir() or not Path(file.name).exists():
        file.close()
        return None
    return file


@contextmanager
def alone(generation: Path) -> Iterator[bool]:
    """Whether nobody reads the generation; nobody can begin to before the block ends."""
    try:
        file = (generation / FILE).open("a+b")
    except OSError:
        yield not (generation / FILE).exists()
        return
    with file:
        yield _lock(file, shared=False)


def _lock(file: BinaryIO, *, shared: bool) -> bool:
    """Without waiting. Windows refuses to delete files that are open, so that it needs no lock for this."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        # A file system without such locks: then it is as it was before there were any.
        return not isinstance(error, BlockingIOError)
    return True
