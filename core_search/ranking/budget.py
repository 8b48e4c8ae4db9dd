"""Stage 3.5: what fits the token budget (SPEC 2). Whole items only, in the order they have."""

from __future__ import annotations

from collections.abc import Sequence


def fit(tokens: Sequence[int], limit: int) -> list[bool]:
    """Which items stay: those larger than the whole budget go first, then the tail until the rest fits.

    >>> fit([5, 900, 4, 3], 10)
    [True, False, True, False]
    """
    if limit < 0:
        raise ValueError(f"a token budget cannot be negative: {limit}")
    stays = [count <= limit and limit > 0 for count in tokens]
    used = sum(count for count, stay in zip(tokens, stays, strict=True) if stay)
    for index in reversed(range(len(tokens))):
        if used <= limit:
            break
        if stays[index]:
            stays[index] = False
            used -= tokens[index]
    return stays
