"""One thread for each product of matrices.

Ours are products with one vector, which more threads do not make faster: beside other work they wait for each other
by spinning, which took a third of the CPU time of a search. Searches run beside each other instead.
"""

from __future__ import annotations

from functools import lru_cache

from threadpoolctl import threadpool_limits


@lru_cache(maxsize=1)
def limit_blas() -> None:
    """For this process, from now on."""
    threadpool_limits(limits=1, user_api="blas")
