"""How much memory a value keeps."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np

FLAT = str, bytes, bytearray, memoryview, range  # sequences that hold no values of their own


def kept_bytes(value: object, besides: object = None, shared: tuple[type, ...] = ()) -> int:
    """Bytes that a value keeps in memory: its arrays, containers and attributes, each of them once.

    besides: a value that is there anyway; what it holds does not count. shared: types whose instances do not count.
    """
    seen: set[int] = set()
    _bytes(besides, seen, shared)
    return _bytes(value, seen, shared)


def _bytes(value: object, seen: set[int], shared: tuple[type, ...]) -> int:
    """Bytes of what is not among the ids seen, which are added to."""
    left: list[Any] = [value]
    total = 0
    while left:
        one = left.pop()
        if one is None or isinstance(one, (bool, type, *shared)) or id(one) in seen:
            continue
        seen.add(id(one))
        total += sys.getsizeof(one)  # of an array, with its numbers only if they are its own
        if isinstance(one, np.ndarray):
            left.append(one.base)
        elif isinstance(one, Mapping):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, Sequence | Set) and not isinstance(one, FLAT):
            left += one
        else:
            left += getattr(one, "__dict__", {}).values()
            left += [getattr(one, name, None) for name in getattr(type(one), "__slots__", ())]
    return total
