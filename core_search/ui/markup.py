"""Small pieces of HTML that Streamlit has no element for. Everything that comes in is text and is escaped here."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core_search.ui import safe_text


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """Names and values in two columns."""
    cells = "".join(
        f'<div class="k">{html.escape(name)}</div><div class="v" dir="auto">{html.escape(value)}</div>'
        for name, value in rows
    )
    return f'<div class="cs-facts">{cells}</div>'


def tags(names: Iterable[str], style: str = "") -> str:
    """Short words in a row, each in a pill. Style: `on` for chosen ones, `off` for those that missed."""
    return "".join(f'<span class="cs-tag {style}">{safe_text.span(name, length=80)}</span>' for name in names)


def table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Sequence[int] = (), short: Sequence[int] = ()
) -> str:
    """A table of plain text; the columns in `numbers` stand to the right, those in `short` are not broken."""

    def look(at: int) -> str:
        return "n" if at in numbers else "s" if at in short else ""

    def row(cells: Sequence[str], cell: str) -> str:
        return "".join(
            f'<{cell} class="{look(at)}" dir="auto">{html.escape(text)}</{cell}>' for at, text in enumerate(cells)
        )

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in rows)
    return (
        f'<div class="cs-scroll"><table class="cs-table"><thead><tr>{row(heads, "th")}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


@dataclass(frozen=True, slots=True)
class Stretch:
    """A bar from `start` on, `length` long, both shares of the whole width. `look`: "", `soft`, or `bad`."""

    name: str
    start: float
    length: float
    words: str
    look: str = ""


def bars(rows: Iterable[Stretch], alt: str) -> str:
    """Bars to read, each with its words behind it: nothing to click or to hover, so that they are there at once."""
    cells = "".join(
        f'<div class="k {row.look}">{html.escape(row.name)}</div><div class="b">'
        f'<i class="{row.look}" style="margin-left:{row.start:.2%};width:{row.length:.2%}"></i>'
        f"<span>{html.escape(row.words)}</span></div>"
        for row in rows
    )
    return f'<div class="cs-bars" role="img" aria-label="{html.escape(alt)}">{cells}</div>'


def caption(text: str) -> str:
    """A small heading over a group."""
    return f'<div class="cs-cap">{html.escape(text)}</div>'


def dim(text: str) -> str:
    """A remark."""
    return f'<div class="cs-dim" dir="auto">{html.escape(text)}</div>'


def item_id(text: str) -> str:
    return f'<div class="cs-id">{html.escape(text)}</div>'
