"""Cells of CSV files that a spreadsheet must not run as formulas, and the way back (OWASP, "CSV Injection")."""

from __future__ import annotations

from typing import TypeVar

Cell = TypeVar("Cell")

# What makes a spreadsheet calculate, the wide forms of East Asian keyboards too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_MARK = "'"


def defused(cell: Cell) -> Cell | str:
    """A text that begins as a formula gets an apostrophe in front, one that looks like such a cell another one.

    >>> defused("=1+1"), defused("'=1+1"), defused("it's"), defused(-3)
    ("'=1+1", "''=1+1", "it's", -3)
    """
    return _MARK + cell if isinstance(cell, str) and _is_marked(cell) else cell


def restored(cell: str) -> str:
    """What `defused` was given.

    >>> restored("'=1+1"), restored("''=1+1"), restored("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith(_MARK) and _is_marked(cell) else cell


def _is_marked(cell: str) -> bool:
    return cell.lstrip(_MARK).startswith(_FORMULA)
