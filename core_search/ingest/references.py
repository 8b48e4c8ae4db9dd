"""Whether the records of a bundle fit together: what refers to what, and facts that replace each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from core_search.ingest.problems import Problems
from core_search.models import Statement

LABELS, EPISODES, ENTITIES, STATEMENTS, DOCUMENTS = (
    f"{name}.jsonl" for name in ("labels", "episodes", "entities", "statements", "documents")
)
# File, then field, then the files one of which must have the id. A fact may be replaced by another fact, or by
# the episode that contradicts it.
REFERENCES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    EPISODES: {"labelIds": (LABELS,)},
    STATEMENTS: {
        "subject": (ENTITIES,),
        "predicate": (ENTITIES,),
        "object": (ENTITIES,),
        "episodeUuids": (EPISODES,),
        "invalidatedBy": (STATEMENTS, EPISODES),
    },
    DOCUMENTS: {"labelIds": (LABELS,)},
}


class Reference(NamedTuple):
    """A field of one line that names an id which one of the `targets` must have."""

    file: str
    line: int
    field: str
    id: str
    targets: tuple[str, ...]


def references_of(file: str, line: int, record: Mapping[str, Any]) -> Iterator[Reference]:
    """The references of one record, whatever else is wrong with it."""
    for field, targets in REFERENCES.get(file, {}).items():
        value = record.get(field)
        if isinstance(value, str):
            yield Reference(file, line, field, value, targets)
        elif isinstance(value, list):
            for index, id_ in enumerate(value):
                if isinstance(id_, str):
                    yield Reference(file, line, f"{field}[{index}]", id_, targets)


def check_references(
    references: list[Reference], lines_of_ids: Mapping[str, Mapping[str, int]], problems: Problems
) -> None:
    """Report every reference to an id that none of its target files has."""
    for file, line, field, id_, targets in references:
        if not any(id_ in lines_of_ids.get(target, ()) for target in targets):
            problems.add(file, line, field, f"{id_!r} is not in {' or '.join(targets)}; add it there or correct the id")


def check_validity(statements: list[tuple[int, Statement]], problems: Problems) -> None:
    """Report facts that end before they begin, and facts that replace each other in a circle."""
    lines = {statement.uuid: line for line, statement in statements}
    for line, statement in statements:
        if statement.invalid_at is not None and statement.invalid_at < statement.valid_at:
            problems.add(
                STATEMENTS,
                line,
                "invalidAt",
                f"{statement.invalid_at.isoformat()} is before validAt {statement.valid_at.isoformat()}; correct one",
            )
    for circle in _circles({s.uuid: s.invalidated_by for _, s in statements if s.invalidated_by}):
        reason = f"{' → '.join(map(repr, [*circle, circle[0]]))} is a circle; a fact cannot replace its own successor"
        problems.add(STATEMENTS, lines[circle[0]], "invalidatedBy", reason)


def _circles(successor: Mapping[str, str]) -> Iterator[list[str]]:
    """Each circle once, from the first of its members on."""
    done: set[str] = set()
    for start in successor:
        path: dict[str, None] = {}
        node: str | None = start
        while node is not None and node not in done and node not in path:
            path[node] = None
            node = successor.get(node)
        if node is not None and node in path:
            members = list(path)
            circle = members[members.index(node) :]
            yield circle
        done.update(path)
