"""The tables of a search or a comparison as CSV, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence

from core_search.answers import answers_of
from core_search.comparison.report import Comparison, Move
from core_search.comparison.side import Side, value_in_words
from core_search.evidence.written import query_of, texts_of
from core_search.spreadsheet import defused

Cell = str | int | float | None
Table = tuple[tuple[str, ...], list[tuple[Cell, ...]]]


def csv_text(table: Table) -> str:
    """CSV with a header (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front."""
    head, rows = table
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([defused(name) for name in head])
    writer.writerows([[defused(cell) for cell in row] for row in rows])
    return out.getvalue()


def zipped(tables: Mapping[str, Table]) -> bytes:
    """All tables as files of one zip. A byte order mark tells spreadsheets that it is UTF-8."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, table in tables.items():
            archive.writestr(f"{name}.csv", "\ufeff" + csv_text(table))
    return out.getvalue()


def run_tables(side: Side, texts: bool = True) -> dict[str, Table]:
    """`search`, `answer`, `ledger` and `times` of one search."""
    return {
        "search": _search(side, texts),
        "answer": _answer(side, texts),
        "ledger": _ledger(side),
        "times": (
            ("stage", "step", "status", "start_ms", "duration_ms"),
            [
                row
                for stage in side.trace.stages
                for row in (
                    (stage.name, "", stage.status.value, stage.start_ms, stage.duration_ms),
                    *((stage.name, s.name, s.status.value, s.start_ms, s.duration_ms) for s in stage.steps),
                )
            ],
        ),
    }


def comparison_tables(sides: Sequence[Side], comparison: Comparison, texts: bool = True) -> dict[str, Table]:
    """`differences` of the setups, `items` with their ranks and moves, and `parting` by stage."""
    names = comparison.names
    known = {key: text for side in reversed(sides) for key, text in texts_of(side.result).items()} if texts else {}
    setups: list[tuple[Cell, ...]] = [
        (found.area.value, found.name, *(_kept(found.name, found.values, texts))) for found in comparison.setups
    ]
    items: list[tuple[Cell, ...]] = []
    for row in comparison.rows:
        moves = [row.move(place) for place in range(1, len(names))]
        climbed = [row.climbed(place) for place in range(1, len(names))]
        shown = [value if value is not None else "" if move is Move.ABSENT else move.value
                 for value, move in zip(climbed, moves, strict=True)]  # fmt: skip
        items.append(
            (row.part, row.kind.value, row.id, *row.ranks, *shown, *row.scores, known.get((row.kind, row.id), ""))
        )
    heads = (
        *(f"rank_{name}" for name in names),
        *(f"move_{name}" for name in names[1:]),
        *(f"score_{name}" for name in names),
    )
    parting: list[tuple[Cell, ...]] = []
    for pair in comparison.pairs:
        parting += [(names[pair.side], found.stage, "yes" if found.text else "no", found.text if texts else "")
                    for found in pair.stages]  # fmt: skip
    return {
        "differences": (("area", "name", *names), setups),
        "items": (("list", "kind", "id", *heads, "text"), items),
        "parting": (("against_A", "stage", "differs", "text"), parting),
    }


def _kept(name: str, values: Sequence[str], texts: bool) -> Iterable[str]:
    return values if texts or name != "query" else ["(left out)"] * len(values)


def _search(side: Side, texts: bool) -> Table:
    rows: list[tuple[Cell, ...]] = [
        ("query", query_of(side, texts)),
        ("workspace", side.workspace),
        ("as of", side.now.isoformat() if side.now else ""),
        ("status", "ok" if side.result else "did not run"),
        ("data", side.fingerprint),
        *(("model: " + part, model) for part, model in side.providers.items()),
        *((name, value_in_words(getattr(side.options, name))) for name in type(side.options).model_fields),
    ]
    return ("name", "value"), rows


def _answer(side: Side, texts: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    if side.result:
        known = texts_of(side.result) if texts else {}
        scores = {e.uuid: (e.score_name, e.score, e.tokens) for e in side.result.episodes}
        for part, keys in answers_of(side.result).items():
            for rank, (kind, id_) in enumerate(keys, 1):
                name, score, tokens = scores.get(id_, (None, None, None)) if part == "episodes" else (None, None, None)
                rows.append((part, rank, kind.value, id_, name, score, tokens, known.get((kind, id_), "")))
    return ("list", "rank", "kind", "id", "score_name", "score", "tokens", "text"), rows


def _ledger(side: Side) -> Table:
    names = list(dict.fromkeys(n for stage in side.trace.stages for entry in stage.ledger for n in entry.scores))
    rows: list[tuple[Cell, ...]] = [
        (
            stage.name,
            entry.kind.value,
            entry.id,
            entry.fate.value,
            entry.code.value if entry.code else "",
            entry.rank_in,
            entry.rank_out,
            " ".join(entry.sources),
            *(entry.scores.get(name) for name in names),
        )
        for stage in side.trace.stages
        for entry in stage.ledger
    ]
    return ("stage", "kind", "id", "fate", "code", "rank_in", "rank_out", "sources", *names), rows
