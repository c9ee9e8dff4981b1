"""Reads the arrays of a pickle without running anything in it.

Official SMPL files are Python 2 pickles of numpy arrays, scipy sparse matrices and chumpy arrays. All of these come in
as inert records of our own, which keep what the file says about them; arrays are made afterwards, only from those that
are wanted. Every other name is refused. Before that, the file's instructions are checked one by one: a few bytes can
ask for gigabytes.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from solver.body.pickles.pickled_records import (
    Array,
    Dtype,
    FromBuffer,
    Latin1,
    Reconstructed,
    Record,
    array_of,
    kind_of_class,
)
from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, read_bytes

_ANOTHER = "Use the file as it came from the body's own site, preferably the .npz one"
LARGEST = 1024 * MEBIBYTE  # the official files stay below 0.5 GB
MAX_INSTRUCTIONS = 200_000  # the official files have a few thousand
MAX_TUPLES = 2_000  # nested tuples used as a key are hashed one inside the other, on the C stack
_INSTRUCTIONS = {instruction.code: instruction for instruction in pickletools.opcodes}
_PUTS = {"PUT", "BINPUT", "LONG_BINPUT"}
_TUPLES = {"TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "FROZENSET"}
_SPARSE = {"csc_matrix": "csc", "csr_matrix": "csr", "coo_matrix": "coo"}


class _Forbidden(Exception):
    """The pickle names something that could be run."""


class _Absurd(Exception):
    """The pickle asks for more than a body needs."""


class _Restricted(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Only ever one of our own classes, which keep what they are given: see `pickled_records`."""
        known = class_for(module, name)
        if known is None:
            raise _Forbidden(f"{module}.{name}"[:100])
        return known


def class_for(module: str, name: str) -> type | None:
    """The inert class of ours that stands for one that a pickle of arrays names; None for every other name."""
    top, last = module.partition(".")[0], module.rpartition(".")[2]
    if top == "numpy" and last in ("multiarray", "_multiarray_umath") and name in ("_reconstruct", "scalar"):
        return Array if name == "_reconstruct" else Record
    if top == "numpy" and last == "numeric" and name == "_frombuffer":  # protocol 5
        return FromBuffer
    if module == "numpy" and name in ("ndarray", "dtype"):
        return Record if name == "ndarray" else Dtype
    if module.startswith("scipy.sparse") and name in _SPARSE:
        return kind_of_class(_SPARSE[name])
    if top == "chumpy":
        return Record
    if (module, name) in (("_codecs", "encode"), ("__builtin__", "bytes")):  # Python 3's bytes in an old protocol
        return Latin1
    if (module, name) in (("copy_reg", "_reconstructor"), ("copyreg", "_reconstructor")):
        return Reconstructed
    if (module, name) in (("__builtin__", "object"), ("builtins", "object")):
        return Record
    return None


def load_pickled_arrays(path: Path, wanted: Collection[str] | None = None) -> dict[str, np.ndarray]:
    """The numeric arrays of a pickled dictionary, by key; sparse ones made dense. wanted: only these keys; None: all.

    Raises InputRefused for a pickle that names anything but arrays, and for one that cannot be read.
    """
    data = read_bytes(path, LARGEST)
    try:
        _check_instructions(data)
        content = _Restricted(io.BytesIO(data), encoding="latin1").load()
    except _Forbidden as error:
        raise InputRefused(
            path,
            f"this pickle asks for {error}, which no body file needs; nothing in it was run",
            _ANOTHER,
        ) from error
    except _Absurd as error:
        raise InputRefused(path, f"this pickle {error}, unlike any body file; it was not read", _ANOTHER) from error
    except Exception as error:  # a damaged pickle can raise anything
        raise InputRefused(path, f"this pickle cannot be read ({_line(error)})", "Download the file again") from error
    if not isinstance(content, dict):
        raise InputRefused(path, "this pickle does not hold a body (expected a dictionary of arrays)", _ANOTHER)
    arrays = {}
    for key, value in content.items():
        if isinstance(key, str) and (wanted is None or key in wanted):
            try:
                array = array_of(value)
            except Exception as error:  # such as sizes, indices and shapes that contradict each other
                way_out = "Download the file again"
                raise InputRefused(path, f"this array is damaged ({_line(error)})", way_out, place=key[:60]) from error
            if array is not None:
                arrays[key] = array
    return arrays


def _check_instructions(data: bytes) -> None:
    """_Absurd if reading would take memory or stack out of proportion to the file."""
    file, name, number, tuples = io.BytesIO(data), "", 0, 0
    while name != "STOP":
        instruction = _INSTRUCTIONS[file.read(1).decode("latin1")]
        name = instruction.name
        argument: Any = None
        if name == "STRING":  # Python 2's, with escapes for what is not ASCII, which pickletools does not take
            file.readline()
        elif instruction.arg is not None:
            argument = instruction.arg.reader(file)  # raises where the file ends before it
        number += 1
        tuples += name in _TUPLES
        if number > MAX_INSTRUCTIONS or tuples > MAX_TUPLES:
            raise _Absurd("has an absurd number of parts")
        if name in _PUTS and not 0 <= int(argument) <= number:  # written one after another, from 0 or 1 on
            raise _Absurd("numbers its parts absurdly")
        if name == "FRAME" and argument > len(data) - file.tell():
            raise _Absurd("declares more than it holds")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:120] if str(error).strip("' ") else "it ends too early"
