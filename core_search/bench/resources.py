"""How much memory this process has used."""

from __future__ import annotations

import sys

try:
    import resource
except ImportError:  # Windows has none
    resource = None  # type: ignore[assignment]


def peak_memory_mb() -> float:
    """The most memory that this process has had resident so far, in units of 10^6 bytes; 0 where that is not told."""
    if resource is None:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
