"""Giving memory back that the process has freed: by themselves the C library and Arrow keep it for later."""

from __future__ import annotations

import ctypes
import gc

import pyarrow as pa


def give_back() -> None:
    """Return what is free to the system. Worth it after bulk work: 440 of 500 MB behind a load of 30,000 episodes."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    try:
        trim = ctypes.CDLL("libc.so.6").malloc_trim  # glibc alone has it; elsewhere the allocator does this by itself
    except (OSError, AttributeError):
        return
    trim(0)
