"""The JSON schema of an extraction, in the strict form of structured outputs: every key required, nothing else."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from core_search.models import Aspect, Facet, LookupMode, QueryType, TemporalType


def _one_of(names: type[StrEnum]) -> dict[str, Any]:
    return {"type": "string", "enum": [member.value for member in names]}


def _list_of(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT_OR_NULL = {"type": ["string", "null"]}

# The labels that matched are not an enum here: a schema that changes with the query is compiled anew by the server
# for every query, which takes longer than the answer. `repair` drops labels that did not match.
EXTRACTION_SCHEMA = _object(
    queryType=_one_of(QueryType),
    aspects=_list_of(_one_of(Aspect)),
    temporal=_object(
        type=_one_of(TemporalType),
        days={"type": ["integer", "null"]},
        startDate=_TEXT_OR_NULL,
        endDate=_TEXT_OR_NULL,
    ),
    entityHints=_list_of({"type": "string"}),
    selectedLabels=_list_of({"type": "string"}),
    lookupMode=_one_of(LookupMode),
    attributeHint=_TEXT_OR_NULL,
    facets=_list_of(_one_of(Facet)),
    shouldSearch={"type": "boolean"},
    confidence={"type": "number"},
)
