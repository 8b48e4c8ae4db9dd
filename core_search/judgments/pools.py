"""Kept pools, so that all reviewers of a set judge the same items, today and next week."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import RowMapping, insert, select

from core_search.assemble import models_in_use
from core_search.database import Database
from core_search.engine import SearchEngine
from core_search.errors import UnknownItem, UsageError
from core_search.judgments.pooling import Place, Pool, PoolItem, PoolSpec, draw
from core_search.judgments.tables import pool_items, pools
from core_search.judgments.values import QuerySet, naive_utc, utc_now
from core_search.models import ItemKind
from core_search.records import new_id
from core_search.stores.base import Progress


class Pools:
    """The pools of one installation."""

    def __init__(self, database: Database):
        self._database = database

    def build(
        self, engine: SearchEngine, query_set: QuerySet, spec: PoolSpec, progress: Progress | None = None
    ) -> Pool:
        """The pool of these queries, data and configurations; one that was built before is taken again."""
        if not spec.configurations or len({one.name for one in spec.configurations}) < len(spec.configurations):
            raise UsageError("a pool needs at least one configuration, each with its own name")
        if not query_set.queries:
            raise UsageError(f"the query set {query_set.name!r} has no queries; add one first")
        with engine.memory(query_set.workspace, progress) as memory:
            fingerprint = memory.meta.fingerprint
        signature = _signature(engine, query_set, spec, fingerprint)
        known = self._find(query_set.id, signature)
        if known:
            return self.load(known)
        items, problems = draw(engine, query_set.workspace, query_set.queries, spec, progress)
        if not items:
            reason = f" ({problems[0]})" if problems else ""
            raise UsageError(f"no configuration returned anything for {query_set.name!r}{reason}; choose others")
        return self._save(query_set.id, spec, signature, fingerprint, items, problems)

    def load(self, pool_id: str) -> Pool:
        with self._database.transaction() as connection:
            row = connection.execute(select(pools).where(pools.c.id == pool_id)).mappings().first()
            if row is None:
                raise UnknownItem(f"there is no pool {pool_id!r} here; it was removed with its set, build another")
            query = select(pool_items).where(pool_items.c.pool_id == pool_id).order_by(pool_items.c.position)
            items = tuple(
                PoolItem(
                    query_id=item["query_id"],
                    kind=ItemKind(item["item_kind"]),
                    item_id=item["item_id"],
                    places=tuple(Place.model_validate(place) for place in json.loads(item["places"])),
                )
                for item in connection.execute(query).mappings()
            )
            return _pool(row, items)

    def of_set(self, set_id: str) -> list[Pool]:
        """The pools of a set without their items, newest first."""
        query = select(pools).where(pools.c.set_id == set_id).order_by(pools.c.created_at.desc(), pools.c.id)
        with self._database.transaction() as connection:
            return [_pool(row) for row in connection.execute(query).mappings()]

    def _find(self, set_id: str, signature: str) -> str | None:
        query = select(pools.c.id).where(pools.c.set_id == set_id, pools.c.signature == signature)
        with self._database.transaction() as connection:
            return connection.execute(query.order_by(pools.c.created_at)).scalar()

    def _save(
        self,
        set_id: str,
        spec: PoolSpec,
        signature: str,
        fingerprint: str,
        items: Sequence[PoolItem],
        problems: Sequence[str],
    ) -> Pool:
        pool_id = new_id()
        head = {
            "id": pool_id,
            "set_id": set_id,
            "signature": signature,
            "fingerprint": fingerprint,
            "spec": spec.model_dump_json(),
            "problems": json.dumps(problems),
            "created_at": naive_utc(utc_now()),
        }
        rows = [
            {
                "pool_id": pool_id,
                "position": position,
                "query_id": item.query_id,
                "item_kind": item.kind.value,
                "item_id": item.item_id,
                "places": json.dumps([place.model_dump(exclude_defaults=True) for place in item.places]),
            }
            for position, item in enumerate(items)
        ]
        with self._database.transaction() as connection:
            connection.execute(insert(pools).values(**head))
            connection.execute(insert(pool_items), rows)
        return self.load(pool_id)


def _signature(engine: SearchEngine, query_set: QuerySet, spec: PoolSpec, fingerprint: str) -> str:
    """Equal for everything that gives the same pool: queries, data, configurations as they act, models."""
    options = [engine.default_options().with_changes(one.changes).model_dump_json() for one in spec.configurations]
    queries = [(query.id, query.query, str(query.now)) for query in query_set.queries]
    models = sorted(models_in_use(engine.providers).items())
    parts = (query_set.workspace, fingerprint, spec.model_dump_json(), *options, repr(queries), repr(models))
    return hashlib.sha256("\x1e".join(parts).encode("utf-8", "replace")).hexdigest()


def _pool(row: RowMapping, items: tuple[PoolItem, ...] = ()) -> Pool:
    created_at: datetime = row["created_at"]
    return Pool(
        id=row["id"],
        set_id=row["set_id"],
        spec=PoolSpec.model_validate_json(row["spec"]),
        fingerprint=row["fingerprint"],
        problems=tuple(json.loads(row["problems"])),
        created_at=created_at.replace(tzinfo=UTC),
        items=items,
    )
