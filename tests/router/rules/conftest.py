"""A small memory's names, and one extractor over them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from core_search.models import Extraction, MatchedLabel
from core_search.providers.base import Question
from core_search.router.rules import RulesExtractor

LISBON = ZoneInfo("Europe/Lisbon")
Extract = Callable[..., Extraction]


class FewNames:
    """`KnownNames` over a handful of names; as words, any case."""

    names = ("Alice", "Bob", "Alice Moreno", "wife", "my manager", "Lumen", "Harbour trip", "mortgage", "田中健", "Go")
    keys = frozenset({"birthday", "phone", "port", "office_hours", "session_price", "closes", "date", "place", "when"})

    def find_in(self, text: str) -> list[str]:
        found: list[str] = []
        for name in sorted(self.names, key=len, reverse=True):
            pattern = re.escape(name) if not name.isascii() else rf"(?<!\w){re.escape(name)}(?!\w)"
            found += [match[0] for match in re.finditer(pattern, text, re.IGNORECASE) if match[0] not in found]
        return found

    def knows(self, name: str) -> bool:
        return name.casefold() in {known.casefold() for known in self.names}

    def attribute_keys(self) -> frozenset[str]:
        return self.keys

    def attribute_keys_of(self, name: str) -> frozenset[str]:
        return self.keys if self.knows(name) else frozenset()


@pytest.fixture(scope="session")
def names() -> FewNames:
    return FewNames()


@pytest.fixture(scope="session")
def now() -> datetime:
    return datetime(2026, 3, 1, 18, tzinfo=LISBON)  # a Sunday


@pytest.fixture(scope="session")
def extract(names: FewNames, now: datetime) -> Extract:
    extractor = RulesExtractor()

    def run(query: str, labels: tuple[MatchedLabel, ...] = ()) -> Extraction:
        return extractor.extract(Question(query, now, LISBON.key, labels, names)).extraction

    return run
