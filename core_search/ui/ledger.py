"""The ledger of a stage as a table: every item that came in, kept or dropped with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core_search.trace import Entry, Fate
from core_search.ui import safe_text, words
from core_search.ui.pictures import item_table
from core_search.ui.theme import source_words
from core_search.ui.view import View

SCORE = st.column_config.NumberColumn(format="%.4f", width="small")
TEXT_WIDTH = None  # what the other columns leave


def delta(entry: Entry) -> str:
    """The move from the rank before to the rank after, signed."""
    if entry.rank_in is None or entry.rank_out is None:
        return "new" if entry.rank_out is not None else ""
    moved = entry.rank_in - entry.rank_out
    return f"▲ +{moved}" if moved > 0 else f"▼ −{-moved}" if moved < 0 else "="


def ledger_table(
    view: View, entries: Sequence[Entry], key: str, *, scores: Sequence[str] | None = None, moves: bool = False
) -> None:
    """One row an entry. `scores` names the columns of scores, by default all there are."""
    if not entries:
        st.caption("Nothing here.")
        return
    names = view.items.many((entry.kind, entry.id) for entry in entries)
    score_names = list(scores) if scores is not None else list(dict.fromkeys(n for e in entries for n in e.scores))
    mixed = len({entry.kind for entry in entries}) > 1
    rows = []
    for entry in entries:
        row: dict[str, Any] = {"in": entry.rank_in, "out": entry.rank_out}
        if moves:
            row["move"] = delta(entry)
        if mixed:
            row["kind"] = entry.kind.value
        # Text after what is short: in a narrow window it is the text that runs out of sight.
        named = [(name.replace("_", " "), entry.scores.get(name)) for name in score_names]
        row |= named[:1]
        row["fate"] = "kept" if entry.fate is Fate.KEPT else words.reason(entry)
        row["item"] = safe_text.one_line(names[entry.kind, entry.id].name, 160)
        row |= named[1:]
        row["found by"] = ", ".join(source_words(source) for source in entry.sources)
        rows.append(row)
    columns: dict[str, Any] = {name.replace("_", " "): SCORE for name in score_names}
    columns |= {
        "in": st.column_config.NumberColumn(width=40, help="rank before this stage"),
        "out": st.column_config.NumberColumn(width=40, help="rank after this stage"),
        "move": st.column_config.TextColumn(width=64),
        "item": st.column_config.TextColumn(width=TEXT_WIDTH),
        "kind": st.column_config.TextColumn(width=80),
    }
    item_table(rows, [(entry.kind.value, entry.id) for entry in entries], key, columns=columns)


def kept_and_dropped(view: View, entries: Sequence[Entry], key: str, **options: Any) -> None:
    """The ledger in two tabs; only the open one is drawn."""
    kept = [entry for entry in entries if entry.fate is Fate.KEPT]
    dropped = [entry for entry in entries if entry.fate is Fate.DROPPED]
    titles = [f"Kept {len(kept)}", f"Dropped {len(dropped)}"]
    first, second = st.tabs(titles, key=f"{key}_tabs_{view.run.id}", on_change="rerun")
    if first.open:
        with first:
            ledger_table(view, kept, f"{key}_kept", **options)
    if second.open:
        with second:
            ledger_table(view, dropped, f"{key}_dropped", **options)
