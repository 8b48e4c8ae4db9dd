"""The guard before every statement, and the texts that pass it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from core_search.errors import StoreError
from core_search.models import TimeRange
from core_search.stores.base import Scope
from core_search.stores.kuzu_connection import check_statement
from core_search.stores.kuzu_query import WHOLE, Query, bounds
from core_search.stores.kuzu_rows import instant, micros

TEXT = "MATCH (n:Episode) WHERE n.uuid IN $ids RETURN n.uuid LIMIT $limit"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"ids": ["a"]},
        {"ids": ["a"], "limit": 1, "more": 1},
        {"ids": None, "limit": 1},
        {"ids": ["a", None], "limit": 1},
        {"ids": ["a", 1], "limit": 1},
        {"ids": ("a",), "limit": 1},
        {"ids": {"a"}, "limit": 1},
        {"ids": [["a"]], "limit": 1},
        {"ids": ["\udfff"], "limit": 1},
        {"ids": ["a"], "limit": True},
        {"ids": ["a"], "limit": 1.0},
        {"ids": ["a"], "limit": 2**63},
        {"ids": ["a"], "limit": np.int64(1)},
        {"ids": ["a"], "limit": datetime(2024, 1, 1, tzinfo=UTC)},
        {"ids": {"a": 1}, "limit": 1},
    ],
    ids=str,
)
def test_the_guard_refuses(parameters: dict[str, Any]) -> None:
    with pytest.raises(StoreError):
        check_statement(TEXT, parameters)


def test_the_guard_names_what_is_missing() -> None:
    with pytest.raises(StoreError, match=r"missing \['limit'\], unused \['limits'\]"):
        check_statement(TEXT, {"ids": ["a"], "limits": 1})


@pytest.mark.parametrize("ids", [["a", "b"], [1, -(2**63)], [], "a", ["$limit"]], ids=str)
def test_the_guard_lets_pass(ids: object) -> None:
    check_statement(TEXT, {"ids": ids, "limit": 2**63 - 1})


def test_a_query_is_a_pattern_with_conditions_before_and_behind_the_projection() -> None:
    scope = Scope(at=datetime(1970, 1, 1, tzinfo=UTC))
    query = Query("(e:Episode)")
    query.among("e.uuid", "ids", ["a", "a", "b"])
    query.among("e.source", "sources", [])
    query.between("e.validAt", (5, None))
    query.between("e.createdAt", WHOLE)
    query.project(uuid="e.uuid", validAt="e.validAt", until="e.until")
    query.current("until", scope)
    query.either_between(("validAt", "until"), (None, 9))
    cypher = query.newest(3)
    assert cypher.text == (
        "MATCH (e:Episode) WHERE e.uuid IN $ids AND e.validAt >= $since "
        "WITH e.uuid AS uuid, e.validAt AS validAt, e.until AS until "
        "WHERE (until IS NULL OR until > $at) AND (validAt < $before OR until < $before) "
        "RETURN DISTINCT uuid, validAt ORDER BY validAt DESC, uuid LIMIT $limit"
    )
    assert cypher.parameters == {"ids": ["a", "b"], "since": 5, "at": 0, "before": 9, "limit": 3}
    check_statement(cypher.text, cypher.parameters)


def test_instants_are_exact_microseconds() -> None:
    moment = datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert micros(moment) == -1
    assert instant(-1) == moment
    assert bounds(TimeRange(start=moment)) == (-1, None)
    for edge in (datetime.min, datetime.max):
        assert instant(micros(edge.replace(tzinfo=UTC))) == edge.replace(tzinfo=UTC)
