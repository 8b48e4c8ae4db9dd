"""Builds one reading statement of the graph from a pattern, conditions and the values that they name.

It knows the order of the clauses and the parameters; the patterns stand in `kuzu_graph`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from core_search.models import TimeRange
from core_search.stores.base import Cypher, Scope
from core_search.stores.kuzu_rows import micros

Bounds = tuple[int | None, int | None]  # microseconds, half open; None is open
WHOLE: Bounds = (None, None)


def bounds(time: TimeRange) -> Bounds:
    return (
        None if time.start is None else micros(time.start),
        None if time.end is None else micros(time.end),
    )


class Query:
    """One MATCH in the making: conditions before and behind the projection, with the parameters that they name."""

    def __init__(self, pattern: str):
        self._parts = [f"MATCH {pattern}"]
        self._conditions: list[str] = []
        self._parameters: dict[str, Any] = {}
        self._columns: tuple[str, ...] = ()

    def among(self, field: str, name: str, values: Sequence[str]) -> None:
        """Restrict to the values; none given does not restrict."""
        if values:
            self._conditions.append(f"{field} IN ${name}")
            self._parameters[name] = [str(value) for value in dict.fromkeys(values)]

    def between(self, field: str, bounds: Bounds, names: tuple[str, str] = ("since", "before")) -> None:
        """Restrict to the range; `names` are those of the parameters."""
        if bounds != WHOLE:
            self._conditions.append(self._range(field, bounds, names))

    def either_between(self, fields: Iterable[str], bounds: Bounds) -> None:
        """Restrict to rows of which one of the fields lies in the range."""
        if bounds != WHOLE:
            ranges = (self._range(field, bounds, ("since", "before")) for field in fields)
            self._conditions.append("(" + " OR ".join(ranges) + ")")

    def _range(self, field: str, bounds: Bounds, names: tuple[str, str]) -> str:
        conditions = []
        for name, operator, bound in zip(names, (">=", "<"), bounds, strict=True):
            if bound is not None:
                conditions.append(f"{field} {operator} ${name}")
                self._parameters[name] = bound
        return " AND ".join(conditions)

    def current(self, field: str, scope: Scope) -> None:
        """`models.is_current`, in the language of the engine."""
        self._conditions.append(f"({field} IS NULL OR {field} > $at)")
        self._parameters["at"] = micros(scope.at)

    def project(self, **columns: str) -> None:
        """End the first WHERE; conditions that follow are about these columns."""
        names = ", ".join(f"{source} AS {name}" for name, source in columns.items())
        self._parts += [*self._where(), f"WITH {names}"]
        self._conditions = []
        self._columns = tuple(columns)

    def _where(self) -> list[str]:
        return ["WHERE " + " AND ".join(self._conditions)] if self._conditions else []

    def returning(self, clause: str, **parameters: int) -> Cypher:
        return Cypher(" ".join([*self._parts, *self._where(), clause]), {**self._parameters, **parameters})

    def newest(self, limit: int) -> Cypher:
        """Columns uuid, validAt and, where one is projected, the first statement."""
        columns = "uuid, validAt, min(statement)" if "statement" in self._columns else "DISTINCT uuid, validAt"
        return self.returning(f"RETURN {columns} ORDER BY validAt DESC, uuid LIMIT $limit", limit=limit)
