"""Which processor learned solvers would run on, found without loading torch."""

from __future__ import annotations

import ctypes
import platform
import sys
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Device:
    """A processor. id: as torch names it (cuda, mps, cpu). name: as its maker names it."""

    id: str
    name: str


@cache
def find_device() -> Device:
    """The best device of this machine: cuda before mps before cpu."""
    cuda = _cuda_name()
    if cuda:
        return Device("cuda", cuda)
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return Device("mps", "Apple GPU")
    return Device("cpu", platform.processor() or platform.machine())


def _cuda_name() -> str | None:
    """The first CUDA device's name, asked of the driver; None without a driver or a device."""
    library = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        driver = ctypes.CDLL(library)
        device, count = ctypes.c_int(), ctypes.c_int()
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
            return None
        name = ctypes.create_string_buffer(128)
        if driver.cuDeviceGet(ctypes.byref(device), 0) or driver.cuDeviceGetName(name, len(name), device):
            return None
        return name.value.decode(errors="replace")
    except (OSError, AttributeError):
        return None
