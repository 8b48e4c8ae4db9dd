"""How much two rankings have in common."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

# Weight of a rank against the one before it. With .9 the first ten ranks carry 86 % of the measure, which is about
# what an agent reads.
PERSISTENCE = 0.9


def jaccard(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Shared items over all items, whatever their order; 1 for two empty rankings."""
    one, two = set(first), set(second)
    return len(one & two) / len(one | two) if one or two else 1.0


def rank_biased_overlap(
    first: Sequence[Hashable], second: Sequence[Hashable], persistence: float = PERSISTENCE
) -> float:
    """Rank-biased overlap, extrapolated beyond the ends of both rankings, in 0..1.

    RBO_EXT of Webber, Moffat and Zobel (2010), "A Similarity Measure for Indefinite Rankings", equation 32: agreement
    at the top counts more, and rankings may have different lengths. Each item may occur once in a ranking.

    >>> rank_biased_overlap("abc", "abc"), rank_biased_overlap("abc", "xyz")
    (1.0, 0.0)
    """
    short, long = sorted((first, second), key=len)
    if not short:
        return 0.0 if long else 1.0
    p, s, n = persistence, len(short), len(long)
    seen_short: set[Hashable] = set()
    seen_long: set[Hashable] = set()
    shared = shared_at_short = 0
    total = 0.0
    for depth in range(1, n + 1):
        item = long[depth - 1]
        seen_long.add(item)
        shared += item in seen_short
        if depth <= s:
            other = short[depth - 1]
            seen_short.add(other)
            shared += other in seen_long
            shared_at_short = shared
            total += shared / depth * p**depth
        else:
            total += (shared / depth + shared_at_short * (depth - s) / (s * depth)) * p**depth
    tail = ((shared - shared_at_short) / n + shared_at_short / s) * p**n
    return min(1.0, round((1 - p) / p * total + tail, 12))
