"""Texts of strangers on a page: shown as they are, never read as HTML, Markdown or chart markup.

Contents of a memory, names, queries and answers of models pass one of these three on their way to the screen.
"""

from __future__ import annotations

import html
import re

# Every ASCII punctuation mark may be escaped with a backslash in CommonMark; Streamlit's ":icon:" and "$math$" too.
_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
# Marks that turn the writing direction for everything behind them.
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"\s+")


def one_line(text: str, length: int = 90) -> str:
    """The beginning of a text on one line."""
    text = _BREAKS.sub(" ", _DIRECTION.sub("", text[: length * 4])).strip()
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def markdown(text: str, length: int = 200) -> str:
    """For labels that Streamlit reads as Markdown: one line, with everything that means something escaped."""
    return _MARKDOWN.sub(r"\\\1", one_line(text, length))


def chart(text: str, length: int = 40) -> str:
    """For plotly, which reads a little HTML in labels."""
    return html.escape(one_line(text, length), quote=False)


def block(text: str, style: str = "cs-text") -> str:
    """A text in full, for `st.html`: lines kept, long words broken, direction by its own letters."""
    return f'<div class="{style}" dir="auto">{html.escape(text)}</div>'


def span(text: str, style: str = "", length: int = 400) -> str:
    """A piece of one line inside other HTML."""
    return f'<bdi class="{style}">{html.escape(one_line(text, length))}</bdi>'
