"""JSON text to frozen values, with every fault told by its field in the words of the wire."""

from __future__ import annotations

import json
import reprlib
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from core_search.ingest.problems import Problems
from core_search.models import Value

V = TypeVar("V", bound=Value)
Line = Callable[[str], int]  # the line of a field

_INSTANT = "write date, time and offset, such as 2024-05-01T09:30:00+00:00"
_FOREIGN_PREFIX = "Value error, "  # pydantic puts it before the message of our own validators


def parse_object(text: str, file: str, line: int, problems: Problems) -> dict[str, Any] | None:
    """The JSON object of `text`, which begins on `line`; None when it is none, with the problem added."""
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            repeated.extend(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        return found

    try:
        value = json.loads(text, object_pairs_hook=collect)
    except json.JSONDecodeError as error:
        problems.add(file, line + error.lineno - 1, "line", f"not valid JSON: {error.msg} (column {error.colno})")
        return None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, a deep nest
        problems.add(file, line, "line", f"not usable JSON: {error}")
        return None
    if not isinstance(value, dict):
        problems.add(file, line, "line", f"not a JSON object but {reprlib.repr(value)}; write {{…}}")
        return None
    for name in repeated:
        problems.add(file, line, name, "stands twice in this record; keep one")
    return value


def always(line: int) -> Line:
    """Every field stands on the one line of its record."""
    return lambda field: line


def to_value(model: type[V], record: Mapping[str, Any], file: str, line: Line, problems: Problems) -> V | None:
    """`record` as a `model`; None when it does not fit, with every problem added."""
    try:
        encoded = json.dumps(record, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        problems.add(file, line(""), "line", "an escape such as \\ud800 is half a character; write the whole character")
        return None
    try:
        # Strict JSON mode takes ISO texts for instants and nothing for anything else; aliases only: the wire's names.
        value = model.model_validate_json(encoded, strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            field = _field(fault["loc"])
            problems.add(file, line(field), field or "line", _reason(fault, model))
        return None
    faults = list(_wrong_instants(value, record))
    for field, reason in faults:
        problems.add(file, line(field), field, reason)
    return None if faults else value


def wire_name(model: type[Value], name: str) -> str:
    """The camelCase name of a field."""
    return model.model_fields[name].alias or name


def _field(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _reason(fault: ErrorDetails, model: type[Value]) -> str:
    kind, given = fault["type"], reprlib.repr(fault["input"])
    if kind == "missing":
        return "missing"
    if kind == "extra_forbidden":
        return f"unknown field; known are {', '.join(wire_name(model, name) for name in model.model_fields)}"
    if kind == "timezone_aware":
        return f"{given} has no offset; {_INSTANT}"
    if kind.startswith("datetime"):
        return f"{given} is no instant; {_INSTANT}"
    if kind == "value_error":
        return fault["msg"].removeprefix(_FOREIGN_PREFIX)
    message = fault["msg"]
    return f"{message[:1].lower()}{message[1:]}, not {given}"


def _wrong_instants(value: Value, record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Instants that parse and yet are none: "1714550000" as text, or one that leaves the calendar in UTC."""
    faults = []
    for name in type(value).model_fields:
        instant, wire = getattr(value, name), wire_name(type(value), name)
        if not isinstance(instant, datetime):
            continue
        if ":" not in str(record[wire]):
            faults.append((wire, f"{record[wire]!r} is no instant; {_INSTANT}"))
            continue
        try:
            instant.astimezone(UTC)
        except OverflowError:
            faults.append((wire, f"{record[wire]!r} lies outside the years 1 to 9999 in UTC"))
    return faults
