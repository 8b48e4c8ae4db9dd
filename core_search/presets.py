"""Presets: named sets of changed settings, kept beside the runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, String, Table, Text, delete, insert, select

from core_search.database import Database, metadata
from core_search.errors import UnknownItem, UsageError
from core_search.options import SearchOptions

NAME_LENGTH = 60

presets = Table(
    "presets",
    metadata,
    Column("name", String(NAME_LENGTH), primary_key=True),
    Column("changes", Text, nullable=False),  # JSON object: setting to value
)


class Presets:
    """The presets of one installation. A preset has the changes only, so that it follows the defaults of the models."""

    def __init__(self, database: Database):
        self._database = database

    def names(self) -> list[str]:
        with self._database.transaction() as connection:
            return list(connection.execute(select(presets.c.name).order_by(presets.c.name)).scalars())

    def load(self, name: str) -> dict[str, Any]:
        """The changes; keys that this version does not know any more are left out."""
        with self._database.transaction() as connection:
            text = connection.execute(select(presets.c.changes).where(presets.c.name == name)).scalar()
        if text is None:
            raise UnknownItem(f"there is no preset {name!r}")
        return {key: value for key, value in json.loads(text).items() if key in SearchOptions.model_fields}

    def save(self, name: str, changes: Mapping[str, Any]) -> None:
        """Keep or overwrite. The changes are checked."""
        name = " ".join(name.split())
        if not 1 <= len(name) <= NAME_LENGTH:
            raise UsageError(f"a preset's name has 1 to {NAME_LENGTH} characters, not {len(name)}")
        checked = SearchOptions().with_changes(changes).model_dump(mode="json", include=set(changes))
        with self._database.transaction() as connection:
            connection.execute(delete(presets).where(presets.c.name == name))
            connection.execute(insert(presets).values(name=name, changes=json.dumps(checked)))

    def delete(self, name: str) -> None:
        with self._database.transaction() as connection:
            if not connection.execute(delete(presets).where(presets.c.name == name)).rowcount:
                raise UnknownItem(f"there is no preset {name!r}")
