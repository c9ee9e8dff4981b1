"""Giving memory that was needed for a moment back to the system."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress


def release_unused_memory() -> None:
    """Give back what is free in the C library's heaps, some 15 MB after loading; other systems do so by themselves."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library other than GNU's
            ctypes.CDLL(None).malloc_trim(0)
