"""Arrays of .npz files from elsewhere: checked before they are unpacked, and never unpickled."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Collection, Mapping
from math import prod
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from solver.errors import InputRefused, one_line
from solver.files.reading import MEBIBYTE, read_bytes
from solver.size_limits import MAX_ARCHIVE_BYTES, MAX_UNPACKED_BYTES

Shapes = Mapping[str, tuple[int, ...]]

_HEADERS: dict[tuple[int, int], Callable[[IO[bytes]], tuple[tuple[int, ...], bool, np.dtype]]] = {
    (1, 0): npy.read_array_header_1_0,
    (2, 0): npy.read_array_header_2_0,
}


def read_npz(
    path: str | os.PathLike[str], wanted: Collection[str], choose: Callable[[Shapes], Collection[str]] = list
) -> dict[str, NDArray[Any]]:
    """The arrays among `wanted` that the archive has, numbers of at most 64 bits each; others are not unpacked.

    choose: is given their shapes before any is unpacked; says which to unpack, or raises. InputRefused for a file that
    is not an archive, is damaged, or would unpack to more than MAX_UNPACKED_BYTES, and for an array that holds anything
    but numbers.
    """
    data = io.BytesIO(read_bytes(path, MAX_ARCHIVE_BYTES))
    if data.getvalue().startswith(npy.MAGIC_PREFIX):
        raise InputRefused(path, "is one array, not an archive of arrays", "Choose another file")
    if not zipfile.is_zipfile(data):
        raise InputRefused(path, "cannot be read: it is not an .npz file, or was cut short", "Copy it again")
    try:
        with zipfile.ZipFile(data) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            found = {name: info for name, info in members.items() if name in wanted}
            shapes = {name: _shape(path, archive, name, info) for name, info in found.items()}
            chosen = {name: found[name] for name in choose(shapes)}
            if sum(info.file_size for info in chosen.values()) > MAX_UNPACKED_BYTES:
                reason = f"would unpack to more than {MAX_UNPACKED_BYTES // MEBIBYTE} MB"
                raise InputRefused(path, reason, "Choose a shorter part")
            return {name: _array(path, archive, name, info) for name, info in chosen.items()}
    except InputRefused:
        raise
    except Exception as error:  # zipfile raises a dozen kinds for a damaged archive
        raise InputRefused(path, f"cannot be read: it is damaged ({one_line(error)})", "Copy it again") from None


def _shape(path: str | os.PathLike[str], archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> tuple[int, ...]:
    """The shape that the array's own header declares, which must fit its size in the archive."""
    try:
        with archive.open(info) as stream:
            version = npy.read_magic(stream)
            if version not in _HEADERS:
                raise ValueError(f"version {version[0]}.{version[1]} of the array format is not known")
            shape, _, kind = _HEADERS[version](stream)
            head = stream.tell()
    except Exception as error:  # numpy evaluates the header, so anything that Python's own parser raises comes through
        raise InputRefused(path, f"cannot be read ({one_line(error)})", "Copy it again", name) from None
    if kind.hasobject:
        reason = "holds pickled objects, which could run any program, so it was not opened"
        raise InputRefused(path, reason, "Save it as plain numbers", name)
    if kind.kind not in "fiu" or kind.itemsize > 8:
        raise InputRefused(path, f"holds {str(kind)[:40]}, not numbers of up to 64 bits", "Save it as float64", name)
    if any(length < 0 for length in shape) or head + prod(shape) * kind.itemsize != info.file_size:
        reason = f"cannot be read: its size does not fit its shape {str(shape)[:60]}"
        raise InputRefused(path, reason, "Copy it again", name)
    return shape


def _array(path: str | os.PathLike[str], archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo) -> NDArray[Any]:
    try:
        with archive.open(info) as stream:
            array: NDArray[Any] = npy.read_array(stream, allow_pickle=False)
            stream.read()  # to its end, where the checksum is compared
    except Exception as error:
        raise InputRefused(path, f"cannot be read ({one_line(error)})", "Copy it again", name) from None
    return array
