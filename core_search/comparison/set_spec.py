"""What is to be compared over a query set, and one search of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from core_search.comparison.side import MOST_SIDES
from core_search.evaluation.outcomes import DEPTH, Outcome
from core_search.evaluation.variants import RANKED
from core_search.models import Value
from core_search.options import SearchOptions

MOST_REPETITIONS = 10


class Configuration(Value):
    """A name and the settings that it changes."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    changes: dict[str, Any] = Field(default_factory=dict)


class SetSpec(Value):
    """Two to six configurations over judged queries of a workspace: those it was loaded with, or of a set of people.

    `as_answered` measures what an agent gets: floors, limit and budget cut. Without it the whole ranking is measured to
    `depth`, and what a configuration itself says of those settings goes before that. `repetitions` above 1 show how far
    a model's extraction alone moves the result.
    """

    workspace: str
    set_id: str = ""  # of the query set; empty: as loaded
    configurations: tuple[Configuration, ...] = Field(min_length=2, max_length=MOST_SIDES)
    query_ids: tuple[str, ...]
    depth: int = Field(default=DEPTH, ge=1, le=1_000)
    as_answered: bool = False
    repetitions: int = Field(default=1, ge=1, le=MOST_REPETITIONS)

    @property
    def searches(self) -> int:
        return len(self.configurations) * len(self.query_ids) * self.repetitions

    def changes_of(self, configuration: int, defaults: SearchOptions) -> dict[str, Any]:
        """Every setting that a search of this configuration changes."""
        own = self.configurations[configuration].changes
        # A ranked run lets nothing be cut; as an agent gets it, what it sets aside goes back to the defaults.
        cuts: Mapping[str, Any] = {key: getattr(defaults, key) for key in RANKED} if self.as_answered else RANKED
        return {**cuts, **own}


class Cell(Value):
    """One query in one configuration."""

    configuration: int
    repetition: int = 0
    outcome: Outcome
