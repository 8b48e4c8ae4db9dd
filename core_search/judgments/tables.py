"""The tables of query sets and judgments, in the database that also holds the runs.

`grades` is a log: every key press is a row, the newest one of a reviewer and a card that is not undone counts.
`settled` and `proposals` stand apart, so that neither can be mistaken for what a person said on their own.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Index, Integer, String, Table, Text

from core_search.database import metadata

ID = String(16)
QUERY, KIND, ITEM, PERSON = String(512), String(16), String(512), String(80)

query_sets = Table(
    "query_sets",
    metadata,
    Column("id", ID, primary_key=True),
    Column("name", String(120), nullable=False, unique=True),
    Column("workspace", String(64), nullable=False),
    Column("labels", Text, nullable=False),  # JSON list, one text a grade
    Column("guidelines", Text, nullable=False),
    Column("created_at", DateTime, nullable=False),  # UTC, as every instant here
)

set_queries = Table(
    "set_queries",
    metadata,
    Column("set_id", ID, ForeignKey("query_sets.id"), primary_key=True),
    Column("query_id", QUERY, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("body", Text, nullable=False),  # the query as a line of queries.jsonl
)

grades = Table(
    "grades",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("set_id", ID, ForeignKey("query_sets.id"), nullable=False),
    Column("query_id", QUERY, nullable=False),
    Column("item_kind", KIND, nullable=False),
    Column("item_id", ITEM, nullable=False),
    Column("reviewer", PERSON, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("grade", Integer),  # null unless graded
    Column("reason", Text, nullable=False, default=""),
    Column("note", Text, nullable=False, default=""),
    Column("at", DateTime, nullable=False),
    Column("undone", Boolean, nullable=False, default=False),
    Index("grades_by_card", "set_id", "query_id", "item_kind", "item_id", "reviewer"),
    Index("grades_by_reviewer", "set_id", "reviewer", "id"),
)

settled = Table(
    "settled_grades",
    metadata,
    Column("set_id", ID, ForeignKey("query_sets.id"), primary_key=True),
    Column("query_id", QUERY, primary_key=True),
    Column("item_kind", KIND, primary_key=True),
    Column("item_id", ITEM, primary_key=True),
    Column("grade", Integer, nullable=False),
    Column("settler", PERSON, nullable=False),
    Column("note", Text, nullable=False, default=""),
    Column("at", DateTime, nullable=False),
)

proposals = Table(
    "proposed_grades",
    metadata,
    Column("set_id", ID, ForeignKey("query_sets.id"), primary_key=True),
    Column("query_id", QUERY, primary_key=True),
    Column("item_kind", KIND, primary_key=True),
    Column("item_id", ITEM, primary_key=True),
    Column("model", String(120), primary_key=True),
    Column("grade", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", DateTime, nullable=False),
)

pools = Table(
    "judgment_pools",
    metadata,
    Column("id", ID, primary_key=True),
    Column("set_id", ID, ForeignKey("query_sets.id"), nullable=False),
    Column("signature", String(64), nullable=False),  # of everything that decides what is in it
    Column("fingerprint", String(32), nullable=False),  # of the memory that it was drawn from
    Column("spec", Text, nullable=False),  # JSON
    Column("problems", Text, nullable=False),  # JSON list of sentences
    Column("created_at", DateTime, nullable=False),
    Index("pools_by_set", "set_id", "created_at"),
)

pool_items = Table(
    "pool_items",
    metadata,
    Column("pool_id", ID, ForeignKey("judgment_pools.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("query_id", QUERY, nullable=False),
    Column("item_kind", KIND, nullable=False),
    Column("item_id", ITEM, nullable=False),
    Column("places", Text, nullable=False),  # JSON: where each configuration had it
)
