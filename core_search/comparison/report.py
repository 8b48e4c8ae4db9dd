"""Two to six searches side by side: what was asked otherwise, what came back otherwise, and where they part."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from core_search.answers import answers_of
from core_search.comparison.overlap import jaccard, rank_biased_overlap
from core_search.comparison.parting import Parting, StageDifference, parting, stage_differences
from core_search.comparison.setups import SetupDifference, setup_differences
from core_search.comparison.side import MOST_SIDES, Side
from core_search.errors import UsageError
from core_search.models import ItemKind, Value
from core_search.results import SearchResult


class Move(StrEnum):
    """What became of an item from the first side to another one."""

    NEW = "new"
    GONE = "gone"
    UP = "up"
    DOWN = "down"
    SAME = "same"
    ABSENT = "absent"  # on neither of the two sides


class Row(Value):
    """One item on all sides: its rank in its list and the score that it was ordered by, None where it is missing."""

    part: str  # the list of the answer, as in the wire format
    kind: ItemKind
    id: str
    ranks: tuple[int | None, ...]
    scores: tuple[float | None, ...]

    def move(self, side: int, reference: int = 0) -> Move:
        before, after = self.ranks[reference], self.ranks[side]
        if before is None:
            return Move.ABSENT if after is None else Move.NEW
        if after is None:
            return Move.GONE
        return Move.SAME if after == before else Move.UP if after < before else Move.DOWN

    def climbed(self, side: int, reference: int = 0) -> int | None:
        """Ranks gained, negative for ranks lost; None when it is missing on one side."""
        before, after = self.ranks[reference], self.ranks[side]
        return None if before is None or after is None else before - after


class Pair(Value):
    """One side against the first. Without `comparable` one of them did not run: no counts, never zero results."""

    side: int
    comparable: bool
    new: int = 0
    gone: int = 0
    up: int = 0
    down: int = 0
    same: int = 0
    jaccard: float | None = None
    rank_biased_overlap: float | None = None
    parting: Parting | None = None
    stages: tuple[StageDifference, ...] = ()
    text: str

    @property
    def changed(self) -> int:
        return self.new + self.gone + self.up + self.down


class Comparison(Value):
    """`pairs` are the second side and those behind it, each against the first. Rows stand in the order of the first."""

    names: tuple[str, ...]
    setups: tuple[SetupDifference, ...]
    pairs: tuple[Pair, ...]
    rows: tuple[Row, ...]


def compare(sides: Sequence[Side]) -> Comparison:
    """Compare the first side with each other one. `UsageError` unless there are two to six."""
    if not 2 <= len(sides) <= MOST_SIDES:
        raise UsageError(f"{len(sides)} searches cannot be compared; give 2 to {MOST_SIDES}")
    rows = aligned([side.result for side in sides])
    pairs = tuple(_pair(sides, rows, place) for place in range(1, len(sides)))
    return Comparison(names=tuple(side.name for side in sides), setups=setup_differences(sides), pairs=pairs, rows=rows)


def aligned(results: Sequence[SearchResult | None]) -> tuple[Row, ...]:
    """A row for each item of any result: first those of the first one in its order, then what the others add."""
    ranks: dict[tuple[str, ItemKind, str], dict[int, int]] = {}
    scores: dict[tuple[str, ItemKind, str], dict[int, float]] = {}
    parts: list[str] = []
    for side, result in enumerate(results):
        if result is None:
            continue
        known = _scores(result)
        for part, keys in answers_of(result).items():
            if part not in parts:
                parts.append(part)
            for rank, (kind, id_) in enumerate(keys, 1):
                ranks.setdefault((part, kind, id_), {})[side] = rank
                if (score := known.get((part, id_))) is not None:
                    scores.setdefault((part, kind, id_), {})[side] = score
    places = range(len(results))
    rows = [
        Row(
            part=key[0],
            kind=key[1],
            id=key[2],
            ranks=tuple(of.get(place) for place in places),
            scores=tuple(scores.get(key, {}).get(place) for place in places),
        )
        for key, of in ranks.items()
    ]
    return tuple(sorted(rows, key=lambda row: (parts.index(row.part), _first(row))))


def _first(row: Row) -> tuple[int, int]:
    place = next(place for place, rank in enumerate(row.ranks) if rank is not None)
    return place, row.ranks[place] or 0


def _scores(result: SearchResult) -> dict[tuple[str, str], float]:
    """The score that each item was ordered by, by list and id."""
    found: dict[tuple[str, str], float] = {}
    for part, items in (
        ("episodes", result.episodes),
        ("statements", result.statements),
        ("voiceStatements", result.voice_statements),
    ):
        found |= {(part, item.uuid): item.score for item in items if item.score is not None}
    if facets := result.facets:
        found |= {("facets.topics", topic.label_id): float(topic.episode_count) for topic in facets.topics}
        found |= {("facets.entities", one.entity_uuid): float(one.mention_count) for one in facets.entities}
    return found


def _pair(sides: Sequence[Side], rows: Sequence[Row], place: int) -> Pair:
    first, second = sides[0], sides[place]
    absent = [side.name for side in (first, second) if side.result is None]
    where, stages = parting(first, second), stage_differences(first, second)
    if absent:
        text = f"{' and '.join(absent)} did not run, so there is nothing to compare."
        return Pair(side=place, comparable=False, parting=where, stages=stages, text=text)
    moves = [row.move(place) for row in rows]
    counts = {move: moves.count(move) for move in Move}
    before, after = (
        [(row.kind, row.id) for row in sorted(rows, key=lambda row: _order(row, at)) if row.ranks[at] is not None]
        for at in (0, place)
    )
    return Pair(
        side=place,
        comparable=True,
        new=counts[Move.NEW],
        gone=counts[Move.GONE],
        up=counts[Move.UP],
        down=counts[Move.DOWN],
        same=counts[Move.SAME],
        jaccard=jaccard(before, after),
        rank_biased_overlap=rank_biased_overlap(list(dict.fromkeys(before)), list(dict.fromkeys(after))),
        parting=where,
        stages=stages,
        text=_in_words(counts, rows, place),
    )


_PARTS = ("episodes", "statements", "entity", "facets.topics", "facets.entities", "voiceStatements")


def _order(row: Row, side: int) -> tuple[int, int]:
    """The lists one behind the other make one ranking."""
    return _PARTS.index(row.part) if row.part in _PARTS else len(_PARTS), row.ranks[side] or 0


def _in_words(counts: dict[Move, int], rows: Sequence[Row], place: int) -> str:
    if not any(counts[move] for move in (Move.NEW, Move.GONE, Move.UP, Move.DOWN)):
        kept = counts[Move.SAME]
        if not kept:
            return "Nothing changed: both are empty."
        rescored = sum(row.scores[0] != row.scores[place] for row in rows if row.move(place) is Move.SAME)
        order = "the same item" if kept == 1 else f"the same {kept} items in the same order"
        return f"Nothing changed: {order}." + (f" The scores of {rescored} differ." if rescored else "")
    shown = (Move.NEW, Move.GONE, Move.UP, Move.DOWN, Move.SAME)
    return ", ".join(f"{counts[move]} {move.value}" for move in shown if counts[move]) + "."
