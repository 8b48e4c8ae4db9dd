"""Writing a memory into the engines of a new generation: graph, vectors, BM25 and columns."""

from __future__ import annotations

from collections.abc import Sequence

from core_search.models import VOICE_ASPECTS, EntityType, Memory, Namespace
from core_search.providers.base import Embedder
from core_search.stores.base import LexicalField, LexicalStore, Progress, VectorStore
from core_search.stores.catalog import Catalog

BATCH = 512  # texts embedded between two progress reports


def _quiet(what: str, done: int, total: int) -> None:
    return None


def index_vectors(memory: Memory, vectors: VectorStore, embedder: Embedder, progress: Progress | None = None) -> None:
    """Embed everything that is searched by vectors, once a text."""
    report = progress or _quiet
    texts = vector_texts(memory)
    total = sum(len(ids) for ids, _ in texts.values())
    voice = {s.uuid for s in memory.statements if s.aspect in VOICE_ASPECTS}
    done = 0
    for namespace, (ids, contents) in texts.items():
        for start in range(0, len(ids), BATCH):
            part = slice(start, start + BATCH)
            rows = embedder.embed(contents[part])
            vectors.add(namespace, ids[part], rows)
            if namespace is Namespace.STATEMENT:
                # A voice statement is the same text in both namespaces: its vector is copied, not computed again.
                chosen = [row for row, id_ in enumerate(ids[part]) if id_ in voice]
                if chosen:
                    vectors.add(Namespace.ASPECT, [ids[start + row] for row in chosen], rows[chosen])
            done += len(ids[part])
            report("vectors", done, total)


def vector_texts(memory: Memory) -> dict[Namespace, tuple[list[str], list[str]]]:
    """Ids and texts by namespace (SPEC 1, "Vector namespaces"); ASPECT shares the vectors of STATEMENT."""
    entities = [e for e in memory.entities if e.type is not EntityType.PREDICATE]
    return {
        Namespace.LABEL: (
            [label.id for label in memory.labels],
            [f"{label.name}: {label.description}" if label.description else label.name for label in memory.labels],
        ),
        Namespace.ENTITY: ([e.uuid for e in entities], [", ".join((e.name, *e.aliases)) for e in entities]),
        Namespace.STATEMENT: ([s.uuid for s in memory.statements], [s.fact for s in memory.statements]),
        Namespace.EPISODE: ([e.uuid for e in memory.episodes], [e.content for e in memory.episodes]),
        Namespace.COMPACTED_SESSION: (
            [d.id for d in memory.documents],
            [f"{d.title}\n{d.content}" if d.title else d.content for d in memory.documents],
        ),
    }


# A turn of a conversation is understood with its neighbours: two each way find more on LoCoMo than one or three. The
# bound keeps the window of a long episode from being its whole session.
WINDOW_REACH, WINDOW_CHARACTERS = 2, 1_200


def window_text(around: Sequence[str], own: int) -> str:
    """The text at index `own` with whole neighbours, nearest first, while the window stays short enough."""
    first = last = own
    length = len(around[own])
    for near in sorted(range(len(around)), key=lambda at: (abs(at - own), at)):
        if near in (first - 1, last + 1) and length + len(around[near]) <= WINDOW_CHARACTERS:
            length += len(around[near])
            first, last = min(first, near), max(last, near)
    return "\n".join(around[first : last + 1])


def lexical_texts(memory: Memory, catalog: Catalog) -> dict[LexicalField, tuple[Sequence[str], Sequence[str]]]:
    """Ids and texts by field of the BM25 index."""
    content = {e.uuid: e.content for e in memory.episodes}
    windows = []
    for id_ in catalog.episode_ids:
        around = catalog.around(id_, WINDOW_REACH)
        windows.append(window_text([content[near] for near in around], around.index(id_)))
    return {
        LexicalField.EPISODE: (catalog.episode_ids, [content[id_] for id_ in catalog.episode_ids]),
        LexicalField.WINDOW: (catalog.episode_ids, windows),
        LexicalField.STATEMENT: ([s.uuid for s in memory.statements], [s.fact for s in memory.statements]),
        LexicalField.DOCUMENT: (
            [d.id for d in memory.documents],
            [f"{d.title}\n{d.content}" for d in memory.documents],
        ),
    }


def index_lexical(memory: Memory, catalog: Catalog, lexical: LexicalStore, progress: Progress | None = None) -> None:
    lexical.write(lexical_texts(memory, catalog), progress)
