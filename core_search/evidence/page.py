"""One HTML file of a search or a comparison: opens offline, runs nothing, loads nothing, shows texts as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from core_search.comparison.report import Comparison, Move
from core_search.comparison.side import Side, value_in_words
from core_search.evidence.tables import Table, run_tables
from core_search.evidence.written import LEFT_OUT, query_of, texts_of
from core_search.options import SearchOptions
from core_search.trace import Entry, Fate, Stage, Status

# A ledger of thousands of rows makes a file that no browser scrolls; the CSV has all of them.
MOST_ENTRIES = 400
_STANDING = {Move.SAME: "=", Move.ABSENT: ""}


@cache
def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("core_search.evidence"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def run_html(side: Side, texts: bool = True) -> str:
    """The search with its answer, stages, ledgers, settings and models."""
    return _templates().get_template("run.html").render(title="A search", texts=texts, **_run(side, texts))


def comparison_html(sides: Sequence[Side], comparison: Comparison, texts: bool = True) -> str:
    """The comparison: setups, counts, rows, stages; then every search of it."""
    known = {key: text for side in reversed(sides) for key, text in texts_of(side.result).items()} if texts else {}
    rows = []
    for row in comparison.rows:
        moves = []
        for place in range(1, len(sides)):
            move, climbed = row.move(place), row.climbed(place)
            signed = f"{'▲' if climbed > 0 else '▼'} {climbed:+d}" if climbed else _STANDING.get(move, move.value)
            moves.append((signed, move.value))
        rows.append(
            {
                "part": row.part,
                "ranks": ["" if rank is None else str(rank) for rank in row.ranks],
                "moves": moves,
                "id": row.id,
                "text": known.get((row.kind, row.id), ""),
            }
        )
    setups = [
        (found.area.value, found.name, [LEFT_OUT] * len(sides) if found.name == "query" and not texts else found.values)
        for found in comparison.setups
    ]
    return (
        _templates()
        .get_template("comparison.html")
        .render(
            title="A comparison of searches",
            texts=texts,
            query=query_of(sides[0], texts),
            names=comparison.names,
            setups=setups,
            pairs=[_pair(comparison, place, texts) for place in range(len(comparison.pairs))],
            rows=rows,
            runs=[{"name": side.name, **_run(side, texts)} for side in sides],
        )
    )


def _pair(comparison: Comparison, place: int, texts: bool) -> dict[str, Any]:
    pair = comparison.pairs[place]
    return {
        "name": comparison.names[pair.side],
        "text": pair.text,
        "jaccard": "" if pair.jaccard is None else f"{pair.jaccard:.2f}",
        "overlap": "" if pair.rank_biased_overlap is None else f"{pair.rank_biased_overlap:.2f}",
        "stage": pair.parting.stage if pair.parting else "nowhere",
        # It may name hints and labels, which somebody wrote.
        "why": pair.parting.text if pair.parting and texts else "",
    }


def _run(side: Side, texts: bool) -> dict[str, Any]:
    tables = run_tables(side, texts)
    longest = max((stage.duration_ms for stage in side.trace.stages), default=0.0) or 1.0
    most = max((stage.in_ for stage in side.trace.stages), default=0) or 1
    return {
        "query": query_of(side, texts),
        "facts": _facts(side),
        "error": ("" if side.result else side.error if texts else "A stage failed."),
        "degraded": (list(side.result.degraded) if side.result and texts else []),
        "route": _route(side, texts),
        "answer": _answer(tables["answer"]),
        "stages": [_stage(stage, longest, most, texts) for stage in side.trace.stages],
        "settings": _settings(side.options),
        "models": list(side.providers.items()),
    }


def _facts(side: Side) -> list[tuple[str, str]]:
    facts = [
        ("workspace", side.workspace),
        ("as of", side.now.isoformat() if side.now else "now"),
        ("made", side.trace.started_at.isoformat(timespec="seconds")),
        ("took", f"{side.trace.duration_ms:,.0f} ms"),
        ("data", side.fingerprint or "unknown"),
        ("trace", side.trace.id),
    ]
    if side.result:
        budget, gate = side.result.budget, side.result.gate
        facts.append(("tokens", f"{budget.used:,} of {budget.limit:,}"))
        facts.append(("gate", f"{'open' if gate.open else 'closed'}, confidence {gate.confidence:.2f}, {gate.reason}"))
    return facts


def _route(side: Side, texts: bool) -> list[tuple[str, str]]:
    router = side.router
    if router is None:
        return []
    written = [
        ("entity hints", ", ".join(router.entity_hints)),
        ("attribute", router.attribute_hint or ""),
        ("labels", ", ".join(f"{m.label_name} {m.score:.3f}" for m in router.matched_labels)),
        ("selected labels", ", ".join(router.selected_labels)),
    ]
    rows = [
        ("query type", router.query_type.value),
        ("aspects", ", ".join(router.aspects)),
        ("time", router.temporal.type.value),
        ("facets", ", ".join(router.facets)),
        *(written if texts else [(name, LEFT_OUT if value else "") for name, value in written]),
    ]
    return [(name, value) for name, value in rows if value]


def _answer(table: Table) -> list[dict[str, str]]:
    found = []
    for part, rank, kind, id_, score_name, score, tokens, text in table[1]:
        shown = f"{score_name} {score:.4f}" if isinstance(score, float) else ""
        row = {"part": part, "rank": rank, "kind": kind, "id": id_, "score": shown, "tokens": tokens, "text": text}
        found.append({key: "" if value is None else str(value) for key, value in row.items()})
    return found


def _stage(stage: Stage, longest: float, most: int, texts: bool) -> dict[str, Any]:
    return {
        "name": stage.name,
        "status": stage.status.value,
        "skipped": stage.status is Status.SKIPPED,
        "note": stage.note if texts else "",
        "in": stage.in_,
        "out": stage.out,
        "dropped": stage.dropped,
        "ms": f"{stage.duration_ms:.1f}",
        "time_width": f"{100 * stage.duration_ms / longest:.1f}",
        "kept_width": f"{100 * stage.out / most:.1f}",
        "lost_width": f"{100 * stage.dropped / most:.1f}",
        "ledger": [_entry(entry) for entry in stage.ledger[:MOST_ENTRIES]],
        "more": max(0, len(stage.ledger) - MOST_ENTRIES),
    }


def _entry(entry: Entry) -> dict[str, str]:
    return {
        "kind": entry.kind.value,
        "id": entry.id,
        "in": "" if entry.rank_in is None else str(entry.rank_in),
        "out": "" if entry.rank_out is None else str(entry.rank_out),
        "fate": "kept" if entry.fate is Fate.KEPT else (entry.code or Fate.DROPPED).replace("_", " "),
        "scores": ", ".join(f"{name} {value:.4f}" for name, value in entry.scores.items()),
        "sources": ", ".join(entry.sources),
    }


def _settings(options: SearchOptions) -> list[tuple[str, str]]:
    return [(name, value_in_words(getattr(options, name))) for name in type(options).model_fields]
