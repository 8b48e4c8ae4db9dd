"""Model files that come as data of installed packages, read without importing those packages, and verified."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from core_search.errors import ProviderError


@dataclass(frozen=True, slots=True)
class PackagedFile:
    """A file of a distribution, with the SHA-256 of its bytes (None: the reader checks what it unpacks)."""

    distribution: str
    version: str
    path: str
    sha256: str | None

    @property
    def remedy(self) -> str:
        return f"run: pip install --force-reinstall {self.distribution}=={self.version}"

    def read(self) -> bytes:
        """The bytes. `ProviderError` when the package or the file is missing, or when the bytes are others."""
        try:
            content = Path(str(distribution(self.distribution).locate_file(self.path))).read_bytes()
        except PackageNotFoundError:
            raise ProviderError(f"package {self.distribution!r} is not installed; {self.remedy}") from None
        except OSError as error:
            raise ProviderError(
                f"{self.path!r} of package {self.distribution!r} cannot be read ({error.strerror}); {self.remedy}"
            ) from None
        if self.sha256 is not None:
            self.verify(content, self.sha256)
        return content

    def verify(self, content: bytes, sha256: str) -> None:
        """Refuse bytes with another SHA-256 than the pinned one: another model gives other vectors silently."""
        found = hashlib.sha256(content).hexdigest()
        if found != sha256:
            raise ProviderError(
                f"{self.path!r} of package {self.distribution!r} has SHA-256 {found}, expected {sha256}; {self.remedy}"
            )
