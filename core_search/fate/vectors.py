"""How an item would have done in a vector search."""

from __future__ import annotations

from collections.abc import Callable

from core_search.fate.checks import RANKS_LOOKED_AT
from core_search.fate.scene import Scene
from core_search.models import Namespace

# Two ways of computing one cosine may differ in the last digits of a float32.
_ROUNDING = 1e-6


def cosine_of(scene: Scene, namespace: Namespace, id_: str) -> float | None:
    """The cosine of the item's vector to that of the query; None without a vector."""
    vector = scene.context.stores.vectors.vectors(namespace, [id_]).get(id_)
    return None if vector is None else float(scene.context.vector @ vector)


def place_by_cosine(
    scene: Scene, namespace: Namespace, id_: str, cosine: float | None, accepts: Callable[[str], bool] | None
) -> int | None:
    """The rank from 1 among the accepted items, whether or not it is one of them; None beyond `RANKS_LOOKED_AT`."""
    if cosine is None:
        return None
    hits = scene.context.stores.vectors.search(
        namespace, scene.context.vector, RANKS_LOOKED_AT, accepts, minimum=cosine - _ROUNDING
    )
    better = [hit.id for hit in hits if hit.id != id_ and (-hit.cosine, hit.id) < (-cosine, id_)]
    return len(better) + 1 if len(hits) < RANKS_LOOKED_AT or len(better) + 1 < RANKS_LOOKED_AT else None
