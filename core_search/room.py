"""Room on the disk, looked for before a memory is written: an engine that meets a full disk ends the whole process."""

from __future__ import annotations

import shutil
from pathlib import Path

from core_search.errors import WorkspaceError
from core_search.models import Memory

# More than loads of 100 to 3,000 episodes took at their peak: an empty graph and its shadow file, the texts in graph,
# rows and words, the vectors in Chroma and in their copy. Others write on the same disk.
_EMPTY_BYTES = 16_000_000
_TIMES_TEXT, _TIMES_VECTORS = 5, 2.5
_ROW_BYTES = 350  # of a row as JSON, beside its text
_FLOAT_BYTES = 4


def bytes_needed(memory: Memory, dimension: int) -> int:
    """How much room a load of the memory takes at most, in bytes."""
    rows = [*memory.labels, *memory.episodes, *memory.entities, *memory.statements, *memory.documents]
    texts = [*(e.content for e in memory.episodes), *(s.fact for s in memory.statements)]
    texts += [d.content for d in memory.documents]
    text = sum(map(len, texts)) + _ROW_BYTES * len(rows)
    return int(_EMPTY_BYTES + _TIMES_TEXT * text + _TIMES_VECTORS * _FLOAT_BYTES * dimension * len(rows))


def check_room(folder: Path, needed: int, name: str) -> None:
    """Raise `WorkspaceError` when the disk of the folder has less than `needed` bytes free."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise WorkspaceError(
            f"workspace {name!r} needs up to {needed / 1e6:,.0f} MB on the disk of {str(folder)!r}, which has "
            f"{free / 1e6:,.0f} MB free; free some, or set CORE_SEARCH_HOME to another disk. Nothing was changed"
        )
