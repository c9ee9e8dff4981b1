"""The processors of this machine, which of them networks should run on, and which they did run on.

Nothing here loads torch: drivers are asked whether their devices are there.
"""

from __future__ import annotations

import ctypes
import platform
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

AUTO, CPU, CUDA, MPS = "auto", "cpu", "cuda", "mps"
CHOICES = (AUTO, CPU, CUDA, MPS)


@dataclass(frozen=True)
class Device:
    """A processor. id: as torch names it (cuda, mps, cpu). name: as its maker names it."""

    id: str
    name: str


@dataclass(frozen=True)
class Run:
    """Where a network ran. refusal: why it was not the device that was chosen; "" if it was."""

    device: Device
    refusal: str = ""


@cache
def find_devices() -> tuple[Device, ...]:
    """The devices of this machine that networks can run on, fastest first; always including the processor, last."""
    found = []
    cuda = _cuda_name()
    if cuda:
        found.append(Device(CUDA, cuda))
    if sys.platform == "darwin" and platform.machine() == "arm64":
        found.append(Device(MPS, "Apple GPU"))
    return (*found, processor())


@cache
def processor() -> Device:
    """The computer's own processor (CPU)."""
    return Device(CPU, platform.processor() or platform.machine())


_chosen = AUTO


def choose(id: str) -> None:
    """Makes networks run on this device from now on; auto: whichever measures faster. Raises ValueError."""
    global _chosen
    if id not in CHOICES:
        raise ValueError(f"{id!r} is not one of {', '.join(CHOICES)}")
    _chosen = id


def chosen() -> str:
    """One of CHOICES."""
    return _chosen


_noted = threading.local()


def note(run: Run) -> None:
    """Report to this thread's listener where a network has just run."""
    for runs in getattr(_noted, "listeners", ()):
        runs.append(run)


@contextmanager
def listening() -> Iterator[list[Run]]:
    """Collects, in order, where networks run in this thread during the block."""
    runs: list[Run] = []
    before = getattr(_noted, "listeners", ())
    _noted.listeners = (*before, runs)
    try:
        yield runs
    finally:
        _noted.listeners = before


def _cuda_name() -> str | None:
    """The first CUDA device's name, from the driver; None without a driver or a device."""
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
