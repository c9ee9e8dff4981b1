"""Reads the arrays of a pickle without running anything that it brings along.

Official SMPL files are Python 2 pickles of numpy arrays, scipy sparse matrices and chumpy arrays. Only numpy and scipy
know how to rebuild themselves here; chumpy's objects become inert records; every other name is refused.
"""

from __future__ import annotations

import importlib
import io
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused

LARGEST = 2 << 30  # bytes; the official files stay below 0.5 GB
_NUMPY = {"_reconstruct", "scalar"}
_SPARSE = {"csc_matrix", "csr_matrix", "coo_matrix"}


class _Forbidden(Exception):
    """The pickle names something that could run."""


class InertRecord:
    """Stands in for a foreign object: keeps its state, does nothing."""

    def __init__(self, *_: object) -> None:
        self.state: Mapping[str, Any] = {}

    def __setstate__(self, state: object) -> None:
        self.state = state if isinstance(state, Mapping) else {}


class _Restricted(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        top = module.partition(".")[0]
        if top == "numpy" and module.rpartition(".")[2] in ("multiarray", "_multiarray_umath") and name in _NUMPY:
            return getattr(importlib.import_module("numpy._core.multiarray"), name)
        if top == "numpy" and module.endswith(".numeric") and name == "_frombuffer":  # protocol 5
            return getattr(importlib.import_module("numpy._core.numeric"), name)
        if module == "numpy" and name in ("ndarray", "dtype"):
            return np.ndarray if name == "ndarray" else np.dtype
        if top == "scipy" and module.startswith("scipy.sparse") and name in _SPARSE:
            import scipy.sparse

            return getattr(scipy.sparse, name)
        if top == "chumpy":
            return InertRecord
        if (module, name) == ("_codecs", "encode"):  # how Python 3 writes the bytes of an old protocol's array
            return _encode_latin1
        if (module, name) in (("copy_reg", "_reconstructor"), ("copyreg", "_reconstructor")):
            return _reconstruct_plain
        if (module, name) in (("__builtin__", "object"), ("builtins", "object")):
            return object
        raise _Forbidden(f"{module}.{name}")


def _encode_latin1(text: str, encoding: str = "latin1") -> bytes:
    if encoding != "latin1":
        raise _Forbidden(f"the text encoding {encoding}")
    return text.encode("latin1")


def _reconstruct_plain(cls: type, base: type, state: object) -> object:
    """What copyreg does for classes without arguments, for records and sparse matrices only."""
    if base is not object or not (cls is InertRecord or cls.__module__.startswith("scipy.sparse")):
        raise _Forbidden(getattr(cls, "__name__", "an object"))
    return object.__new__(cls)


def load_pickled_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The numeric arrays of a pickled dictionary, by key; sparse ones made dense.

    Raises InputRefused for a pickle that names anything but arrays, and for one that cannot be read.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise InputRefused(path, "the file is larger than 2 GB, which no body file is")
        content = _Restricted(io.BytesIO(path.read_bytes()), encoding="latin1").load()
    except _Forbidden as error:
        raise InputRefused(
            path,
            f"this pickle asks for {error}, which a body file has no need of; nothing of it was run",
            "Use the file as it came from the body's own site, best the .npz one",
        ) from error
    except InputRefused:
        raise
    except Exception as error:  # a damaged pickle can raise anything
        raise InputRefused(path, f"this pickle cannot be read ({error})", "Download the file again") from error
    if not isinstance(content, dict):
        raise InputRefused(path, "this pickle does not hold a body (a dictionary of arrays was expected)")
    try:
        arrays = {key: array_of(value) for key, value in content.items() if isinstance(key, str)}
    except Exception as error:
        raise InputRefused(path, f"an array in this pickle is damaged ({error})", "Download the file again") from error
    return {key: array for key, array in arrays.items() if array is not None}


def array_of(value: Any) -> NDArray[Any] | None:
    """A plain numeric array from an array, a sparse matrix or a chumpy record; None for anything else."""
    if hasattr(value, "toarray"):
        value.check_format(full_check=True)  # indices out of range would be read from anywhere in memory
        value = value.toarray()
    if isinstance(value, InertRecord):
        state = value.state
        if "idxs" in state and "a" in state:  # chumpy's Select: a choice of the elements of another array
            inner = array_of(state["a"])
            if inner is None:
                return None
            picked = inner.ravel()[np.asarray(state["idxs"], dtype=np.intp)]
            shape = state.get("preferred_shape")
            return picked.reshape(shape) if shape is not None else picked
        value = state.get("x")
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return value
    return None
