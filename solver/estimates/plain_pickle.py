"""Reads pickles of dictionaries, lists, numbers and arrays as plain values, without running anything in them.

Estimators' files are pickles, pickles inside .npz files, or what joblib writes: a pickle with the arrays' bytes in
between. All classes come in as inert records of ours (`solver.body.pickles.pickled_records`); names other than those of
numpy's arrays are refused. The reader is Python's own unpickler in its pure-Python form, so that dictionary keys, sets
and sizes can be watched.
"""

from __future__ import annotations

import io
import pickle
import zlib
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from solver.body.pickles.pickled_records import Array, Dtype, FromBuffer, Record, array_of
from solver.body.pickles.safe_pickle import class_for
from solver.errors import InputRefused, one_line
from solver.files.reading import MEBIBYTE, read_bytes

LARGEST = 512 * MEBIBYTE
MAX_INSTRUCTIONS = 3_000_000
MAX_VALUES = 2_000_000
MAX_DEPTH = 40
# Of protocols 2 to 5, and of dictionaries and lists in 0 and 1, which Python 2 wrote.
PICKLE_STARTS = (*(b"\x80" + bytes([protocol]) for protocol in range(2, 6)), b"(dp", b"(lp", b"}q", b"]q")
ZLIB_STARTS = (b"x\x01", b"x^", b"x\x9c", b"x\xda")  # what joblib writes with compress=
ANOTHER = "Save it as plain numpy arrays: np.savez(path, name=array, …) with each tensor as .cpu().numpy()"


class _Refused(Exception):
    """The pickle is not plain data."""


class _JoblibArray(Record):
    """joblib's stand-in for an array whose bytes follow in the file."""

    __slots__ = ()


class _Dictionary(dict[Any, Any]):
    """In place of Python's other dictionaries: whatever they were made with, its items are set one by one."""

    __slots__ = ()

    def __new__(cls, *_: object) -> _Dictionary:
        """An empty one."""
        return super().__new__(cls)

    def __init__(self, *_: object) -> None:
        super().__init__()


_DICTIONARIES = {
    ("collections", "defaultdict"),
    ("collections", "OrderedDict"),
    ("builtins", "dict"),
    ("__builtin__", "dict"),
}
# What a defaultdict is made with; a value that one of them makes is refused, as any other object.
_MAKERS = {
    (module, name)
    for module in ("builtins", "__builtin__")
    for name in ("list", "int", "long", "float", "str", "unicode")
}


def read_pickle(path: Path) -> Any:
    """The plain content of a pickle, or one of joblib's, compressed by zlib or not. InputRefused for anything else."""
    data = read_bytes(path, LARGEST)
    if data.startswith(ZLIB_STARTS):
        opened = zlib.decompressobj()
        try:
            data = opened.decompress(data, LARGEST)
        except zlib.error as error:
            raise InputRefused(path, f"cannot be read: it is damaged ({error})", "Copy it again") from None
        if opened.unconsumed_tail:
            raise InputRefused(path, f"would unpack to more than {LARGEST // MEBIBYTE} MB", "Save a shorter part")
    return plain_content(data, path)


def plain_content(data: bytes, source: object, place: str = "") -> Any:
    """The plain content of a pickle's bytes: dict, list, str, int, float, bool, None and numeric arrays."""
    try:
        return _PlainValues().value(_PlainUnpickler(io.BytesIO(data)).load())
    except _Refused as error:
        raise InputRefused(source, f"{error}; nothing in it was run", ANOTHER, place) from None
    except RecursionError:
        raise InputRefused(source, "holds values nested absurdly deep", ANOTHER, place) from None
    except Exception as error:  # a damaged pickle can raise anything
        raise InputRefused(source, f"this pickle cannot be read ({one_line(error)})", "Copy it again", place) from None


class _InstructionLimit(dict[int, Any]):
    """The instructions by number; refuses to hand out more than a limit of them."""

    count = 0

    def __getitem__(self, code: int) -> Any:
        self.count += 1
        if self.count > MAX_INSTRUCTIONS:
            raise _Refused("has an absurd number of parts")
        return super().__getitem__(code)


_InPython: Any = pickle._Unpickler


class _PlainUnpickler(_InPython):  # type: ignore[misc]
    dispatch: ClassVar[dict[int, Any]] = dict(_InPython.dispatch)

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, encoding="latin1")
        self._file = file
        self.dispatch = _InstructionLimit(type(self).dispatch)  # type: ignore[misc]

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("joblib.numpy_pickle", "NumpyArrayWrapper"):
            return _JoblibArray
        known = _Dictionary if (module, name) in _DICTIONARIES else class_for(module, name)
        known = Record if (module, name) in _MAKERS else known
        if known is None:
            what = "a tensor of torch" if module.startswith("torch") else f"{module}.{name}"[:100]
            raise _Refused(f"this pickle asks for {what}, which is neither a number nor a numpy array")
        return known

    def load_build(self) -> None:
        """As in Python; then an array of joblib's reads the bytes that follow."""
        super().load_build()
        if isinstance(self.stack[-1], _JoblibArray):
            self.stack[-1] = self._array(self.stack[-1].state)

    def _array(self, state: Any) -> FromBuffer:
        if not isinstance(state, dict) or not isinstance(state.get("dtype"), Dtype):
            raise _Refused("this joblib file is of an unknown version")
        if state.get("numpy_array_alignment_bytes") is not None:
            self._file.read(self._file.read(1)[0])
        shape = state.get("shape")
        empty = array_of(FromBuffer(b"", state["dtype"], (0,), "C"))
        if empty is None or not isinstance(shape, tuple) or not all(type(side) is int and side >= 0 for side in shape):
            raise _Refused("this joblib file holds an array of something other than numbers")
        size = empty.dtype.itemsize * int(np.prod([float(side) for side in shape]))
        if size > LARGEST:
            raise _Refused("declares an absurd size")
        return FromBuffer(self._file.read(size), state["dtype"], shape, state.get("order", "C"))

    def load_setitem(self) -> None:
        """Only with a key that is text or a number: others could take time or stack to hash."""
        _check_keys(self.stack[-2:-1])
        super().load_setitem()

    def load_setitems(self) -> None:
        """Likewise, for several."""
        _check_keys(self.stack[::2])
        super().load_setitems()

    def load_dict(self) -> None:
        """Likewise, for those of protocol 0."""
        _check_keys(self.stack[::2])
        super().load_dict()

    def refuse_set(self) -> None:
        """Sets hash their items as well."""
        raise _Refused("holds a set")

    dispatch[pickle.BUILD[0]] = load_build
    dispatch[pickle.SETITEM[0]] = load_setitem
    dispatch[pickle.SETITEMS[0]] = load_setitems
    dispatch[pickle.DICT[0]] = load_dict
    dispatch[pickle.EMPTY_SET[0]] = refuse_set
    dispatch[pickle.FROZENSET[0]] = refuse_set


def _check_keys(keys: list[Any]) -> None:
    if not all(isinstance(key, str | int | float | bytes) for key in keys):
        raise _Refused("a dictionary in it has keys that are neither text nor numbers")


class _PlainValues:
    """Turns what was unpickled into plain values, each record once."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}
        self._count = 0

    def value(self, found: Any, depth: int = 0) -> Any:
        self._count += 1
        if self._count > MAX_VALUES:
            raise _Refused("has an absurd number of parts")
        if depth > MAX_DEPTH:
            raise _Refused("holds values nested absurdly deep")
        if found is None or isinstance(found, str | int | float | bytes):
            return found
        if isinstance(found, dict):
            return {key: self.value(item, depth + 1) for key, item in found.items()}
        if isinstance(found, list | tuple):
            return [self.value(item, depth + 1) for item in found]
        if id(found) not in self._known:
            self._known[id(found)] = self._record(found, depth)
        return self._known[id(found)]

    def _record(self, found: Any, depth: int) -> Any:
        if isinstance(found, Array) and isinstance(found.state, tuple) and isinstance(found.state[-1], list):
            items = [self.value(item, depth + 1) for item in found.state[-1]]  # an array of objects
            return items[0] if found.state[1] == () and len(items) == 1 else items
        if type(found) is Record and len(found.arguments) == 2 and isinstance(found.arguments[0], Dtype):
            kind, data = found.arguments  # a single number of numpy's
            number = array_of(FromBuffer(data.encode("latin1") if isinstance(data, str) else data, kind, (1,), "C"))
            if number is not None:
                return number[0].item()
        array = array_of(found)
        if array is None:
            raise _Refused("holds objects that are neither numbers nor arrays")
        return array
