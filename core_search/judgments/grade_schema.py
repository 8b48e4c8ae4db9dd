"""The JSON that a model answers with when it proposes a grade."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The reason comes first: a model that has to say why before it grades reads the text.
GRADE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {
            "type": "string",
            "description": "one sentence: what of the text helps to answer, or what is missing",
        },
        "grade": {"type": "integer", "enum": [0, 1, 2, 3]},
    },
    "required": ["reason", "grade"],
    "additionalProperties": False,
}
