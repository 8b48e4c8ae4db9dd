"""From what a language model or a person wrote to an `Extraction`, with a sentence for every change (SPEC 5).

An answer is unusable when it holds no JSON object, or none with a query type that can be understood. Everything else
is repaired: unknown words are mapped or dropped, wrong types read as what they mean, missing keys get their defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core_search.errors import ProviderError
from core_search.models import (
    Aspect,
    Extraction,
    Facet,
    LookupMode,
    MatchedLabel,
    QueryType,
    RouterOutput,
)
from core_search.router.json_text import find_object
from core_search.router.reading import (
    read_bool,
    read_confidence,
    read_member,
    read_text,
    read_texts,
    shown,
)
from core_search.router.repair_temporal import repair_temporal
from core_search.router.vocabulary import (
    ASPECT_WORDS,
    FACET_WORDS,
    LOOKUP_MODE_WORDS,
    QUERY_TYPE_WORDS,
    member,
    plain,
)

# A model that leaves its confidence out gave an answer all the same: neither sure nor below the gate.
MODEL_CONFIDENCE = 0.5

_KEYS = {plain(field.alias or name): field.alias or name for name, field in RouterOutput.model_fields.items()}
_BESIDE = {"matchedLabels", "routingTimeMs"}  # of the router, not of the extraction: read from nobody
_EXPECTED = [key for key in _KEYS.values() if key not in _BESIDE | {"queryType"}]


class UnusableAnswer(ProviderError):
    """There is no JSON object, or none with a query type that can be understood."""


def repair(raw_text: str, matched: Sequence[MatchedLabel] | None) -> tuple[Extraction, tuple[str, ...]]:
    """The extraction in the text of a language model, and a sentence for each change to what it said.

    `matched` are the labels that it may select; None accepts any. Raises `UnusableAnswer`.
    """
    data, notes = find_object(raw_text, lambda value: any(plain(key) == "query_type" for key in value))
    if data is None:
        raise UnusableAnswer("it has no JSON object" if raw_text.strip() else "it is empty")
    extraction, repairs = extraction_from_mapping(data, matched, "the answer", missing_confidence=MODEL_CONFIDENCE)
    return extraction, (*notes, *repairs)


def extraction_from_mapping(
    data: Mapping[str, Any],
    matched: Sequence[MatchedLabel] | None,
    source: str,
    *,
    missing_confidence: float = 1.0,
) -> tuple[Extraction, tuple[str, ...]]:
    """The extraction that `data` means, and a sentence for each change. Keys may be camelCase or snake_case.

    `source` names where it comes from, for the error. `missing_confidence` is 1 for JSON that a person wrote: whoever
    writes one down wants it searched. `matched` are the labels that may be selected; None accepts any.
    """
    notes: list[str] = []
    values = _by_key(data, notes)
    query_type = _query_type(values.get("queryType"), source, notes)
    defaults = {"shouldSearch": True, "confidence": missing_confidence}
    for key in _EXPECTED:
        if key not in values:
            shown_default = str(defaults[key]).lower() if key in defaults else "the default"
            notes.append(f"{key} is missing; {shown_default} was used")
    values = {**defaults, **values}
    attribute = read_text("attributeHint", values.get("attributeHint"), notes)
    extraction = Extraction(
        query_type=query_type,
        aspects=_aspects(values.get("aspects"), notes),
        temporal=repair_temporal(values.get("temporal"), notes),
        should_search=read_bool("shouldSearch", values["shouldSearch"], True, notes),
        entity_hints=tuple(read_texts("entityHints", values.get("entityHints"), notes)),
        selected_labels=_labels(values.get("selectedLabels"), matched, notes),
        lookup_mode=_lookup_mode(values, attribute, notes),
        attribute_hint=attribute,
        facets=_facets(values.get("facets"), notes),
        confidence=read_confidence(values["confidence"], missing_confidence, notes),
    )
    return extraction, tuple(notes)


def _by_key(data: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """The known keys as they are spelled on the wire. A key that is given twice counts as it is spelled there."""
    values: dict[str, Any] = {}
    for key, value in data.items():
        known = _KEYS.get(plain(str(key)))
        if known is None:
            notes.append(f"the unknown key {shown(key)} was ignored")
        elif known not in _BESIDE and (known == key or known not in data):
            values[known] = value
            if known != key:
                notes.append(f"the key {shown(key)} was read as {known}")
    return values


def _query_type(value: Any, source: str, notes: list[str]) -> QueryType:
    found = read_member("queryType", QueryType, QUERY_TYPE_WORDS, value, notes)
    if found is None:
        raise UnusableAnswer(f"{source} has the queryType {shown(value)}; known are {', '.join(QueryType)}")
    return found


def _aspects(value: Any, notes: list[str]) -> tuple[Aspect, ...]:
    found: dict[Aspect, None] = {}
    for text in read_texts("aspects", value, notes):
        same = member(Aspect, {}, text)
        meant = (same,) if same is not None else ASPECT_WORDS.get(plain(text), ())
        if not meant:
            notes.append(f"the unknown aspect {shown(text)} was dropped")
        elif meant[0].value != text:
            notes.append(f"the aspect {shown(text)} was read as {' and '.join(meant)}")
        found.update(dict.fromkeys(meant))
    return tuple(found)


def _facets(value: Any, notes: list[str]) -> tuple[Facet, ...]:
    found: dict[Facet, None] = {}
    for text in read_texts("facets", value, notes):
        facet = member(Facet, FACET_WORDS, text)
        if facet is None:
            notes.append(f"the unknown facet {shown(text)} was dropped")
            continue
        if facet.value != text:
            notes.append(f"the facet {shown(text)} was read as {facet.value}")
        found[facet] = None
    return tuple(found)


def _labels(value: Any, matched: Sequence[MatchedLabel] | None, notes: list[str]) -> tuple[str, ...]:
    texts = read_texts("selectedLabels", value, notes)
    if matched is None:
        return tuple(texts)
    names = {label.label_name.strip().casefold(): label.label_name for label in matched}
    found: dict[str, None] = {}
    for text in texts:
        name = names.get(text.casefold())
        if name is None:
            notes.append(f"the label {shown(text)} did not match and was dropped")
        else:
            found[name] = None
    return tuple(found)


def _lookup_mode(values: Mapping[str, Any], attribute: str | None, notes: list[str]) -> LookupMode:
    if "lookupMode" not in values:
        if attribute is None:
            return LookupMode.BROAD
        notes.append("an attributeHint without a lookupMode was read as attribute")
        return LookupMode.ATTRIBUTE
    value = values["lookupMode"]
    found = read_member("lookupMode", LookupMode, LOOKUP_MODE_WORDS, value, notes)
    if found is None and value is not None:
        notes.append(f"the unknown lookupMode {shown(value)} was replaced by broad")
    return found or LookupMode.BROAD
