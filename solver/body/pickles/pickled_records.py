"""Stand-ins for the objects of a pickled body: records that keep what the file says, and the arrays made of them.

A record can be made with any arguments and given any state, and does nothing. Each has `__setstate__` and no attributes
of its own making, so that unpickling can change neither it nor its class.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

MAX_ITEMS = 1 << 26  # numbers of one array; SMPL-X's largest has 13 million
MAX_DENSE = 1 << 23  # numbers of a sparse one; SMPL-X's has half a million
MAX_CHOICES = 8  # chumpy's choices of elements of choices of elements
_NUMBER = re.compile(r"[|<>=]?(f[248]|[iu][1248]|b1)\Z")
_SUMS = {"csc": (1, 0), "csr": (0, 1)}  # the axis that indptr goes along, and the one that indices do


class NotAnArray(ValueError):
    """What stands for an array does not describe one."""


class Record:
    """Stands in for an object: keeps its arguments and its state, also where a pickle makes it without `__init__`."""

    __slots__ = ("arguments", "state")
    arguments: tuple[object, ...]
    state: Any

    def __new__(cls, *arguments: object) -> Record:
        """Of any arguments."""
        made = super().__new__(cls)
        made.arguments, made.state = arguments, None
        return made

    def __setstate__(self, state: object) -> None:
        self.state = state


class Dtype(Record):
    """numpy's number type: (“f8”, align, copy), then (version, byte order, sub-type, names, fields, …)."""

    __slots__ = ()


class Array(Record):
    """numpy's array: (version, shape, type, column by column?, bytes)."""

    __slots__ = ()


class FromBuffer(Record):
    """numpy's array of protocol 5: (bytes, type, shape, "C" or "F")."""

    __slots__ = ()


class Latin1(Record):
    """Bytes, written as the text of the same numbers: (text, "latin1"); no arguments if there are none."""

    __slots__ = ()


class Sparse(Record):
    """scipy's sparse matrix, by its attributes."""

    __slots__ = ()
    form = ""


class _Columns(Sparse):
    __slots__ = ()
    form = "csc"


class _Rows(Sparse):
    __slots__ = ()
    form = "csr"


class _Triples(Sparse):
    __slots__ = ()
    form = "coo"


class Reconstructed(Record):
    """copyreg's way to make an object of a class without calling it: becomes a record of that class."""

    __slots__ = ()

    def __new__(cls, kind: object = None, *_: object) -> Any:
        """A record of that kind, which must be one of ours."""
        if not (isinstance(kind, type) and issubclass(kind, Record)):
            raise NotAnArray("an object without a class")
        return object.__new__(cls) if kind is Reconstructed else kind()


def kind_of_class(form: str) -> type[Sparse]:
    """The record of a sparse matrix of that form: "csc", "csr" or "coo"."""
    return {kind.form: kind for kind in (_Columns, _Rows, _Triples)}[form]


def array_of(value: object, choices: int = 0) -> np.ndarray | None:
    """A plain numeric array of a record; None for anything else. NotAnArray if it is damaged."""
    if isinstance(value, Array) and isinstance(value.state, tuple) and len(value.state) == 5:
        _, shape, kind, fortran, data = value.state
        return _plain(data, kind, shape, "F" if fortran else "C")
    if isinstance(value, FromBuffer) and len(value.arguments) == 4:
        data, kind, shape, order = value.arguments
        return _plain(data, kind, shape, "F" if order == "F" else "C")
    if isinstance(value, Sparse) and isinstance(value.state, Mapping):
        return _dense(value.form, value.state)
    if type(value) is Record and isinstance(value.state, Mapping):  # chumpy's
        if "idxs" in value.state and "a" in value.state:  # a choice of the elements of another array
            return _chosen(value.state, choices)
        return array_of(value.state.get("x"), choices) if isinstance(value.state.get("x"), Array | FromBuffer) else None
    return None


def _plain(data: object, kind: object, shape: object, order: str) -> np.ndarray | None:
    dtype = _dtype(kind)
    if dtype is None:
        return None
    sides = _shape(shape)
    if isinstance(data, Latin1):
        text, *encoding = data.arguments or ("",)
        data = text if encoding in ([], ["latin1"]) else None
    if isinstance(data, str):  # Python 2's bytes
        data = data.encode("latin1")
    if not isinstance(data, bytes | bytearray) or len(data) != dtype.itemsize * _size(sides):
        raise NotAnArray(f"its size does not match an array of shape {sides}")
    return np.frombuffer(bytes(data), dtype).reshape(sides, order=order)  # type: ignore[call-overload]


def _dtype(kind: object) -> np.dtype | None:
    """The type of whole numbers, floats or truth values; None for any other, such as objects, text and records."""
    if not isinstance(kind, Dtype) or not kind.arguments:
        return None
    name = kind.arguments[0]
    name = name.decode("latin1") if isinstance(name, bytes) else name
    if not isinstance(name, str) or not _NUMBER.match(name):
        return None
    state = kind.state
    if state is not None:
        if not isinstance(state, tuple) or len(state) < 5 or any(part is not None for part in state[2:5]):
            return None
        order = state[1].decode("latin1") if isinstance(state[1], bytes) else state[1]
        if order not in ("<", ">", "|", "="):
            return None
        return np.dtype(order + name.lstrip("|<>="))
    return np.dtype(name)


def _shape(shape: object) -> tuple[int, ...]:
    sides = shape if isinstance(shape, tuple) else (shape,)
    if len(sides) > 8 or not all(type(side) is int and 0 <= side <= MAX_ITEMS for side in sides):
        raise NotAnArray("its shape is not valid")
    if _size(sides) > MAX_ITEMS:
        raise NotAnArray(f"it has more than {MAX_ITEMS:,} numbers")
    return sides


def _size(sides: tuple[int, ...]) -> int:
    size = 1
    for side in sides:
        size *= side
    return size


def _dense(form: str, state: Mapping[Any, Any]) -> np.ndarray:
    sides = _shape(state.get("_shape", state.get("shape")))
    if len(sides) != 2 or _size(sides) > MAX_DENSE:
        raise NotAnArray(f"a sparse matrix has two axes and at most {MAX_DENSE:,} numbers")
    data = _vector(state.get("data"))
    if form == "coo":
        row, column = state.get("coords") or (state.get("row"), state.get("col"))
        places = [_vector(row), _vector(column)]
    else:
        along, across = _SUMS[form]
        starts = _vector(state.get("indptr"))
        counts = starts[1:].astype(np.int64) - starts[:-1].astype(np.int64)
        if len(counts) != sides[along] or (counts < 0).any() or starts[0] != 0 or starts[-1] != len(data):
            raise NotAnArray("its indptr does not fit its shape")
        places = [np.empty(0)] * 2
        places[along] = np.repeat(np.arange(sides[along]), counts)
        places[across] = _vector(state.get("indices"))
    if not len(data) == len(places[0]) == len(places[1]):
        raise NotAnArray("it does not have one index for each number")
    for place, side in zip(places, sides, strict=True):
        if len(place) and not (place.dtype.kind in "iu" and place.min() >= 0 and place.max() < side):
            raise NotAnArray("an index lies outside its shape")
    dense = np.zeros(sides, data.dtype)
    np.add.at(dense, tuple(places), data)
    return dense


def _vector(value: object) -> np.ndarray:
    array = array_of(value)
    if array is None or array.ndim != 1:
        raise NotAnArray("a part of a sparse matrix is not a row of numbers")
    return array


def _chosen(state: Mapping[Any, Any], choices: int) -> np.ndarray | None:
    if choices >= MAX_CHOICES:
        raise NotAnArray("it refers to itself, choice within choice")
    inner, places = array_of(state["a"], choices + 1), array_of(state["idxs"])
    if inner is None or places is None:
        return None
    picked = inner.ravel()[places.astype(np.intp)]
    shape = state.get("preferred_shape")
    return picked if shape is None else picked.reshape(_shape(shape))
