"""Damage done to archives of arrays and to pickles of them: kinds, shapes, headers, values, members."""

from __future__ import annotations

import io
import pickle
import random
import zipfile
from typing import Any

import numpy as np
import scipy.sparse
from fuzz_mutations import mutated_bytes

Arrays = dict[str, Any]
DTYPES = ("f2", "f4", ">f8", "g", "i1", "u8", "?", "c16", "U3", "S4", "O", "M8[s]", "V8")
VALUES = (np.nan, np.inf, -np.inf, 1e30, -1e30, 1e300, 1e-300, 0.0, -1.0, 1e4, 25.0)


def mutated_arrays(rng: random.Random, arrays: Arrays) -> Arrays:
    """Some arrays of another kind, shape or content, one missing, or one too many."""
    arrays = dict(arrays)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        name = rng.choice(sorted(arrays))
        array = np.asarray(arrays[name])
        how = rng.randrange(9)
        if how == 0:
            del arrays[name]
        elif how == 1:
            arrays[name] = _cast(array, rng.choice(DTYPES))
        elif how == 2 and array.size and array.dtype.kind in "fiu":
            array = array.copy()
            for _ in range(rng.choice((1, 1, 10))):
                value = rng.choice(VALUES)
                index = rng.randrange(array.size)
                array.flat[index] = value if array.dtype.kind == "f" else rng.choice((-1, 0, 127, 100))
            arrays[name] = array
        elif how == 3 and array.ndim:
            axis = rng.randrange(array.ndim)
            arrays[name] = np.take(array, range(rng.randrange(array.shape[axis] + 1)), axis=axis)
        elif how == 4:
            arrays[name] = rng.choice((array.T, array[None], array.ravel(), np.asarray(0.0), np.zeros((0, 3))))
        elif how == 5:
            arrays[name] = np.broadcast_to(np.float32(0), rng.choice(((20_000, 72), (1_000_000, 2), (2_000_000,))))
        elif how == 6 and array.dtype.kind in "fiu":
            arrays[name] = (array * rng.choice((-1, 1e3, 1e-6, 1e20))).astype(array.dtype)
        elif how == 7:
            arrays[name] = np.asfortranarray(array)
        else:
            arrays[rng.choice((name + "x", name.upper(), "poses", "mocap_framerate", "gender"))] = array
        if not arrays:
            break
    return arrays


def mutated_npz(rng: random.Random, arrays: Arrays) -> bytes:
    """An archive of mutated arrays, or a damaged archive, or one with damaged headers in it."""
    how = rng.randrange(4)
    if how == 0:
        return mutated_bytes(rng, npz_bytes(arrays, rng.random() < 0.5))
    if how == 1:
        return _with_damaged_members(rng, arrays)
    return npz_bytes(mutated_arrays(rng, arrays), rng.random() < 0.8)


def npz_bytes(arrays: Arrays, compressed: bool = True) -> bytes:
    """The archive's bytes."""
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
    return buffer.getvalue()


def mutated_pickle(rng: random.Random, arrays: Arrays) -> bytes:
    """A pickle of mutated arrays, some of them sparse, or a damaged pickle."""
    if rng.random() < 0.5:
        return mutated_bytes(rng, pickle_bytes(rng, arrays))
    return pickle_bytes(rng, mutated_arrays(rng, arrays))


def pickle_bytes(rng: random.Random, arrays: Arrays) -> bytes:
    """The pickled dictionary, by any protocol, with a sparse matrix and a stranger as official files have them."""
    content = dict(arrays)
    regressor = content.get("J_regressor")
    if isinstance(regressor, np.ndarray) and regressor.ndim == 2 and regressor.dtype == np.float64:
        content["J_regressor"] = rng.choice((scipy.sparse.csc_matrix, scipy.sparse.coo_matrix))(regressor)
    content["bs_style"] = "lbs"
    return pickle.dumps(content, protocol=rng.choice((0, 1, 2, 3, 4, 5)))


def _with_damaged_members(rng: random.Random, arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    damaged = rng.choice(sorted(arrays))
    with zipfile.ZipFile(buffer, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for name, array in arrays.items():
            inner = io.BytesIO()
            np.save(inner, array)
            data = inner.getvalue()
            if name == damaged:
                head = data[:128].decode("latin-1")
                old, new = rng.choice(
                    (("'descr'", "'desc'"), ("<f8", "|O"), ("<f8", "<f4"), ("False", "True"), ("(", "(9999999999,"),
                     ("}", ""), ("(", "(-"), ("<f8", "<U9"), ("{", "[" * 90), ("\x93NUMPY", "\x93NUMPI"), (", ", " "))
                )  # fmt: skip
                head = head.replace(old, new, 1)
                data = (
                    mutated_bytes(rng, data[:128]) + data[128:]
                    if rng.random() < 0.4
                    else (head.encode("latin-1")[:127] + b"\n" + data[128:])
                )
            archive.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def _cast(array: np.ndarray, dtype: str) -> np.ndarray:
    try:
        with np.errstate(all="ignore"):
            return array.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return np.zeros(array.shape, dtype)
