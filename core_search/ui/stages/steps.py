"""One recorded step as a card: what it was asked, what was sent, what came back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core_search.models import ItemKind
from core_search.trace import Entry, Fate, Status, Step, StepItem
from core_search.ui import markup, safe_text, words
from core_search.ui.charts.scores import Bar, score_bars
from core_search.ui.charts.times import milliseconds
from core_search.ui.pictures import item_picture, item_table
from core_search.ui.theme import source_words
from core_search.ui.view import View

MOST_ROWS = 30
# Shown in words elsewhere on the card.
_APART = frozenset({"queries", "resolutions", "threshold", "weights"})


def step_card(view: View, step: Step, entries: Sequence[Entry] = (), *, stage: str) -> None:
    """`entries` are the ledger lines that this step brought in."""
    with st.container(border=True, gap="xsmall"):
        name = f"<strong>{safe_text.span(source_words(step.name))}</strong>"
        if step.status is Status.SKIPPED:
            st.html(f'{name} <span class="cs-dim">skipped: {safe_text.span(step.note)}</span>')
            return
        kept = sum(entry.fate is Fate.KEPT for entry in entries)
        found = f"{len(step.items):,} found" + (f", {kept:,} kept" if entries else "")
        st.html(f'{name} <span class="cs-dim">{found} · {milliseconds(step.duration_ms)}</span>')
        if step.status is Status.FAILED:
            st.error(safe_text.markdown(step.note, 600))
        elif step.note:
            st.html(markup.dim(step.note))
        asked = _asked(step.detail)
        if asked:
            st.html(markup.dim(" · ".join(f"{name} {value}" for name, value in asked)))
        _resolutions(view, step)
        _rows(view, step, entries, f"{stage}_{step.name}")
        _sent(step, f"{stage}_{step.name}")


def _asked(detail: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    for name, value in detail.items():
        if name in _APART or value in (None, "", [], {}):
            continue
        words_of_name = "".join(f" {char.lower()}" if char.isupper() else char for char in name).replace("_", " ")
        rows.append((words_of_name, ", ".join(map(str, value)) if isinstance(value, list) else str(value)))
    return rows


def _resolutions(view: View, step: Step) -> None:
    """What each hint was taken to mean."""
    rows = []
    for resolution in step.detail.get("resolutions", ()):
        for match in (*resolution["matches"], *({**miss, "missed": True} for miss in resolution["nearMisses"])):
            how = {"exact": "by name", "owner": "the owner", "vector": "by similarity"}.get(match["how"], match["how"])
            cosine = "" if match.get("cosine") is None else f"{match['cosine']:.3f}"
            name = view.items.name(ItemKind.ENTITY, str(match["entity"]))
            rows.append((str(resolution["hint"]), name, how, cosine, "near miss" if match.get("missed") else "taken"))
        if not resolution["matches"] and not resolution["nearMisses"]:
            rows.append((str(resolution["hint"]), "", "", "", "nothing like it"))
    if rows:
        threshold = step.detail.get("threshold")
        head = "cosine" if threshold is None else f"cosine ≥ {threshold:g}"
        st.html(markup.table(("hint", "entity", "how", head, ""), rows, numbers=(3,)))


def _rows(view: View, step: Step, entries: Sequence[Entry], key: str) -> None:
    items = step.items[:MOST_ROWS]
    if not items or step.name == "facets":  # counts are drawn as the answer that they are
        return
    dropped = {(entry.kind, entry.id): entry for entry in entries if entry.fate is Fate.DROPPED}
    names = view.items.many((item.kind, item.id) for item in items)
    scored = [item for item in items if item.score is not None]
    if len(scored) == len(items) and len({item.score_name for item in items}) == 1:
        bars = [_bar(item, names[item.kind, item.id].name, dropped.get((item.kind, item.id))) for item in items]
        figure = score_bars(bars, score_name=items[0].score_name or "score", threshold=step.detail.get("threshold"))
        kinds = [item.kind.value for item in items]
        figure.data[0].customdata = [[k, *row] for k, row in zip(kinds, figure.data[0].customdata, strict=True)]
        figure.data[0].hovertemplate = "%{customdata[2]}<br>%{x:.4f}<br>%{customdata[3]}<extra></extra>"
        item_picture(figure, f"{key}_bars", f"scores of {source_words(step.name)}")
    else:
        rows = []
        for item in items:
            known, entry = names[item.kind, item.id], dropped.get((item.kind, item.id))
            rows.append(
                {
                    "when": known.when.strftime("%Y-%m-%d") if known.when else "",
                    "fate": words.reason(entry) if entry else "kept",
                    "item": safe_text.one_line(known.name, 140),
                }
            )
        item_table(rows, [(item.kind.value, item.id) for item in items], f"{key}_rows", most_rows=7)
    if len(step.items) > MOST_ROWS:
        st.html(markup.dim(f"and {len(step.items) - MOST_ROWS:,} more"))


def _bar(item: StepItem, name: str, dropped: Entry | None) -> Bar:
    note = words.reason(dropped) if dropped else ""
    return Bar(item.id, name, float(item.score or 0.0), strong=dropped is None, note=note)


def _sent(step: Step, key: str) -> None:
    queries = step.detail.get("queries", ())
    if not queries:
        return
    with st.expander(f"Cypher ({len(queries)})", key=f"{key}_cypher"):
        for query in queries:
            st.code(str(query.get("query", "")).strip(), language="cypher", wrap_lines=True)
            parameters = json.dumps(query.get("parameters", {}), indent=1, ensure_ascii=False, default=str)
            st.code(parameters, language="json", wrap_lines=True)
