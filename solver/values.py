"""Frozen values that hold arrays: read-only storage and comparison by content."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float32]
V = TypeVar("V")


def frozen_array(value: ArrayLike, shape: tuple[int | None, ...], name: str) -> FloatArray:
    """A read-only float32 copy of `value` (or `value` itself if it is one), checked against `shape`.

    None in `shape` accepts any length. Raises ValueError on another shape or on a value that is not finite.
    """
    array = np.asarray(value, dtype=np.float32)
    if array.shape != shape and not _fits(array.shape, shape):
        raise ValueError(f"{name} has shape {array.shape}, expected {shape}")
    if not isfinite(np.vdot(array, array)) and not np.isfinite(array).all():  # the sum of squares is the quicker check
        raise ValueError(f"{name} holds a value that is not finite")
    if array.flags.writeable:
        array = np.array(array, dtype=np.float32, order="C")
        read_only(array)
    return array


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(shape) == len(wanted) and shape == tuple(map(_either, wanted, shape))


def _either(wanted: int | None, have: int) -> int:
    return have if wanted is None else wanted


def read_only(*arrays: NDArray[Any]) -> None:
    """Makes arrays read-only that were made for a value and are not shared with anything else."""
    for array in arrays:
        array.flags.writeable = False


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal, arrays by content."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and bool((a == b).all())  # array_equal takes half as long again
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return bool(np.array_equal(a, b))
    return bool(a == b)


@cache
def _compared(kind: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields that its values are compared by."""
    return tuple(field.name for field in fields(kind) if field.compare)


@cache
def _names(kind: Any) -> frozenset[str]:
    """The names of all fields of a dataclass."""
    return frozenset(field.name for field in fields(kind))


def changed(value: V, **changes: Any) -> V:
    """A frozen dataclass with other values in some fields, checked as a new one; what `dataclasses.replace` makes.

    In a third of its time, since fields are not set one by one: a step of a drag changes dozens of problems and
    effectors. Raises TypeError for a name that is none of a field.
    """
    kind: Any = type(value)
    known = _names(kind)
    if not changes.keys() <= known:
        raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(changes.keys() - known))}")
    made = object.__new__(kind)
    # What the value has worked out of itself is beside its fields, and is no longer true.
    made.__dict__.update({name: one for name, one in value.__dict__.items() if name in known})
    made.__dict__.update(changes)
    if (check := getattr(made, "__post_init__", None)) is not None:
        check()
    return made


class ArrayValue:
    """Mixin for frozen dataclasses (declared with eq=False) that hold arrays: equality by content."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(same(getattr(self, name), getattr(other, name)) for name in _compared(type(self)))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]
