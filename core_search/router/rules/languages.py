"""The languages that date expressions are read in, and which of them a text may be in."""

from __future__ import annotations

from core_search.router.rules.english_dates import ENGLISH
from core_search.router.rules.french_dates import FRENCH
from core_search.router.rules.german_dates import GERMAN
from core_search.router.rules.italian_dates import ITALIAN
from core_search.router.rules.language import Language
from core_search.router.rules.portuguese_dates import PORTUGUESE
from core_search.router.rules.spanish_dates import SPANISH

FOREIGN = (SPANISH, GERMAN, FRENCH, ITALIAN, PORTUGUESE)


def languages_of(text: str) -> tuple[Language, ...]:
    """English always; with it the language with the most signs in the text, when there is any."""
    best = max(FOREIGN, key=lambda language: language.signs_in(text))
    return (ENGLISH, best) if best.signs_in(text) else (ENGLISH,)
