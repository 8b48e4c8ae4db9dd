"""Look at the stores of a generation in a process of its own: what crashes there crashes nobody else.

Run as `python -m core_search.stores.probe PATH ENGINE`; reads every row, and ends with 0 when that went well.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from core_search.errors import CoreSearchError, WorkspaceDamaged
from core_search.stores.seal import GRAPH, LOAD_AGAIN, REBUILD

TIMEOUT_S = 300  # a hundred thousand episodes take some 20 s
_READ = 2_000  # rows a read


def probe(path: Path, name: str, engine: str) -> None:
    """Raise `WorkspaceDamaged` when the graph or the vectors at `path` cannot be read, or end the process that does."""
    if not path.exists():
        return  # on a server, or missing: opening it tells
    remedy = LOAD_AGAIN if path.name == GRAPH else REBUILD.format(name=name)
    command = [sys.executable, "-m", "core_search.stores.probe", str(path), engine]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise WorkspaceDamaged(f"workspace {name!r}: reading {path.name!r} does not end; {remedy}") from None
    if ended.returncode:
        said = ended.stderr.strip().splitlines()[-1:] if ended.returncode > 0 else []
        reason = said[0] if said else f"reading it ends the process (code {ended.returncode})"
        raise WorkspaceDamaged(f"workspace {name!r}: {path.name!r} cannot be read: {reason}; {remedy}")


def _read_graph(path: Path, engine: str) -> None:
    from core_search.stores.kuzu_graph import KuzuGraph

    with KuzuGraph.open(path, engine) as graph:
        graph.memory()


def _read_vectors(path: Path) -> None:
    from core_search.models import Namespace
    from core_search.stores.chroma_vectors import ChromaVectors

    store = ChromaVectors.open(path)
    for namespace in Namespace:
        collection = store.engine_collection(namespace)
        for start in range(0, collection.count() if collection is not None else 0, _READ):
            assert collection is not None
            found: Any = collection.get(limit=_READ, offset=start, include=["embeddings"])["embeddings"]
            if start == 0 and found is not None and len(found):
                collection.query(query_embeddings=np.asarray(found[:1], dtype=np.float32), n_results=1)
    store.close()


if __name__ == "__main__":
    where = Path(sys.argv[1])
    try:
        _read_vectors(where) if where.is_dir() else _read_graph(where, sys.argv[2])
    except CoreSearchError as error:
        sys.exit(str(error))
