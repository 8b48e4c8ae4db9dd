"""A handful of names that a memory is told to know: those of a labelled example."""

from __future__ import annotations

import re
from collections.abc import Sequence


class FewNames:
    """`KnownNames` over `names`, as the text writes them; each of them may have any of `keys`."""

    def __init__(self, names: Sequence[str], keys: frozenset[str]):
        self._names, self._keys = sorted(names, key=len, reverse=True), keys
        self._folded = {name.casefold() for name in names}

    def find_in(self, text: str) -> list[str]:
        return [name for name in self._names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]

    def knows(self, name: str) -> bool:
        return name.casefold() in self._folded

    def attribute_keys(self) -> frozenset[str]:
        return self._keys

    def attribute_keys_of(self, name: str) -> frozenset[str]:
        return self._keys if self.knows(name) else frozenset()
