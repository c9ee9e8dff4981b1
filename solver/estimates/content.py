"""The content of an estimator's file as plain values, whichever way it is packed: .npz, .npy, pickle or JSON."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.plain_pickle import ANOTHER, LARGEST, PICKLE_STARTS, ZLIB_STARTS, plain_content, read_pickle
from solver.files.json_checks import parse_json
from solver.files.reading import MEBIBYTE, read_bytes, read_start, read_text

Array = NDArray[np.float64]
ZIP_START = b"PK\x03\x04"
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
CORRECT = "Correct it"
_NO_JSON = (".npz", ".npy", ".pkl", ".pickle")
_LARGEST_JSON = 256 * MEBIBYTE


def read_content(path: Path) -> Any:
    """Dictionaries, lists, numbers, text and numeric arrays. InputRefused for any other file, and for a damaged one."""
    start = read_start(path, 8)
    if start.startswith(ZIP_START):
        return _npz(path)
    if start.startswith(npy.MAGIC_PREFIX):
        return _npy(read_bytes(path, LARGEST), path, "")
    if start.startswith((*PICKLE_STARTS, *ZLIB_STARTS)):
        return read_pickle(path)
    if not start:
        raise InputRefused(path, "is empty", "Save it again")
    if path.suffix.lower() in _NO_JSON and start.lstrip()[:1] not in (b"{", b"["):
        reason = "is neither an .npz nor an .npy file, a pickle or JSON"
        raise InputRefused(path, reason, "Save it again, or copy it again")
    return parse_json(read_text(path, _LARGEST_JSON), path).value


def numbers(
    value: Any, source: object, place: str, way_out: str = f"{CORRECT}, or leave out that person", *, gaps: bool = False
) -> Array:
    """An array, or lists of numbers, as float64; InputRefused for anything else, and where a number is not finite.

    way_out: from a number that is not finite. gaps: whether null or NaN may stand where nothing was seen; both are NaN.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputRefused(source, "holds no table of numbers", "Save plain numbers, as an array", place) from None
    right = ~np.isinf(array) if gaps else np.isfinite(array)
    if not right.all():
        first = np.unravel_index(int(np.argmin(right)), array.shape)
        where = f"{place}{list(map(int, first))}" if array.ndim else place
        what = "NaN" if np.isnan(array[first]) else "infinite"
        missing = _is_none(value, first)
        reason = "holds no number (null)" if missing else f"holds a number that is not finite ({what})"
        raise InputRefused(source, reason, way_out, where)
    return array


def _is_none(value: Any, place: Iterable[Any]) -> bool:
    """Whether lists hold None at a place. Other things that a plug-in may return are not indexed."""
    for index in place:
        if not isinstance(value, list | tuple | np.ndarray):
            return False
        value = value[index]
    return value is None


def _npz(path: Path) -> dict[str, Any]:
    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(read_bytes(path, LARGEST))) as archive:
            if sum(info.file_size for info in archive.infolist()) > LARGEST:
                raise InputRefused(path, f"would unpack to more than {LARGEST // MEBIBYTE} MB", "Save a shorter part")
            for info in archive.infolist():
                if info.filename.endswith(".npy"):
                    found[info.filename.removesuffix(".npy")] = archive.read(info)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise InputRefused(path, f"cannot be read: it is damaged ({error})", "Copy it again") from None
    if not found and any(Path(info.filename).name == "data.pkl" for info in archive.infolist()):
        raise InputRefused(path, "was written by torch.save, and is not read", ANOTHER)
    if not found:
        raise InputRefused(path, "is an archive without arrays in it", "Save it again with numpy.savez, or unpack it")
    return {name: _npy(data, path, name) for name, data in found.items()}


def _npy(data: bytes, source: object, place: str) -> Any:
    stream = io.BytesIO(data)
    try:
        shape, column, kind = _HEADERS[npy.read_magic(stream)](stream)
    except Exception:  # numpy evaluates the header: whatever Python's own reader raises comes through
        raise InputRefused(source, "cannot be read: it is not an array", "Copy it again", place) from None
    rest = data[stream.tell() :]
    if kind.hasobject:
        return plain_content(rest, source, place)
    if kind.kind in "SU":  # names of pictures and the like
        return np.frombuffer(rest, kind).reshape(shape).tolist() if len(rest) == prod(shape) * kind.itemsize else None
    if kind.kind not in "fiub" or kind.itemsize > 8:
        raise InputRefused(source, f"holds numbers of the kind {kind}", "Save them as float32 or float64", place)
    if prod(shape) * kind.itemsize != len(rest):
        raise InputRefused(source, "cannot be read: its size does not fit its shape", "Copy it again", place)
    return np.frombuffer(rest, kind).reshape(shape, order="F" if column else "C")
